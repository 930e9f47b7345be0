import { defineCommand, param, type Chat, type Command, type Message } from '@mynah/plugin-chat/api'
import { isWireError } from '@mynah/contract'
import type { EndpointKey } from '../approvals/permanent-approvals.js'
import type { OwnerDesk } from '../owner-desk.js'
import { prefixOf } from './owner-chats.js'
import { description, textsFor } from './texts.js'

type OptionalChat = { readonly current: Chat | undefined }
/** Returns whether a message was handled before a stop, and is handled again. */
type IsRepeated = (message: Message) => boolean

const owners = { requiredAnyRole: ['master'], privateOnly: true } as const
const endpointOf = (message: Message): EndpointKey => ({ adapter: message.adapter, endpointId: message.endpoint })
const byOwner = (message: Message): string => `owner:${message.sender.id}`
const bare = (id: string): string => id.trim().toLowerCase()

/** Returns the eight commands of owners. */
export function approveCommands(desk: OwnerDesk, chat: OptionalChat, isRepeated: IsRepeated): Command[] {
  return [
    ...answerCommands(desk, isRepeated),
    ...permanentCommands(desk, chat),
    listCommand(desk, chat),
    ...revokeCommands(desk),
  ]
}

function answerCommands(desk: OwnerDesk, isRepeated: IsRepeated): Command[] {
  const id = param.string({ description: { en: 'id of the request', 'zh-CN': '请求 id' } })
  const answer = async (id: string, approve: boolean, message: Message): Promise<string> => {
    const [by, endpoint] = [byOwner(message), endpointOf(message)]
    const given = isRepeated(message) ? await desk.answered(bare(id), approve, by, endpoint) : undefined
    return (given ?? (await desk.answer(bare(id), approve, by, endpoint))).id
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

function permanentCommands(desk: OwnerDesk, chat: OptionalChat): Command[] {
  const always = async (message: Message): Promise<string> => {
    const { approved, waiting } = await desk.always(endpointOf(message))
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
        const waiting = await desk.waiting(endpointOf(message))
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
        try {
          const { rule, approved, waiting } = await desk.addRule(endpointOf(message), { pattern: args.regex })
          return texts.ruleAdded(rule.id.slice(0, 8), rule.pattern, approved, waiting)
        } catch (error) {
          if (isWireError(error) && error.code === 'invalid_request') return texts.ruleRefused(error.message)
          throw error
        }
      },
    }),
  ]
}

function listCommand(desk: OwnerDesk, chat: OptionalChat): Command {
  return defineCommand({
    name: 'approve list',
    description: description('list'),
    ...owners,
    repeatable: true,
    run: async ({ message }) =>
      textsFor(message.locale).list({
        permanent: desk.grantOf(endpointOf(message)),
        pending: await desk.waiting(endpointOf(message)),
        prefix: prefixOf(chat.current),
      }),
  })
}

function revokeCommands(desk: OwnerDesk): Command[] {
  return [
    defineCommand({
      name: 'approve revoke rule',
      description: description('revokeRule'),
      ...owners,
      args: { id: param.string({ description: { en: 'id of the rule', 'zh-CN': '规则 id' } }) },
      async run({ args, message }) {
        const revoked = await desk.revokeRule(endpointOf(message), bare(args.id))
        return textsFor(message.locale).ruleRevoked(revoked.id.slice(0, 8), revoked.pattern)
      },
    }),
    defineCommand({
      name: 'approve revoke',
      description: description('revoke'),
      ...owners,
      repeatable: true,
      async run({ message }) {
        await desk.revoke(endpointOf(message))
        return textsFor(message.locale).revoked
      },
    }),
  ]
}
