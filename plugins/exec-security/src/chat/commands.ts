import { defineCommand, param, type Chat, type Command, type Message } from '@mynah/plugin-chat/api'
import { isWireError } from '@mynah/contract'
import type { ApprovalService } from '../approvals/approval-service.js'
import type { EndpointKey, PermanentApprovals } from '../approvals/permanent-approvals.js'
import type { ExecService } from '../exec-service.js'
import type { OwnerGuard } from '../owner-guard.js'
import { prefixOf } from './owner-chats.js'
import { description, textsFor } from './texts.js'

interface Deps {
  readonly exec: ExecService
  readonly approvals: ApprovalService
  readonly permanent: PermanentApprovals
  readonly guard: OwnerGuard
  readonly chat: { readonly current: Chat | undefined }
  /** Whether a message was handled before a stop, and is handled again. */
  readonly isRepeated: (message: Message) => boolean
}

const owners = { requiredAnyRole: ['master'], privateOnly: true } as const
const endpointOf = (message: Message): EndpointKey => ({ adapter: message.adapter, endpointId: message.endpoint })
const byOwner = (message: Message): string => `owner:${message.sender.id}`
const bare = (id: string): string => id.trim().toLowerCase()

/** Returns the eight commands of owners. */
export function approveCommands(deps: Deps): Command[] {
  return [...answerCommands(deps), ...permanentCommands(deps), listCommand(deps), ...revokeCommands(deps)]
}

/** Returns the open requests of an endpoint. */
async function pendingOf(approvals: ApprovalService, { adapter, endpointId }: EndpointKey) {
  return (await approvals.pending()).filter((other) => other.adapter === adapter && other.endpointId === endpointId)
}

function answerCommands({ exec, guard, isRepeated }: Deps): Command[] {
  const id = param.string({ description: { en: 'id of the request', 'zh-CN': '请求 id' } })
  const answer = async (id: string, approve: boolean, message: Message): Promise<string> => {
    await guard('approve', byOwner(message), bare(id))
    const endpoint = endpointOf(message)
    const given = isRepeated(message) ? await exec.answered(bare(id), approve, byOwner(message), endpoint) : undefined
    return (given ?? (await exec.answer(bare(id), approve, byOwner(message), endpoint))).id
  }
  return [
    defineCommand({
      name: 'approve',
      description: description('approve'),
      ...owners,
      repeatable: true,
      args: { id },
      run: async ({ args, message }) => textsFor(message.locale).approved(await answer(args.id, true, message)),
    }),
    defineCommand({
      name: 'approve deny',
      description: description('deny'),
      ...owners,
      repeatable: true,
      args: { id },
      run: async ({ args, message }) => textsFor(message.locale).denied(await answer(args.id, false, message)),
    }),
  ]
}

function permanentCommands({ exec, approvals, permanent, guard, chat }: Deps): Command[] {
  const always = async (message: Message): Promise<string> => {
    await guard('approve always', byOwner(message))
    await permanent.always(endpointOf(message))
    const { approved, waiting } = await exec.approveCovered(endpointOf(message))
    return textsFor(message.locale).alwaysOn(approved, waiting)
  }
  return [
    defineCommand({
      name: 'approve always bash',
      description: description('alwaysBash'),
      ...owners,
      repeatable: true,
      run: ({ message }) => always(message),
    }),
    defineCommand({
      name: 'approve always',
      description: description('always'),
      ...owners,
      async run({ message }) {
        const waiting = await pendingOf(approvals, endpointOf(message))
        return waiting.length ? always(message) : textsFor(message.locale).nothingWaits(prefixOf(chat.current))
      },
    }),
    defineCommand({
      name: 'approve rule',
      description: description('rule'),
      ...owners,
      args: {
        regex: param.rest({ description: { en: 'pattern for a whole subcommand', 'zh-CN': '匹配整个子命令的表达式' } }),
      },
      examples: ['approve rule git push origin \\w+'],
      async run({ args, message }) {
        const texts = textsFor(message.locale)
        await guard('approve rule', byOwner(message))
        try {
          const { id: ruleId, pattern } = await permanent.addRule(endpointOf(message), { pattern: args.regex })
          const { approved, waiting } = await exec.approveCovered(endpointOf(message))
          return texts.ruleAdded(ruleId.slice(0, 8), pattern, approved, waiting)
        } catch (error) {
          if (isWireError(error) && error.code === 'invalid_request') return texts.ruleRefused(error.message)
          throw error
        }
      },
    }),
  ]
}

function listCommand({ approvals, permanent, chat }: Deps): Command {
  return defineCommand({
    name: 'approve list',
    description: description('list'),
    ...owners,
    repeatable: true,
    run: async ({ message }) =>
      textsFor(message.locale).list({
        permanent: permanent.of(endpointOf(message)),
        pending: await pendingOf(approvals, endpointOf(message)),
        prefix: prefixOf(chat.current),
      }),
  })
}

function revokeCommands({ exec, permanent }: Deps): Command[] {
  return [
    defineCommand({
      name: 'approve revoke rule',
      description: description('revokeRule'),
      ...owners,
      args: { id: param.string({ description: { en: 'id of the rule', 'zh-CN': '规则 id' } }) },
      async run({ args, message }) {
        const revoked = await permanent
          .revokeRule(endpointOf(message), bare(args.id))
          .finally(() => exec.revokeCovered(endpointOf(message)))
        return textsFor(message.locale).ruleRevoked(revoked.id.slice(0, 8), revoked.pattern)
      },
    }),
    defineCommand({
      name: 'approve revoke',
      description: description('revoke'),
      ...owners,
      repeatable: true,
      async run({ message }) {
        await permanent.revoke(endpointOf(message)).finally(() => exec.revokeCovered(endpointOf(message)))
        return textsFor(message.locale).revoked
      },
    }),
  ]
}
