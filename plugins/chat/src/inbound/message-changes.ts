import { createHash, randomUUID } from 'node:crypto'
import type { BaseContext } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { MessageRow, Reaction } from '@mynah/contract/types'
import { publish } from '@mynah/plugin-events/api'
import type { InboundChange, InboundNotice, InboundReaction } from '../api/inbound.js'
import { reactionReceive } from '../api/points.js'
import { renderToPlainText } from '../api/segments.js'
import type { MessageChange } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { ActiveStore } from '../store/active-store.js'
import { messageChangedEvent, reactionEvent } from '../stream-events.js'
import { sanitizeSegments } from './sanitize-segments.js'

/** Most reactions of one message that are stored. The oldest are dropped first. */
const MAX_REACTIONS = 100
/** Longest name of an emoji. A longer one is no reaction. */
const MAX_EMOJI = 128

/** Stores and publishes what happens to messages after they were received or sent. Each call may be repeated. */
export class MessageChanges {
  readonly #ctx: BaseContext<unknown>
  readonly #store: ActiveStore

  constructor(ctx: BaseContext<unknown>, store: ActiveStore) {
    this.#ctx = ctx
    this.#store = store
  }

  /**
   * Changes the row of a message.
   *
   * @returns the notice of the change, or `undefined` where its operator may not make it
   */
  async apply(endpoint: Endpoint, change: InboundChange): Promise<InboundNotice | undefined> {
    const { messageId, channel, deleted, operator, timestamp } = change
    const at = timestamp ?? this.#ctx.clock.now()
    const segments = deleted || change.content === undefined ? undefined : sanitizeSegments(change.content)
    const text = segments && renderToPlainText(segments)
    let isRefused = false
    const decide = (row: MessageRow): MessageChange | undefined => {
      isRefused = !mayChange(endpoint, row, change)
      if (isRefused || row.deletedAt !== undefined) return undefined
      if (deleted) return { deletedAt: at }
      if (!segments || text === undefined || (row.editedAt !== undefined && row.editedAt > at)) return undefined
      return { segments, text, editedAt: at }
    }
    await this.#change(endpoint, { messageId, channel }, decide)
    if (isRefused) {
      this.#ctx.log.debug('ignored a change of a message by a user who did not send it', { ...endpoint.key, messageId })
      return undefined
    }
    const kind = deleted ? 'message-delete' : 'message-edit'
    return {
      ...omitUndefined({ channel, operator }),
      // The same where the platform delivers a change again.
      id: timestamp === undefined ? randomUUID() : noticeId(kind, channel.id, messageId, timestamp),
      kind,
      timestamp: at,
      payload: omitUndefined({ messageId, content: segments, text }),
    }
  }

  async react(endpoint: Endpoint, given: InboundReaction): Promise<void> {
    const { messageId, channel, sender, emoji, added } = given
    if (emoji === '' || emoji.length > MAX_EMOJI) return
    const reaction = { ...given, timestamp: given.timestamp ?? this.#ctx.clock.now() }
    const { isStored, changed } = await this.#change(endpoint, { messageId, channel }, ({ reactions = [] }) => {
      const next = withReaction(reactions, { emoji, sender: personOf(sender) }, added)
      return next && { reactions: next }
    })
    // It was reported before.
    if (isStored && !changed) return
    if (this.#ctx.hasListeners(publish)) this.#ctx.emit(publish, reactionEvent(endpoint.key, reaction))
    this.#ctx.emit(reactionReceive, { ...endpoint.key, ...reaction })
  }

  /** Stores a reaction of the bot itself. */
  async reacted(
    endpoint: Endpoint,
    message: Pick<InboundChange, 'messageId' | 'channel'>,
    emoji: string,
    isOn: boolean,
  ): Promise<void> {
    const { id = endpoint.id, name } = endpoint.self
    const sender = personOf(name === undefined ? { id } : { id, name })
    await this.#change(endpoint, message, ({ reactions = [] }) => {
      const next = withReaction(reactions, { emoji, sender }, isOn)
      return next && { reactions: next }
    })
  }

  async #change(
    { key }: Endpoint,
    message: Pick<InboundChange, 'messageId' | 'channel'>,
    decide: (row: MessageRow) => MessageChange | undefined,
  ): Promise<{ readonly isStored: boolean; readonly changed?: MessageRow }> {
    const eventOf = (row: MessageRow) => messageChangedEvent(key, row)
    return this.#store
      .require()
      .changeMessage({ ...key, ...message }, decide, this.#ctx.hasListeners(publish) ? eventOf : undefined)
  }
}

/** Only the sender changes a message, unless the platform vouches for the change. */
function mayChange(endpoint: Endpoint, row: MessageRow, { operator, vouched }: InboundChange): boolean {
  if (!operator || vouched) return true
  return operator.id === (row.direction === 'in' ? row.sender.id : endpoint.self.id)
}

/** Returns the reactions after one was added or taken away, or `undefined` where nothing changes. */
function withReaction(
  reactions: readonly Reaction[],
  reaction: Reaction,
  added: boolean,
): readonly Reaction[] | undefined {
  const rest = reactions.filter(({ emoji, sender }) => emoji !== reaction.emoji || sender.id !== reaction.sender.id)
  const wasThere = rest.length < reactions.length
  if (wasThere === added) return undefined
  return added ? [...rest, reaction].slice(-MAX_REACTIONS) : rest
}

const personOf = ({ id, name }: InboundReaction['sender']): Reaction['sender'] =>
  name === undefined ? { id } : { id, name }

const noticeId = (kind: string, ...parts: readonly (string | number)[]): string =>
  `${kind}-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}`
