import { sandbox as contract, WireError } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { renderToPlainText, toSegments, type Content } from '@mynah/plugin-chat/api'
import { endpointPlace, messageOf, type Logger } from '@mynah/kernel'
import type { MessageStore } from '@mynah/plugin-chat/api'
import type { SandboxBot } from './bot.js'
import { readHistory } from './history.js'

/** Objects that the methods work on. */
export interface SandboxMethodContext {
  readonly bots: ReadonlyMap<string, SandboxBot>
  /** The message store, where there is a durable one. */
  readonly store: () => MessageStore | undefined
  readonly log: Logger
  /** When this process started, in milliseconds since the epoch. */
  readonly startedAt: number
}

const { rpc } = contract

/** Returns the methods `sandbox:*`, with which a browser acts as the users. The host of the endpoint runs them. */
export function sandboxMethods({ bots, store, log, startedAt }: SandboxMethodContext): BoundMethod[] {
  const find = botFinder(bots)
  return sandboxMethodsOf(find, { store, log, startedAt }).map((bound): BoundMethod => ({
    ...bound,
    place: ({ endpointId }) => (typeof endpointId === 'string' ? endpointPlace('sandbox', endpointId) : undefined),
  }))
}

function sandboxMethodsOf(find: FindBot, { store, log, startedAt }: Omit<SandboxMethodContext, 'bots'>): BoundMethod[] {
  return [
    ...eventMethods(find),
    ...changeMethods(find),
    method(rpc, 'sandbox:send', async ({ endpointId, channel: scene, sender, content, messageId }, { principal }) => {
      const { platform, endpoint, stored } = find(endpointId)
      assertMayActAs(principal.scope, endpoint.config, sender.id)
      const channel = platform.withGuild(scene)
      const id = messageId ?? platform.newId()
      if (channel.type === 'group')
        await stored
          .addGroup(channel.id)
          .catch((error: unknown) => log.debug(`a group has no members of earlier starts: ${messageOf(error)}`))
      const role = platform.addMember(channel, sender)
      const muted = channel.type === 'group' ? (platform.group(channel.id).members.get(sender.id)?.mutedUntil ?? 0) : 0
      const timestamp = endpoint.clock.now()
      if (muted > timestamp) throw new WireError('forbidden', `${sender.name ?? sender.id} is muted in this group`)
      const segments = toSegments(content as Content)
      if (!platform.history(channel, 500).some((item) => item.messageId === id)) {
        platform.addMessage({
          endpoint_id: endpointId,
          channel,
          messageId: id,
          content,
          text: renderToPlainText(segments),
          timestamp,
          direction: 'in',
          sender,
        })
      }
      await endpoint.receive({
        id,
        channel,
        sender: { ...sender, ...(role ? { role } : {}) },
        content: segments,
        mentioned: mentionsBot(segments, platform.botId),
        timestamp,
      })
      return { messageId: id }
    }),
    method(rpc, 'sandbox:roles', ({ endpointId }, { principal }) => {
      const { master, trusted } = find(endpointId).endpoint.config
      return principal.scope === 'full'
        ? { master: idsOf(master), trusted: idsOf(trusted) }
        : { master: [], trusted: [] }
    }),
    method(rpc, 'sandbox:history', async ({ endpointId, channel, limit }) => {
      const { platform } = find(endpointId)
      return {
        messages: await readHistory(platform, endpointId, platform.withGuild(channel), limit ?? 100, store(), log),
        startedAt,
      }
    }),
  ]
}

type FindBot = (endpointId: string) => SandboxBot

const botFinder =
  (bots: SandboxMethodContext['bots']): FindBot =>
  (endpointId) => {
    const bot = bots.get(endpointId)
    if (!bot) throw new WireError('not_found', `No sandbox endpoint "${endpointId}"`)
    return bot
  }

/** Returns the methods that send requests and notices to the bot. */
function eventMethods(find: FindBot): BoundMethod[] {
  return [
    method(rpc, 'sandbox:request', async ({ endpointId, kind, sender, channel, comment }) => {
      const bot = find(endpointId)
      if (kind !== 'friend' && !channel)
        throw new WireError('invalid_request', 'data.channel is required for a group request', {
          details: [{ path: 'data.channel', message: 'is required' }],
        })
      const id = bot.platform.newId()
      bot.addRequest(id, { kind, sender, ...(channel ? { channel } : {}) })
      await bot.endpoint.request({
        id,
        kind,
        sender,
        ...(channel ? { channel } : {}),
        ...(comment === undefined ? {} : { comment }),
      })
      return { id }
    }),
    method(rpc, 'sandbox:notice', async ({ endpointId, kind, channel, operator, target, payload }) => {
      const bot = find(endpointId)
      const id = bot.platform.newId()
      await bot.endpoint.notice({
        id,
        kind,
        ...(channel ? { channel } : {}),
        ...(operator ? { operator } : {}),
        ...(target ? { target } : {}),
        payload,
      })
      return { id }
    }),
  ]
}

/** Returns the methods with which users change what was said. */
function changeMethods(find: FindBot): BoundMethod[] {
  return [
    method(rpc, 'sandbox:edit', async ({ endpointId, channel: scene, messageId, sender, content }, { principal }) => {
      const { platform, endpoint } = find(endpointId)
      assertMayActAs(principal.scope, endpoint.config, sender.id)
      const channel = platform.withGuild(scene)
      const text = renderToPlainText(toSegments(content))
      platform.changeMessage(channel, messageId, (item) =>
        item.sender.id === sender.id ? { content, text, edited: true } : {},
      )
      await endpoint.changed({ messageId, channel, content, operator: sender, timestamp: endpoint.clock.now() })
      return { success: true }
    }),
    method(rpc, 'sandbox:delete', async ({ endpointId, channel: scene, messageId, sender }, { principal }) => {
      const { platform, endpoint } = find(endpointId)
      assertMayActAs(principal.scope, endpoint.config, sender.id)
      const channel = platform.withGuild(scene)
      const deletedAt = endpoint.clock.now()
      platform.changeMessage(channel, messageId, (item) => (item.sender.id === sender.id ? { deletedAt } : {}))
      await endpoint.changed({ messageId, channel, deleted: true, operator: sender, timestamp: deletedAt })
      return { success: true }
    }),
    method(rpc, 'sandbox:react', async ({ endpointId, channel, messageId, sender, emoji, added }, { principal }) => {
      const bot = find(endpointId)
      assertMayActAs(principal.scope, bot.endpoint.config, sender.id)
      await bot.reactAs(sender, bot.platform.withGuild(channel), messageId, emoji, added)
      return { success: true }
    }),
  ]
}

/** A visitor must not act as a user with special roles. */
function assertMayActAs(scope: string, config: Readonly<Record<string, unknown>>, userId: string): void {
  if (scope !== 'full' && hasSpecialRole(config, userId))
    throw new WireError(
      'forbidden',
      `${userId} is an owner or trusted user of this bot; a token of full scope may speak as such`,
    )
}

const idsOf = (value: unknown): string[] => [value].flat().filter((id): id is string => typeof id === 'string')

function hasSpecialRole({ master, trusted }: Readonly<Record<string, unknown>>, userId: string): boolean {
  return [master, trusted].flat().includes(userId)
}

function mentionsBot(segments: readonly { type: string; data: Record<string, unknown> }[], botId: string): boolean {
  return segments.some(
    (part) =>
      (part.type === 'at' && part.data.id === botId) ||
      (part.type === 'text' && typeof part.data.text === 'string' && part.data.text.includes(`@${botId}`)),
  )
}
