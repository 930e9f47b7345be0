import type { EndpointChange, MessageRow, NoticeRow, RequestRow, Segment } from '@mynah/contract/types'
import {
  separateParent,
  type Cursors,
  type EndpointKey,
  type InboundRecord,
  type InboundRecoveryPolicy,
  type InboxPage,
  type InboxQuery,
  type KnownSend,
  type MessageChange,
  type MessagePlace,
  type MessageStore,
  type OutboundRecord,
  type RecoveredSends,
  type SendOutcome,
  type SendProgress,
  type TranscriptQuery,
  type Unread,
} from '@mynah/plugin-chat/api'
import { newId, step, type Database, type Entity, type Step, type Where } from '@mynah/plugin-database/api'
import type { Publication } from '@mynah/plugin-events/api'
import { totalOf, unreadOf } from './counts.js'
import { cursorSteps } from './cursors.js'
import { LeftBehind } from './left-behind.js'
import { changeMessage } from './message-changes.js'
import { FROM, openRows, rowsOf } from './open-rows.js'
import { pageOf, pageWhere, type Paged } from './page.js'
import {
  fromInbound,
  fromNotice,
  fromOutbound,
  fromRequest,
  toInbound,
  toKnown,
  toMessageRow,
  toNoticeRow,
  toOutbound,
  toRequestRow,
} from './rows.js'
import { RowsInProgress } from './rows-in-progress.js'
import { Changes, Messages, Notices, Requests, StoredCursors, type StoredMessage } from './tables.js'
import { unsentPage } from './unsent.js'

const KINDS = { messages: 'message', requests: 'request', notices: 'notice' } as const
const CHANGES = 100
/** How many changes beyond the last hundred are stored before they are deleted. */
const SLACK = 100

/** Requests and notices are queried by endpoint only. */
const anywhere = ({ channel: _channel, parent: _parent, ...query }: InboxQuery): InboxQuery => query

const keyOf = ({ id, adapter, endpoint, key }: OutboundRecord): Where<StoredMessage> =>
  key === undefined ? { id } : { adapter, endpoint, send_key: key }

/** The message store in a database: each message is handled once, and the outcome of each send survives a restart. */
export class DatabaseMessageStore implements MessageStore {
  readonly durable = true
  readonly #database: Database
  readonly #live = new RowsInProgress()
  readonly #leftBehind: LeftBehind
  #changes = 0

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#leftBehind = new LeftBehind(database, now, this.#live)
  }

  newId(): string {
    return newId()
  }

  async accept(
    message: InboundRecord,
    event?: Publication,
    cursors?: Cursors,
  ): Promise<{ readonly id: string; readonly fresh: boolean; readonly waits?: boolean }> {
    const row = fromInbound(message)
    const [added] = cursors
      ? ((
          await this.#database.write([step.appendNew(Messages, [row], [event]), ...cursorSteps(message, cursors)])
        )[0] ?? [])
      : await this.#database.appendNew(Messages, [row], [event])
    if (added) return { id: message.id, fresh: true }
    const { adapter, endpoint, messageId } = message
    const known = await this.#database.read((db) => db.findOne(Messages, { adapter, endpoint, inbound_id: messageId }))
    return { id: known?.id ?? message.id, fresh: false, waits: known?.state === 'received' }
  }

  startHandling(id: string): Promise<boolean> {
    return this.#begin({ id, state: 'handling' }, FROM.received)
  }

  async returnToReceived(id: string): Promise<void> {
    await this.#change({ id, state: 'received' }, FROM.handling)
    this.#live.delete(id)
  }

  async finishHandling(id: string): Promise<void> {
    await this.#change({ id, state: 'handled' }, FROM.unhandled)
    this.#live.delete(id)
  }

  async #change(
    row: Partial<StoredMessage> & { readonly id: string },
    when: Where<StoredMessage>,
    event?: Publication,
  ): Promise<boolean> {
    const [changed = false] = await this.#database.change(Messages, [row], event && [event], when)
    return changed
  }

  /** As {@link DatabaseMessageStore.#change}; the row is in progress from here on if this call changed it. */
  async #begin(row: Partial<StoredMessage> & { readonly id: string }, when: Where<StoredMessage>): Promise<boolean> {
    const wasLive = this.#live.has(row.id)
    this.#live.add(row.id)
    try {
      const changed = await this.#change(row, when)
      if (!changed && !wasLive) this.#live.delete(row.id)
      return changed
    } catch (error) {
      if (!wasLive) this.#live.delete(row.id)
      throw error
    }
  }

  async listReceived(key: EndpointKey, limit: number): Promise<readonly InboundRecord[]> {
    const rows = await this.#database.read((db) => openRows(db, key, ['received'], limit))
    return rows.map(toInbound)
  }

  recoverInbound(key: EndpointKey, policy: InboundRecoveryPolicy): Promise<readonly InboundRecord[]> {
    return this.#leftBehind.recoverInbound(key, policy)
  }

  recoverOutbound(
    key: EndpointKey,
    eventOf: (message: OutboundRecord, outcome: SendOutcome) => Publication | undefined,
    settlesForMs?: number,
  ): Promise<RecoveredSends> {
    return this.#leftBehind.recoverOutbound(key, eventOf, settlesForMs)
  }

  addIntent(message: OutboundRecord, handled?: string): Promise<KnownSend | undefined> {
    return this.#add(message, 'intent', handled)
  }

  addDraft(message: OutboundRecord): Promise<KnownSend | undefined> {
    return this.#add(message, 'draft', undefined)
  }

  async #add(
    message: OutboundRecord,
    state: 'draft' | 'intent',
    handled: string | undefined,
  ): Promise<KnownSend | undefined> {
    const row = fromOutbound(message, state)
    this.#live.add(row.id)
    const steps: Step[] = [step.appendNew(Messages, [row])]
    if (handled !== undefined)
      steps.push(step.change(Messages, [{ id: handled, state: 'handled' }], undefined, FROM.unhandled))
    try {
      const [added] = await this.#database.write(steps)
      if (handled !== undefined) this.#live.delete(handled)
      if (added?.[0]) return undefined
      const known = await this.#database.read((db) => db.findOne(Messages, keyOf(message)))
      // A call whose answer was lost has added the row.
      if (!known || known.id === row.id) return undefined
      this.#live.delete(row.id)
      // The caller continues the draft.
      if (known.state === 'draft') this.#live.add(known.id)
      return toKnown(known)
    } catch (error) {
      this.#live.delete(row.id)
      throw error
    }
  }

  async updateDraft(
    id: string,
    messageId: string,
    segments: readonly Segment[],
    text: string,
    sentParts?: readonly string[],
  ): Promise<void> {
    const shown = { id, message_id: messageId, segments, text }
    await this.#change(sentParts ? { ...shown, sent_parts: sentParts } : shown, FROM.shown)
  }

  completeDraft({ id, messageId = '', segments, text, timestamp }: OutboundRecord): Promise<boolean> {
    return this.#begin({ id, state: 'intent', message_id: messageId, segments, text, timestamp }, FROM.draft)
  }

  startSending(id: string, since?: number): Promise<boolean> {
    return this.#begin({ id, state: 'sending', sending_since: since ?? null }, FROM.intent)
  }

  async requeue(id: string, notBefore?: number, { unclearSince, sentParts }: SendProgress = {}): Promise<void> {
    const changes: Partial<StoredMessage> & { readonly id: string } = {
      id,
      state: 'intent',
      sending_since: unclearSince ?? null,
      ...(notBefore === undefined ? {} : { not_before: notBefore }),
      ...(sentParts === undefined ? {} : { sent_parts: sentParts }),
    }
    await this.#change(changes, FROM.queued)
    this.#live.delete(id)
  }

  async withdraw(id: string, error: string, event?: Publication): Promise<boolean> {
    const changed = await this.#change({ id, state: 'failed', error }, FROM.unattempted, event)
    if (changed) this.#live.delete(id)
    return changed
  }

  async finishSending(id: string, outcome: SendOutcome, event?: Publication): Promise<void> {
    await this.#change(
      outcome.state === 'sent'
        ? { id, state: 'sent', message_id: outcome.messageId }
        : { id, state: outcome.state, error: outcome.error },
      FROM.unsent,
      event,
    )
    this.#live.delete(id)
  }

  async findInbound(id: string): Promise<InboundRecord | undefined> {
    const row = await this.#database.read((db) => db.findOne(Messages, { id, direction: 'in' }))
    return row && toInbound(row)
  }

  async findOutbound(
    id: string,
  ): Promise<{ readonly record: OutboundRecord; readonly state: MessageRow['state'] } | undefined> {
    const row = await this.#database.read((db) => db.findOne(Messages, { id, direction: 'out' }))
    return row && { record: toOutbound(row), state: row.state }
  }

  unsent(query: InboxQuery): Promise<InboxPage<MessageRow>> {
    return this.#database.read((db) => unsentPage(db, query))
  }

  transcript({
    adapter,
    endpoint,
    channel,
    after,
    before,
    since,
    text,
    limit,
  }: TranscriptQuery): Promise<readonly MessageRow[]> {
    const parameters: (string | number)[] = [adapter, endpoint, channel.type, channel.id]
    const conditions = ['adapter = $1', 'endpoint = $2', 'channel_type = $3', 'channel_id = $4']
    const and = (condition: string, value: string | number | undefined): void => {
      if (value !== undefined) conditions.push(condition.replace('?', `$${parameters.push(value)}`))
    }
    and('parent_id = ?', separateParent(channel)?.id)
    and('id > ?', after)
    and('id < ?', before)
    and('timestamp >= ?', since)
    and(
      this.#database.dialect === 'sqlite' ? 'instr(lower(text), ?) > 0' : 'strpos(lower(text), ?) > 0',
      text?.toLowerCase(),
    )
    return this.#database.read(async (db) => {
      const found = await db.query<{ id: string }>(
        `SELECT id FROM message WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${limit}`,
        parameters,
      )
      // The newest come first.
      return (await rowsOf(db, found.reverse())).map(toMessageRow)
    })
  }

  messages(query: InboxQuery): Promise<InboxPage<MessageRow>> {
    return this.#page('messages', Messages, query, false, toMessageRow)
  }

  changeMessage(
    place: MessagePlace,
    decide: (row: MessageRow) => MessageChange | undefined,
    eventOf?: (row: MessageRow) => Publication,
  ): Promise<{ readonly isStored: boolean; readonly changed?: MessageRow }> {
    return changeMessage(this.#database, place, decide, eventOf)
  }

  async cursor({ adapter, endpoint }: EndpointKey, name: string): Promise<string | undefined> {
    return (await this.#database.read((db) => db.findOne(StoredCursors, { adapter, endpoint, name })))?.value
  }

  async setCursors(key: EndpointKey, cursors: Cursors): Promise<void> {
    await this.#database.write(cursorSteps(key, cursors))
  }

  async addRequest(
    key: EndpointKey,
    request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>,
    event?: (row: RequestRow) => Publication,
  ): Promise<{ readonly row: RequestRow; readonly fresh: boolean }> {
    const stored = fromRequest(newId(), key, request)
    const row = toRequestRow(stored)
    if ((await this.#database.appendNew(Requests, [stored], [event?.(row)]))[0]) return { row, fresh: true }
    return { row: (await this.findRequest(key, request.requestId)) ?? row, fresh: false }
  }

  requests(query: InboxQuery & { readonly pendingOnly?: boolean }): Promise<InboxPage<RequestRow>> {
    return this.#page('requests', Requests, anywhere(query), query.pendingOnly === true, toRequestRow)
  }

  async findRequest({ adapter, endpoint }: EndpointKey, requestId: string): Promise<RequestRow | undefined> {
    const row = await this.#database.read((db) => db.findOne(Requests, { adapter, endpoint, request_id: requestId }))
    return row && toRequestRow(row)
  }

  async answerRequest(
    { adapter, endpoint }: EndpointKey,
    requestId: string,
    status: 'approved' | 'rejected' | 'expired',
  ): Promise<void> {
    await this.#database.tx((db) =>
      db.update(Requests, { adapter, endpoint, request_id: requestId }, { status, read: 1 }),
    )
  }

  async addNotice(
    key: EndpointKey,
    notice: Omit<NoticeRow, 'id' | 'read'>,
    event?: (row: NoticeRow) => Publication,
  ): Promise<{ readonly row: NoticeRow; readonly fresh: boolean }> {
    const stored = fromNotice(newId(), key, notice)
    const row = toNoticeRow(stored)
    if ((await this.#database.appendNew(Notices, [stored], [event?.(row)]))[0]) return { row, fresh: true }
    const { adapter, endpoint } = key
    const known = await this.#database.read((db) =>
      db.findOne(Notices, { adapter, endpoint, notice_id: notice.noticeId }),
    )
    return { row: known ? toNoticeRow(known) : row, fresh: false }
  }

  notices(query: InboxQuery): Promise<InboxPage<NoticeRow>> {
    return this.#page('notices', Notices, anywhere(query), false, toNoticeRow)
  }

  async consume({ adapter, endpoint }: EndpointKey, kind: keyof Unread, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const wanted = ids.map((_, index) => `$${index + 3}`).join(', ')
    return this.#database.tx((db) =>
      db.run(
        `UPDATE ${KINDS[kind]} SET read = 1 WHERE adapter = $1 AND endpoint = $2 AND read = 0 AND id IN (${wanted})`,
        [adapter, endpoint, ...ids],
      ),
    )
  }

  unread(key: EndpointKey): Promise<Unread> {
    return this.#database.read((db) => unreadOf(db, key))
  }

  async addChange({ adapter, endpoint }: EndpointKey, { at, status, reason }: EndpointChange): Promise<void> {
    await this.#database.append(Changes, [{ id: newId(), adapter, endpoint, at, status, reason: reason ?? null }])
    if (++this.#changes % SLACK !== 0) return
    await this.#database.tx((db) =>
      db.run(
        `DELETE FROM endpoint_change WHERE adapter = $1 AND endpoint = $2 AND id <
      (SELECT min(id) FROM (SELECT id FROM endpoint_change WHERE adapter = $1 AND endpoint = $2 ORDER BY id DESC LIMIT ${CHANGES}) AS kept)`,
        [adapter, endpoint],
      ),
    )
  }

  async changes({ adapter, endpoint }: EndpointKey): Promise<readonly EndpointChange[]> {
    const rows = await this.#database.read((db) =>
      db.find(Changes, { where: { adapter, endpoint }, order: { id: 'desc' }, limit: CHANGES }),
    )
    return rows.map(({ at, status, reason }) => ({ at, status, ...(reason === null ? {} : { reason }) }))
  }

  /** Returns a page, newest first. Reads one row more to know whether there are older ones. */
  #page<T extends Paged, R>(
    kind: keyof Unread,
    table: Entity<T>,
    query: InboxQuery,
    pending: boolean,
    toRow: (row: T) => R,
  ): Promise<InboxPage<R>> {
    return this.#database.read(async (db) => {
      const total = await (pending ? db.count(table, pageWhere(query, pending) as Where<T>) : totalOf(db, kind, query))
      const rows = await pageOf(db, table, query, pending)
      const shown = rows.slice(0, query.limit)
      const last = shown.at(-1)
      return { rows: shown.map(toRow), total, ...(rows.length > query.limit && last ? { nextBefore: last.id } : {}) }
    })
  }
}
