import { RingBuffer } from '@mynah/kernel/util'
import type { EndpointChange, MessageRow, NoticeRow, RequestRow, Segment } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import type { Cursors } from '../api/inbound.js'
import type { TranscriptQuery } from '../api/points.js'
import type {
  EndpointKey,
  InboundRecord,
  InboxPage,
  InboxQuery,
  KnownSend,
  MessageChange,
  MessagePlace,
  MessageStore,
  OutboundRecord,
  RecoveredSends,
  SendOutcome,
  SendProgress,
  Unread,
} from '../api/store.js'
import { EndpointMap } from '../util/endpoint-map.js'
import { findNewest, newestFirst } from '../util/newest-first.js'
import { MAX_STORED, MemoryMessages, outboundOf, toMessageRow, type StoredMessage } from './memory-messages.js'

const CHANGES = 100

/** Everything that is stored of one endpoint. */
class EndpointRecords {
  readonly messages = new MemoryMessages()
  readonly requests = new RingBuffer<RequestRow>(MAX_STORED)
  readonly notices = new RingBuffer<NoticeRow>(MAX_STORED)
  readonly changes = new RingBuffer<EndpointChange>(CHANGES)
  readonly cursors = new Map<string, string>()
}

function page<T extends { readonly id: string; readonly read: boolean }, R>(
  items: RingBuffer<T>,
  query: InboxQuery,
  matches: (item: T) => boolean,
  row: (item: T) => R,
): InboxPage<R> {
  const rows: R[] = []
  let total = 0
  let last: string | undefined
  let more = false
  for (const item of newestFirst(items)) {
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

/** The message store of a host without a database. Bounded, and empty after a restart. */
export class MemoryMessageStore implements MessageStore {
  readonly durable = false
  readonly #records = new EndpointMap<EndpointRecords>()
  /** Messages whose handling or sending is in progress, by row. */
  readonly #open = new Map<string, StoredMessage>()
  readonly #publish: (event: Publication) => void
  readonly #now: () => number
  #next = 0

  constructor(publish: (event: Publication) => void = () => {}, now: () => number = Date.now) {
    this.#publish = publish
    this.#now = now
  }

  /** Returns ids of the same width, so that they sort as they grow. */
  newId(): string {
    return (++this.#next).toString().padStart(12, '0')
  }

  #recordsOf(key: EndpointKey): EndpointRecords {
    return this.#records.getOrCreate(key, () => new EndpointRecords())
  }

  accept(
    record: InboundRecord,
    event?: Publication,
    cursors?: Cursors,
  ): { id: string; fresh: boolean; waits?: boolean } {
    const accepted = this.#recordsOf(record).messages.accept(record)
    if (cursors) this.setCursors(record, cursors)
    if ('known' in accepted)
      return { id: accepted.known, fresh: false, waits: this.#open.get(accepted.known)?.state === 'received' }
    if (!record.onlyStored) this.#open.set(record.id, accepted.message)
    if (event) this.#publish(event)
    return { id: record.id, fresh: true }
  }

  startHandling(id: string): boolean {
    const message = this.#open.get(id)
    return message !== undefined && this.#recordsOf(message.record).messages.startHandling(message)
  }

  /** Nothing to do: a mark in memory is never refused. */
  returnToReceived(): void {}

  finishHandling(id: string): void {
    const message = this.#open.get(id)
    if (!message || message.out) return
    if (message.state === 'received') this.#recordsOf(message.record).messages.startHandling(message)
    message.state = 'handled'
    this.#open.delete(id)
  }

  listReceived(key: EndpointKey, limit: number): readonly InboundRecord[] {
    const found: InboundRecord[] = []
    // In the order of arrival, of all endpoints. Only called where more messages come than may be handled at the
    // same time.
    for (const { state, record } of this.#open.values()) {
      if (state !== 'received' || record.endpoint !== key.endpoint || record.adapter !== key.adapter) continue
      if (found.push(record as InboundRecord) === limit) break
    }
    return found
  }

  /** Nothing to do: no message of an earlier process is in memory. */
  recoverInbound(): readonly InboundRecord[] {
    return []
  }

  recoverOutbound(
    key: EndpointKey,
    eventOf: (message: OutboundRecord, outcome: SendOutcome) => Publication | undefined,
    settlesForMs = 0,
  ): RecoveredSends {
    const { old, ...rest } = this.#recordsOf(key).messages.recoverOutbound(this.#now(), settlesForMs)
    const ended = old.map((message) => {
      const record = outboundOf(message)
      const mayHaveArrived = record.unclearSince !== undefined || record.sentParts !== undefined
      const state = mayHaveArrived ? ('unknown' as const) : ('failed' as const)
      const outcome = { state, error: 'the endpoint was offline too long' }
      this.finishSending(message.id, outcome, eventOf(record, outcome))
      return { record, state: outcome.state }
    })
    return { ...rest, ended }
  }

  addIntent(record: OutboundRecord, handled?: string): KnownSend | undefined {
    if (handled !== undefined) this.finishHandling(handled)
    return this.#add(record, 'intent')
  }

  addDraft(record: OutboundRecord): KnownSend | undefined {
    return this.#add(record, 'draft')
  }

  #add(record: OutboundRecord, state: 'draft' | 'intent'): KnownSend | undefined {
    const added = this.#recordsOf(record).messages.add(record, state)
    if ('known' in added) return added.known
    this.#open.set(record.id, added.message)
    return undefined
  }

  updateDraft(
    id: string,
    messageId: string,
    segments: readonly Segment[],
    text: string,
    sentParts?: readonly string[],
  ): void {
    const message = this.#open.get(id)
    if (message?.state !== 'draft' && message?.state !== 'sending') return
    message.messageId = messageId
    message.record = { ...message.record, segments, text, ...(sentParts && { sentParts }) }
  }

  completeDraft({ id, messageId = '', segments, text, timestamp }: OutboundRecord): boolean {
    const message = this.#open.get(id)
    if (message?.state !== 'draft') return false
    message.state = 'intent'
    message.messageId = messageId
    message.record = { ...message.record, segments, text, timestamp }
    return true
  }

  startSending(id: string): boolean {
    const message = this.#open.get(id)
    if (message?.state !== 'intent') return false
    message.state = 'sending'
    return true
  }

  requeue(id: string, notBefore?: number, progress?: SendProgress): void {
    const message = this.#open.get(id)
    if (message) this.#recordsOf(message.record).messages.requeue(message, notBefore, progress)
  }

  withdraw(id: string, error: string, event?: Publication): boolean {
    const message = this.#open.get(id)
    if (message?.state !== 'intent' || message.messageId !== '') return false
    const { unclearSince, sentParts } = message.record as OutboundRecord
    if (unclearSince !== undefined || sentParts !== undefined) return false
    this.finishSending(id, { state: 'failed', error }, event)
    return true
  }

  finishSending(id: string, outcome: SendOutcome, event?: Publication): void {
    const message = this.#open.get(id)
    if (!message?.out) return
    this.#open.delete(id)
    message.state = outcome.state
    if (outcome.state === 'sent') message.messageId = outcome.messageId
    else message.error = outcome.error
    if (event) this.#publish(event)
  }

  findInbound(id: string): InboundRecord | undefined {
    const found = this.#find(id)
    return found && !found.out ? (found.record as InboundRecord) : undefined
  }

  findOutbound(id: string): { record: OutboundRecord; state: MessageRow['state'] } | undefined {
    const found = this.#find(id)
    return found?.out ? { record: outboundOf(found), state: found.state } : undefined
  }

  #find(id: string): StoredMessage | undefined {
    const open = this.#open.get(id)
    if (open) return open
    for (const { messages } of this.#records.values()) {
      const found = findNewest(messages.all, (message) => message.id === id)
      if (found) return found
    }
    return undefined
  }

  unsent(query: InboxQuery): InboxPage<MessageRow> {
    const { messages } = this.#recordsOf(query)
    return page(messages.all, query, (message) => messages.isUnsent(message), toMessageRow)
  }

  changeMessage(
    place: MessagePlace,
    decide: (row: MessageRow) => MessageChange | undefined,
    eventOf?: (row: MessageRow) => Publication,
  ): { isStored: boolean; changed?: MessageRow } {
    const message = this.#recordsOf(place).messages.findAt(place)
    if (!message) return { isStored: false }
    const change = decide(toMessageRow(message))
    if (!change) return { isStored: true }
    const { segments = message.record.segments, text = message.record.text, ...marks } = change
    message.record = { ...message.record, segments, text }
    Object.assign(message, marks)
    const changed = toMessageRow(message)
    if (eventOf) this.#publish(eventOf(changed))
    return { isStored: true, changed }
  }

  cursor(key: EndpointKey, name: string): string | undefined {
    return this.#recordsOf(key).cursors.get(name)
  }

  setCursors(key: EndpointKey, cursors: Cursors): void {
    const { cursors: stored } = this.#recordsOf(key)
    for (const [name, value] of Object.entries(cursors)) stored.set(name, value)
  }

  transcript(query: TranscriptQuery): readonly MessageRow[] {
    return this.#recordsOf(query).messages.transcript(query)
  }

  messages(query: InboxQuery): InboxPage<MessageRow> {
    const { messages } = this.#recordsOf(query)
    return page(messages.all, query, (message) => messages.matches(message, query), toMessageRow)
  }

  addRequest(
    key: EndpointKey,
    request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>,
    event?: (row: RequestRow) => Publication,
  ): { row: RequestRow; fresh: boolean } {
    const { requests } = this.#recordsOf(key)
    const known = findNewest(requests, (other) => other.requestId === request.requestId)
    if (known) return { row: known, fresh: false }
    const row: RequestRow = { ...request, id: this.newId(), status: 'pending', canAct: true, read: false }
    requests.push(row)
    if (event) this.#publish(event({ ...row }))
    return { row, fresh: true }
  }

  requests(query: InboxQuery & { pendingOnly?: boolean }): InboxPage<RequestRow> {
    return page(
      this.#recordsOf(query).requests,
      query,
      (row) => !query.pendingOnly || row.status === 'pending',
      (row) => ({ ...row }),
    )
  }

  findRequest(key: EndpointKey, requestId: string): RequestRow | undefined {
    return findNewest(this.#recordsOf(key).requests, (row) => row.requestId === requestId)
  }

  answerRequest(key: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): void {
    const row = this.findRequest(key, requestId)
    if (!row) return
    row.status = status
    row.canAct = false
    row.read = true
  }

  addNotice(
    key: EndpointKey,
    notice: Omit<NoticeRow, 'id' | 'read'>,
    event?: (row: NoticeRow) => Publication,
  ): { row: NoticeRow; fresh: boolean } {
    const { notices } = this.#recordsOf(key)
    const known = findNewest(notices, (other) => other.noticeId === notice.noticeId)
    if (known) return { row: known, fresh: false }
    const row: NoticeRow = { ...notice, id: this.newId(), read: false }
    notices.push(row)
    if (event) this.#publish(event({ ...row }))
    return { row, fresh: true }
  }

  notices(query: InboxQuery): InboxPage<NoticeRow> {
    return page(
      this.#recordsOf(query).notices,
      query,
      () => true,
      (row) => ({ ...row }),
    )
  }

  consume(key: EndpointKey, kind: keyof Unread, ids: readonly string[]): number {
    const wanted = new Set(ids)
    let consumed = 0
    const records = this.#recordsOf(key)
    const items: Iterable<{ readonly id: string; read: boolean }> =
      kind === 'messages' ? records.messages.all : records[kind]
    for (const item of items) {
      if (item.read || !wanted.has(item.id)) continue
      item.read = true
      consumed++
    }
    return consumed
  }

  unread(key: EndpointKey): Unread {
    const { messages, requests, notices } = this.#recordsOf(key)
    const unreadIn = (items: Iterable<{ readonly read: boolean }>): number => {
      let count = 0
      for (const { read } of items) if (!read) count++
      return count
    }
    return {
      messages: unreadIn(messages.all),
      requests: unreadIn(requests),
      notices: unreadIn(notices),
    }
  }

  addChange(key: EndpointKey, change: EndpointChange): void {
    this.#recordsOf(key).changes.push(change)
  }

  changes(key: EndpointKey): readonly EndpointChange[] {
    return [...newestFirst(this.#recordsOf(key).changes)]
  }
}
