import { omitUndefined, RingBuffer } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { MessageRow, Reaction } from '@mynah/contract/types'
import { separateParent } from '../api/message.js'
import type { TranscriptQuery } from '../api/points.js'
import {
  RECOVERY_AGE_MS,
  canBeSettled,
  isAt,
  resendKey,
  type InboundRecord,
  type InboxQuery,
  type KnownSend,
  type MessagePlace,
  type OutboundRecord,
  type RecoveredSends,
  type SendProgress,
} from '../api/store.js'
import { findNewest, newestFirst } from '../util/newest-first.js'
import { GenerationalMap } from './generational-map.js'

/** How many messages, requests and notices of one endpoint are stored, each. */
export const MAX_STORED = 1_000
/** How many ids are remembered at least, to recognise messages that are delivered again. */
const REMEMBERED = 10_000
/** How many messages of one endpoint may wait to be handled. */
const MAX_WAITING = 10_000

export interface StoredMessage {
  readonly id: string
  readonly out: boolean
  record: InboundRecord | OutboundRecord
  messageId: string
  read: boolean
  state: MessageRow['state']
  error: string | undefined
  editedAt?: number
  deletedAt?: number
  reactions?: readonly Reaction[]
}

export function toMessageRow(message: StoredMessage): MessageRow {
  const { record, out, error, editedAt, deletedAt, reactions } = message
  const sender = out ? { id: record.endpoint, name: record.endpoint } : (record as InboundRecord).sender
  const { answers } = record as OutboundRecord
  return {
    id: message.id,
    messageId: message.messageId,
    sender: { id: sender.id, name: sender.name ?? sender.id },
    channel: record.channel,
    content: record.segments as MessageRow['content'],
    text: record.text,
    direction: out ? 'out' : 'in',
    state: message.state,
    ...(error === undefined ? {} : { error }),
    ...(out && answers !== undefined ? { answers } : {}),
    read: message.read,
    timestamp: record.timestamp,
    ...(editedAt === undefined ? {} : { editedAt }),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(reactions === undefined ? {} : { reactions: [...reactions] }),
  }
}

/** Returns the record of an outbound row, with the id of the message that shows a part of it. */
export function outboundOf({ record, messageId }: StoredMessage): OutboundRecord {
  return messageId === '' ? (record as OutboundRecord) : { ...(record as OutboundRecord), messageId }
}

function knownSend({ id, state, messageId, error, record }: StoredMessage): KnownSend {
  const { timestamp, notBefore, unclearSince, sentParts } = record as OutboundRecord
  const text = state === 'draft' ? record.text : undefined
  return { id, state, messageId, timestamp, ...omitUndefined({ error, text, notBefore, unclearSince, sentParts }) }
}

/** Messages of one endpoint in memory: the newest ones, and those whose work is in progress. */
export class MemoryMessages {
  readonly all = new RingBuffer<StoredMessage>(MAX_STORED)
  readonly #accepted = new GenerationalMap<string>(REMEMBERED)
  readonly #keys = new GenerationalMap<StoredMessage>(REMEMBERED)
  #received = 0
  /** Intents that wait for their endpoint, oldest first. */
  readonly #requeued = new Set<StoredMessage>()

  /** @returns the new row, or the id of the row of an earlier delivery */
  accept(record: InboundRecord): { readonly message: StoredMessage } | { readonly known: string } {
    const known = this.#accepted.get(record.messageId)
    if (known !== undefined) return { known }
    if (this.#received >= MAX_WAITING)
      throw new WireError('not_ready', `${MAX_WAITING} messages of "${record.endpoint}" wait to be handled`)
    const message: StoredMessage = {
      id: record.id,
      out: false,
      record,
      messageId: record.messageId,
      read: false,
      state: record.onlyStored ? 'handled' : 'received',
      error: undefined,
    }
    this.#accepted.set(record.messageId, record.id)
    if (!record.onlyStored) this.#received++
    this.all.push(message)
    return { message }
  }

  startHandling(message: StoredMessage): boolean {
    if (message.state !== 'received') return false
    message.state = 'handling'
    this.#received--
    return true
  }

  /** Adds an outbound row, unless another one has its key. */
  add(
    record: OutboundRecord,
    state: 'draft' | 'intent',
  ): { readonly message: StoredMessage } | { readonly known: KnownSend } {
    const known = record.key === undefined ? undefined : this.#keys.get(record.key)
    if (known) return { known: knownSend(known) }
    const message: StoredMessage = {
      id: record.id,
      out: true,
      record,
      messageId: '',
      read: true,
      state,
      error: undefined,
    }
    if (record.key !== undefined) this.#keys.set(record.key, message)
    this.all.push(message)
    return { message }
  }

  /** Makes a message wait that the platform has not taken, or not been asked to take. */
  requeue(message: StoredMessage, notBefore: number | undefined, progress: SendProgress | undefined): void {
    if (message.state !== 'sending' && message.state !== 'intent') return
    message.state = 'intent'
    const { unclearSince, ...record } = message.record as OutboundRecord
    if (notBefore !== undefined || progress || unclearSince !== undefined)
      message.record = { ...record, ...omitUndefined({ notBefore, ...progress }) }
    this.#requeued.add(message)
  }

  /** Returns the messages that may be sent now. The caller ends those that waited too long. */
  recoverOutbound(
    now: number,
    settlesForMs: number,
  ): Omit<RecoveredSends, 'ended'> & { readonly old: readonly StoredMessage[] } {
    const intents: OutboundRecord[] = []
    const old: StoredMessage[] = []
    let nextAt = Infinity
    for (const message of this.#requeued) {
      const { timestamp, notBefore = 0, unclearSince } = message.record as OutboundRecord
      if (message.state === 'intent' && notBefore > now) {
        nextAt = Math.min(nextAt, notBefore)
        continue
      }
      this.#requeued.delete(message)
      // Another call sends it, or has sent it.
      if (message.state !== 'intent') continue
      const isTooOld =
        unclearSince === undefined
          ? Math.max(timestamp, notBefore) <= now - RECOVERY_AGE_MS
          : !canBeSettled(unclearSince, settlesForMs, now)
      if (isTooOld) old.push(message)
      else intents.push(outboundOf(message))
    }
    return { intents, old, ...(nextAt === Infinity ? {} : { nextAt }) }
  }

  /** Whether an outbound message was not sent, nor sent again. */
  isUnsent({ out, state, id }: StoredMessage): boolean {
    return out && (state === 'failed' || state === 'unknown') && this.#keys.get(resendKey(id)) === undefined
  }

  matches({ record }: StoredMessage, { channel, parent }: Pick<InboxQuery, 'channel' | 'parent'>): boolean {
    return (
      (!channel || (record.channel.type === channel.type && record.channel.id === channel.id)) &&
      (!parent || (record.channel.parent?.type === parent.type && record.channel.parent.id === parent.id))
    )
  }

  /** Returns the newest row of a message with that id in its chat. */
  findAt(place: MessagePlace): StoredMessage | undefined {
    return findNewest(this.all, ({ messageId, record }) => messageId === place.messageId && isAt(record, place))
  }

  transcript({ channel, after, before, since, text, limit }: TranscriptQuery): MessageRow[] {
    const found: MessageRow[] = []
    const wanted = text?.toLowerCase()
    for (const message of newestFirst(this.all)) {
      if (found.length === limit || (after !== undefined && message.id <= after)) break
      if (before !== undefined && message.id >= before) continue
      if (since !== undefined && message.record.timestamp < since) continue
      const parent = separateParent(channel)
      if (!this.matches(message, { channel, ...(parent ? { parent } : {}) })) continue
      if (wanted !== undefined && !message.record.text.toLowerCase().includes(wanted)) continue
      found.push(toMessageRow(message))
    }
    return found.reverse()
  }
}
