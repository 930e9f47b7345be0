// The message store of a host without a database: bounded, and forgotten at the end.
import type { MessageRow, NoticeRow, RequestRow } from '@mynah/contract/types'
import type { EndpointKey, InboundRecord, InboxPage, InboxQuery, MessageStore, OutboundRecord, SendOutcome, Unread } from './api/store.js'
import { Bounded } from './bounded.js'

/** Messages, requests and notices kept of one endpoint, each. */
const KEPT = 1_000
/** Ids remembered at least, to recognise a redelivery. */
const REMEMBERED = 10_000

interface StoredMessage { readonly id: string; readonly out: boolean; record: InboundRecord | OutboundRecord; messageId: string; read: boolean }

/** What is kept of one endpoint. */
class Shelf {
  readonly messages = new Bounded<StoredMessage>(KEPT)
  readonly requests = new Bounded<RequestRow>(KEPT)
  readonly notices = new Bounded<NoticeRow>(KEPT)
  // Two generations instead of one map that forgets its oldest key: deleting from the front of a map is slow.
  #seen = new Map<string, string>()
  #seenBefore = new Map<string, string>()

  /** The row of a message that was accepted before. */
  seen(messageId: string): string | undefined {
    return this.#seen.get(messageId) ?? this.#seenBefore.get(messageId)
  }

  remember(messageId: string, id: string): void {
    this.#seen.set(messageId, id)
    if (this.#seen.size < REMEMBERED) return
    this.#seenBefore = this.#seen
    this.#seen = new Map()
  }
}

function rowOf(message: StoredMessage): MessageRow {
  const { record } = message
  const sender = message.out ? { id: record.endpoint, name: record.endpoint } : (record as InboundRecord).sender
  return {
    id: message.id, messageId: message.messageId, sender: { id: sender.id, name: sender.name ?? sender.id }, channel: record.channel,
    content: record.segments as MessageRow['content'], text: record.text, direction: message.out ? 'out' : 'in', read: message.read, timestamp: record.timestamp,
  }
}

function page<T extends { readonly id: string; readonly read: boolean }, R>(items: Bounded<T>, query: InboxQuery, matches: (item: T) => boolean, row: (item: T) => R): InboxPage<R> {
  const rows: R[] = []
  let total = 0
  let last: string | undefined
  let more = false
  for (const item of items.newestFirst()) {
    if ((query.unreadOnly && item.read) || !matches(item)) continue
    total++
    if (query.before !== undefined && item.id >= query.before) continue
    if (rows.length < query.limit) {
      rows.push(row(item))
      last = item.id
    } else more = true
  }
  return { rows, total, ...(more && last !== undefined ? { nextBefore: last } : {}) }
}

export class MemoryStore implements MessageStore {
  readonly durable = false
  readonly #shelves = new Map<string, Map<string, Shelf>>()
  readonly #onTheWay = new Map<string, StoredMessage>()
  #next = 0

  /** Ids of one width, so that they compare as they grow. */
  #id(): string {
    return (++this.#next).toString().padStart(12, '0')
  }

  #shelf({ adapter, endpoint }: EndpointKey): Shelf {
    let shelves = this.#shelves.get(adapter)
    if (!shelves) this.#shelves.set(adapter, (shelves = new Map()))
    let shelf = shelves.get(endpoint)
    if (!shelf) shelves.set(endpoint, (shelf = new Shelf()))
    return shelf
  }

  accept(record: InboundRecord): { id: string; fresh: boolean } {
    const shelf = this.#shelf(record)
    const seen = shelf.seen(record.messageId)
    if (seen !== undefined) return { id: seen, fresh: false }
    const id = this.#id()
    shelf.remember(record.messageId, id)
    shelf.messages.add({ id, out: false, record, messageId: record.messageId, read: false })
    return { id, fresh: true }
  }

  handling(): void {}
  handled(): void {}
  recover(): readonly never[] { return [] }
  recoverSends(): readonly never[] { return [] }

  intend(record: OutboundRecord): string {
    const id = this.#id()
    const message: StoredMessage = { id, out: true, record, messageId: '', read: true }
    this.#shelf(record).messages.add(message)
    this.#onTheWay.set(id, message)
    return id
  }

  sending(): void {}

  sent(id: string, outcome: SendOutcome): void {
    const message = this.#onTheWay.get(id)
    this.#onTheWay.delete(id)
    if (message && outcome.state === 'sent') message.messageId = outcome.messageId
  }

  messages(query: InboxQuery): InboxPage<MessageRow> {
    const { channel, parent } = query
    return page(this.#shelf(query).messages, query, ({ record }) =>
      (!channel || (record.channel.type === channel.type && record.channel.id === channel.id)) &&
      (!parent || (record.channel.parent?.type === parent.type && record.channel.parent.id === parent.id)), rowOf)
  }

  addRequest(key: EndpointKey, request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>): { row: RequestRow; fresh: boolean } {
    const { requests } = this.#shelf(key)
    const known = requests.find((other) => other.requestId === request.requestId)
    if (known) return { row: known, fresh: false }
    const row: RequestRow = { ...request, id: this.#id(), status: 'pending', canAct: true, read: false }
    requests.add(row)
    return { row, fresh: true }
  }

  requests(query: InboxQuery & { pendingOnly?: boolean }): InboxPage<RequestRow> {
    return page(this.#shelf(query).requests, query, (row) => !query.pendingOnly || row.status === 'pending', (row) => ({ ...row }))
  }

  request(key: EndpointKey, requestId: string): RequestRow | undefined {
    return this.#shelf(key).requests.find((row) => row.requestId === requestId)
  }

  answerRequest(key: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): void {
    const row = this.request(key, requestId)
    if (!row) return
    row.status = status
    row.canAct = false
    row.read = true
  }

  addNotice(key: EndpointKey, notice: Omit<NoticeRow, 'id' | 'read'>): { row: NoticeRow; fresh: boolean } {
    const { notices } = this.#shelf(key)
    const known = notices.find((other) => other.noticeId === notice.noticeId)
    if (known) return { row: known, fresh: false }
    const row: NoticeRow = { ...notice, id: this.#id(), read: false }
    notices.add(row)
    return { row, fresh: true }
  }

  notices(query: InboxQuery): InboxPage<NoticeRow> {
    return page(this.#shelf(query).notices, query, () => true, (row) => ({ ...row }))
  }

  consume(key: EndpointKey, kind: keyof Unread, ids: readonly string[]): number {
    const wanted = new Set(ids)
    let consumed = 0
    const items: Iterable<{ readonly id: string; read: boolean }> = this.#shelf(key)[kind].newestFirst()
    for (const item of items) {
      if (item.read || !wanted.has(item.id)) continue
      item.read = true
      consumed++
    }
    return consumed
  }

  unread(key: EndpointKey): Unread {
    const { messages, requests, notices } = this.#shelf(key)
    const unreadIn = (items: Iterable<{ readonly read: boolean }>): number => {
      let count = 0
      for (const item of items) if (!item.read) count++
      return count
    }
    return { messages: unreadIn(messages.newestFirst()), requests: unreadIn(requests.newestFirst()), notices: unreadIn(notices.newestFirst()) }
  }
}
