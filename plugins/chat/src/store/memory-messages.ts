import { RingBuffer } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { MessageRow } from '@mynah/contract/types'
import type { TranscriptQuery } from '../api/points.js'
import {
  RECOVERY_AGE_MS,
  type InboundRecord,
  type InboxQuery,
  type KnownSend,
  type OutboundRecord,
} from '../api/store.js'
import { newestFirst } from '../util/newest-first.js'
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
}

export function toMessageRow(message: StoredMessage): MessageRow {
  const { record, out, error } = message
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
  }
}

/** Messages of one endpoint in memory: the newest ones, and those whose work is in progress. */
export class MemoryMessages {
  readonly all = new RingBuffer<StoredMessage>(MAX_STORED)
  readonly #accepted = new GenerationalMap<string>(REMEMBERED)
  readonly #keys = new GenerationalMap<StoredMessage>(REMEMBERED)
  #received = 0
  /** Intents that wait for their endpoint, oldest first. */
  readonly #requeued = new Set<StoredMessage>()

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
      state: 'received',
      error: undefined,
    }
    this.#accepted.set(record.messageId, record.id)
    this.#received++
    this.all.push(message)
    return { message }
  }

  startHandling(message: StoredMessage): boolean {
    if (message.state !== 'received') return false
    message.state = 'handling'
    this.#received--
    return true
  }

  addIntent(record: OutboundRecord): { readonly message: StoredMessage } | { readonly known: KnownSend } {
    const known = record.key === undefined ? undefined : this.#keys.get(record.key)
    if (known)
      return {
        known: {
          id: known.id,
          state: known.state,
          messageId: known.messageId,
          timestamp: known.record.timestamp,
          ...(known.error === undefined ? {} : { error: known.error }),
        },
      }
    const message: StoredMessage = {
      id: record.id,
      out: true,
      record,
      messageId: '',
      read: true,
      state: 'intent',
      error: undefined,
    }
    if (record.key !== undefined) this.#keys.set(record.key, message)
    this.all.push(message)
    return { message }
  }

  requeue(message: StoredMessage): void {
    message.state = 'intent'
    this.#requeued.add(message)
  }

  /** Returns the intents that wait for their endpoint, and lets those fail that waited too long. */
  recoverOutbound(now: number): OutboundRecord[] {
    const taken: OutboundRecord[] = []
    for (const message of this.#requeued) {
      this.#requeued.delete(message)
      if (message.record.timestamp > now - RECOVERY_AGE_MS) taken.push(message.record as OutboundRecord)
      else {
        message.state = 'failed'
        message.error = 'the endpoint was offline too long'
      }
    }
    return taken
  }

  matches({ record }: StoredMessage, { channel, parent }: Pick<InboxQuery, 'channel' | 'parent'>): boolean {
    return (
      (!channel || (record.channel.type === channel.type && record.channel.id === channel.id)) &&
      (!parent || (record.channel.parent?.type === parent.type && record.channel.parent.id === parent.id))
    )
  }

  transcript({ channel, after, before, since, text, limit }: TranscriptQuery): MessageRow[] {
    const found: MessageRow[] = []
    const wanted = text?.toLowerCase()
    for (const message of newestFirst(this.all)) {
      if (found.length === limit || (after !== undefined && message.id <= after)) break
      if (before !== undefined && message.id >= before) continue
      if (since !== undefined && message.record.timestamp < since) continue
      const { parent } = channel
      if (!this.matches(message, { channel, ...(parent ? { parent } : {}) })) continue
      if (wanted !== undefined && !message.record.text.toLowerCase().includes(wanted)) continue
      found.push(toMessageRow(message))
    }
    return found.reverse()
  }
}
