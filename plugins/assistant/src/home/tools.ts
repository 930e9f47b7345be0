// The agent's tools for the home. They know aliases only: what has none, or is not exposed, does not exist.
import { isWireError, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { defineTool, isLeft, toolResult, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import type { Approvals, ExecOrigin, ExecSecurity } from '@mynah/plugin-exec-security/api'
import type { HomeConfig } from '../config.js'
import type { Home } from './home.js'
import { mustConfirm } from './policy.js'

interface Deps {
  readonly config: HomeConfig
  readonly home: (call: ToolCall) => Home
  readonly approvals: () => Approvals | undefined
  readonly exec: () => ExecSecurity | undefined
}

const Alias = Type.String({ minLength: 1, maxLength: 256, description: 'As home_list names it' })
const MAX_ATTRIBUTES = 4_000
/** Fields that would name other entities than the alias. */
const TARGETS = ['entity_id', 'device_id', 'area_id', 'floor_id', 'label_id', 'target']
const keywords = ['home', 'light', 'switch', 'lock', 'door', 'heating', 'sensor', '家', '灯', '门', '锁', '空调']

const originOf = ({ origin: { adapter, endpoint, channel, user } }: ToolCall): ExecOrigin => ({
  adapter,
  endpointId: endpoint,
  channel: channel && { type: channel.type, id: channel.id },
  userId: user,
})

export function homeTools({ config, home, approvals, exec }: Deps): Tool[] {
  const { aliases, exposedEntities, policy } = config
  const exposed = new Map(
    Object.entries(aliases).filter(([, entity]) => !exposedEntities || exposedEntities.includes(entity)),
  )
  const requiredAnyRole = policy.requireMaster ? ['master'] : ['user', 'trusted', 'master']
  const entityOf = (alias: string): string =>
    exposed.get(alias) ??
    (() => {
      throw new WireError('not_found', `There is no "${alias}" in this home; home_list names what is there`)
    })()

  /** Resolves when the owner has confirmed exactly this. */
  const confirmed = async (call: ToolCall, title: string, text: string): Promise<void> => {
    const mode = exec()?.approvalMode() ?? 'deny'
    if (mode === 'allow') return
    const asked = approvals()
    if (mode === 'deny' || !asked)
      throw new WireError('forbidden', `${title} needs the owner, and execApprovalMode is ${mode}: it is refused`)
    const origin = originOf(call)
    const request = {
      kind: 'home',
      title,
      text,
      origin,
      reason: 'it changes who may enter, or cannot be undone from afar',
      asker: { turn: call.turn, call: call.id },
    } as const
    // It waits before it asks: after a stop it is known that nothing was done yet, and the request is found again.
    const end = await call.wait('approval', await asked.idFor(request), async (signal) => {
      const { id } = await asked.request(request)
      return asked.wait(id, signal).catch(async (error: unknown) => {
        if (!isLeft(signal.reason)) await asked.withdraw(id)
        throw error
      })
    })
    if (end !== 'approved' || !(await asked.use('home', text, origin)))
      throw new WireError('forbidden', `The owner did not confirm it (${end})`)
  }
  /** The model is told what happened in words; what nobody foresaw is a failure. */
  const telling = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } catch (error) {
      if (isWireError(error)) return toolResult(error.message, { isError: true })
      throw error
    }
  }

  return [
    defineTool({
      name: 'home_list',
      description: 'Lists what of the home can be asked and changed, by alias.',
      requiredAnyRole,
      keywords,
      effect: 'read',
      parameters: Type.Object({}),
      run: () =>
        exposed.size
          ? Array.from(exposed, ([alias, entity]) => `${alias} (${entity.split('.', 1)[0]})`).join('\n')
          : 'Nothing of the home is exposed.',
    }),
    defineTool({
      name: 'home_state',
      description: 'Tells the state of something in the home.',
      requiredAnyRole,
      keywords,
      effect: 'read',
      parameters: Type.Object({ alias: Alias }),
      run: ({ alias }, call) =>
        telling(async () => {
          const { state, attributes, changedAt } = await home(call).state(entityOf(alias), call.signal)
          return {
            alias,
            state,
            ...(changedAt === undefined ? {} : { changed: changedAt }),
            attributes: JSON.stringify(attributes).slice(0, MAX_ATTRIBUTES),
          }
        }),
    }),
    defineTool({
      name: 'home_call',
      description: 'Calls a service for something in the home, such as turn_on for a light. Some wait for the owner.',
      requiredAnyRole,
      keywords,
      effect: 'once',
      parameters: Type.Object({
        alias: Alias,
        service: Type.String({ minLength: 1, maxLength: 200, description: 'Such as turn_on, or light.turn_on' }),
        data: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), { description: 'Further fields of the service' }),
        ),
      }),
      run: ({ alias, service, data = {} }, call) =>
        telling(async () => {
          const entity = entityOf(alias)
          const own = entity.split('.', 1)[0] as string
          const [name, domain = own] = service.toLowerCase().split('.').reverse() as [string, string?]
          if (!/^[a-z0-9_]{1,100}$/.test(name) || domain !== own || service.split('.').length > 2)
            throw new WireError('invalid_request', `"${service}" is no service of ${own}`)
          const foreign = TARGETS.find((field) => field in data)
          if (foreign)
            throw new WireError('invalid_request', `data.${foreign} may not be given: the alias says what is meant`)
          const way = home(call)
          const deviceClass =
            own === 'cover' && !policy.confirmServices
              ? (await way.state(entity, call.signal)).attributes.device_class
              : undefined
          if (mustConfirm(policy, own, name, deviceClass))
            await confirmed(
              call,
              `${own}.${name} for "${alias}"`,
              JSON.stringify({ service: `${own}.${name}`, entity, data }),
            )
          await way.call(own, name, entity, data, call.signal)
          return `${own}.${name} was called for "${alias}".`
        }),
    }),
  ]
}
