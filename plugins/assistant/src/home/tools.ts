import { isWireError, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { defineTool, toolResult, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import type { Ref } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { askOwner, type Approvals, type ExecSecurity } from '@mynah/plugin-exec-security/api'
import type { HomeConfig } from '../config.js'
import type { Home } from './home.js'
import { mustConfirm } from './policy.js'

/** The parts of the host that the tools work with. */
interface HomeParts {
  readonly config: HomeConfig
  readonly connect: (call: ToolCall) => Home
  readonly approvals: Ref<Approvals>
  readonly exec: Ref<ExecSecurity>
}

const Alias = Type.String({ minLength: 1, maxLength: 256, description: 'As home_list names it' })
const MAX_ATTRIBUTES = 4_000
/** Fields of a service that select entities, which only the alias may do. */
const TARGET_FIELDS = ['entity_id', 'device_id', 'area_id', 'floor_id', 'label_id', 'target']
const keywords = ['home', 'light', 'switch', 'lock', 'door', 'heating', 'sensor', '家', '灯', '门', '锁', '空调']

/** Creates the agent's tools for the home. They accept aliases of exposed entities only. */
export function homeTools(parts: HomeParts): Tool[] {
  const { aliases, exposedEntities, policy } = parts.config
  const exposed = new Map(
    Object.entries(aliases).filter(([, entity]) => !exposedEntities || exposedEntities.includes(entity)),
  )
  const common = { requiredAnyRole: policy.requireMaster ? ['master'] : ['user', 'trusted', 'master'], keywords }
  return [listTool(exposed, common), stateTool(parts, exposed, common), callTool(parts, exposed, common)]
}

type Aliases = ReadonlyMap<string, string>
type CommonOptions = Pick<Tool, 'requiredAnyRole' | 'keywords'>

const listTool = (exposed: Aliases, common: CommonOptions): Tool =>
  defineTool({
    ...common,
    name: 'home_list',
    description: 'Lists what of the home can be asked and changed, by alias.',
    effect: 'read',
    parameters: Type.Object({}),
    run: () =>
      exposed.size
        ? Array.from(exposed, ([alias, entity]) => `${alias} (${domainOf(entity)})`).join('\n')
        : 'Nothing of the home is exposed.',
  })

const stateTool = ({ connect }: HomeParts, exposed: Aliases, common: CommonOptions): Tool =>
  defineTool({
    ...common,
    name: 'home_state',
    description: 'Tells the state of something in the home.',
    effect: 'read',
    parameters: Type.Object({ alias: Alias }),
    run: ({ alias }, call) =>
      withToolErrors(async () => {
        const { state, attributes, changedAt } = await connect(call).state(entityOf(exposed, alias), call.signal)
        return omitUndefined({
          alias,
          state,
          changed: changedAt,
          attributes: JSON.stringify(attributes).slice(0, MAX_ATTRIBUTES),
        })
      }),
  })

const callTool = (parts: HomeParts, exposed: Aliases, common: CommonOptions): Tool =>
  defineTool({
    ...common,
    name: 'home_call',
    description: 'Calls a service for something in the home, such as turn_on for a light. Some wait for the owner.',
    effect: 'once',
    parameters: Type.Object({
      alias: Alias,
      service: Type.String({ minLength: 1, maxLength: 200, description: 'Such as turn_on, or light.turn_on' }),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Further fields of the service' })),
    }),
    run: ({ alias, service, data = {} }, call) =>
      withToolErrors(async () => {
        const { policy } = parts.config
        const entity = entityOf(exposed, alias)
        const domain = domainOf(entity)
        const name = serviceName(service, domain)
        const targetField = TARGET_FIELDS.find((field) => field in data)
        if (targetField)
          throw new WireError('invalid_request', `data.${targetField} may not be given: the alias says what is meant`)
        const home = parts.connect(call)
        const needsDeviceClass = domain === 'cover' && !policy.confirmServices
        const deviceClass = needsDeviceClass
          ? (await home.state(entity, call.signal)).attributes.device_class
          : undefined
        const title = `${domain}.${name}`
        if (mustConfirm(policy, domain, name, deviceClass))
          await confirm(parts, call, `${title} for "${alias}"`, JSON.stringify({ service: title, entity, data }))
        await home.call(domain, name, entity, data, call.signal)
        return `${title} was called for "${alias}".`
      }),
  })

const domainOf = (entity: string): string => entity.split('.', 1)[0] ?? entity

function entityOf(exposed: Aliases, alias: string): string {
  const entity = exposed.get(alias)
  if (entity !== undefined) return entity
  throw new WireError('not_found', `There is no "${alias}" in this home; home_list names what is there`)
}

/** Returns the name of a service. Its domain, when given, must be that of the entity. */
function serviceName(service: string, domain: string): string {
  const parts = service.toLowerCase().split('.')
  const name = parts.at(-1) ?? ''
  if (parts.length > 2 || (parts.length === 2 && parts[0] !== domain) || !/^[a-z0-9_]{1,100}$/.test(name))
    throw new WireError('invalid_request', `"${service}" is no service of ${domain}`)
  return name
}

/** Waits until the owner has confirmed exactly this call. */
async function confirm(
  { exec, approvals: ref }: HomeParts,
  call: ToolCall,
  title: string,
  text: string,
): Promise<void> {
  const mode = exec.current?.approvalMode() ?? 'deny'
  if (mode === 'allow') return
  const approvals = ref.current
  if (mode === 'deny' || !approvals)
    throw new WireError('forbidden', `${title} needs the owner, and execApprovalMode is ${mode}: it is refused`)
  const reason = 'it changes who may enter, or cannot be undone from afar'
  const end = await askOwner(approvals, call, { kind: 'home', title, text, reason })
  if (end !== 'approved') throw new WireError('forbidden', `The owner did not confirm it (${end})`)
}

/** Turns a `WireError` into an error result for the model. Other errors are thrown. */
async function withToolErrors(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (isWireError(error)) return toolResult(error.message, { isError: true })
    throw error
  }
}
