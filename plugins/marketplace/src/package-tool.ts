import { isWireError } from '@mynah/contract'
import type { PackagePlan } from '@mynah/contract/types'
import { Type } from '@mynah/contract/type'
import type { Ref } from '@mynah/kernel'
import { defineTool, toolResult, type Tool } from '@mynah/plugin-ai/api'
import { askOwner, type Approvals } from '@mynah/plugin-exec-security/api'
import type { Installer } from './installer.js'
import { askedIn, planText } from './plan-text.js'

const TITLES = { add: 'Install', update: 'Update', remove: 'Remove' } as const
const failed = (text: string) => toolResult(text, { isError: true })

/**
 * Creates the tool with which an agent asks the owner to change a package. The owner approves the plan of the host, and
 * exactly that is carried out. Neither can the agent confirm an install script, nor enable a plugin.
 */
export function changePackage(installer: Installer, approvals: Ref<Approvals>): Tool {
  return defineTool({
    name: 'change_package',
    description:
      'Asks the owner to install, update or remove a plugin package of the registry. A new plugin is off until the ' +
      'owner enables it.',
    requiredAnyRole: ['master'],
    // A second run finds nothing to change.
    effect: 'repeatable',
    keywords: ['plugin', 'package', 'install', 'update', 'remove', '插件', '安装', '更新', '卸载'],
    parameters: Type.Object({
      action: Type.Enum(['add', 'update', 'remove']),
      name: Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Name of the package; for add and update with a version or range after @',
      }),
    }),
    async run({ action, name }, call) {
      if (call.subagent) return failed('A sub-agent changes no packages.')
      const service = approvals.current
      if (!service) return failed('No approvals can be asked for: the plugin exec-security does not run.')
      const plan = await installer.plan({ [action]: [name] }).catch(wordsOf)
      if (typeof plan === 'string') return failed(plan)
      // So it is after the restart with which an update takes effect.
      if (plan.refusals.length === 0 && plan.changes.length === 0) return 'It is as asked: there is nothing to change.'
      const refusal = refusalOf(plan)
      if (refusal !== undefined) return failed(refusal)
      const end = await askOwner(service, call, {
        kind: 'package',
        title: `${TITLES[action]} ${askedIn(plan)}`,
        text: planText(plan),
        reason: 'a plugin is code that runs in the host',
      })
      if (end !== 'approved') return failed('The owner did not approve it; nothing is changed.')
      const { state, message } = await installer.ended(installer.apply(plan.planId, 'owner'))
      if (state !== 'done') return failed(`It was approved and has failed: ${message ?? state}`)
      if (message !== undefined) return failed(`The packages are changed, but ${message}`)
      return action === 'add' ? `${askedIn(plan)} is installed. The owner enables it in the console.` : 'It is done.'
    },
  })
}

/** Returns why a plan cannot be approved in a chat. */
function refusalOf({ refusals, changes }: PackagePlan): string | undefined {
  if (refusals.length > 0) return `It cannot be done: ${refusals.join('; ')}`
  const scripts = changes.filter(({ script }) => script === true).map(({ name }) => name)
  if (scripts.length === 0) return undefined
  return `${scripts.join(', ')} has an install script. The owner confirms scripts in the console or with mynah add.`
}

function wordsOf(error: unknown): string {
  if (isWireError(error)) return error.message
  throw error
}
