import type { EndpointChange, MessageRow, NoticeRow, RequestRow, Segment } from '@mynah/contract/types'
import {
  RECOVERY_AGE_MS,
  type EndpointKey,
  type InboundRecord,
  type InboxPage,
  type InboxQuery,
  type KnownSend,
  type MessageStore,
  type OutboundRecord,
  type SendOutcome,
  type TranscriptQuery,
  type Unread,
} from '@mynah/plugin-chat/api'
import { newId, step, type Database, type Entity, type Reads, type Where } from '@mynah/plugin-database/api'
import type { Publication } from '@mynah/plugin-events/api'
import { totalOf, unreadOf } from './counts.js'
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
import { Changes, Messages, Notices, Requests, type MessageState, type StoredMessage } from './tables.js'

/** As in the declaration of the index of open rows: SQLite uses a partial index only for the same condition. */
const OPEN = "adapter = $1 AND endpoint = $2 AND state IN ('received', 'handling', 'intent', 'sending')"
const TABLES = { messages: 'message', requests: 'request', notices: 'notice' } as const
const CHANGES = 100
/** How many changes beyond the last hundred are stored before they are deleted. */
const SLACK = 100

/** Most ids in one statement. */
const READ_BATCH = 500

const RECEIVED = { state: 'received' } as const

type OpenState = 'received' | 'handling' | 'intent' | 'sending'

/** Returns the rows with these ids in ascending order, as long as they match. Reads any number of them in batches. */
async function rowsOf(
  db: Reads,
  ascending: readonly { readonly id: string }[],
  where: Where<StoredMessage> = {},
): Promise<StoredMessage[]> {
  const rows: StoredMessage[] = []
  for (let start = 0; start < ascending.length; start += READ_BATCH) {
    const ids = ascending.slice(start, start + READ_BATCH).map(({ id }) => id)
    const batch = await db.find(Messages, { where: { ...where, id: { $in: ids } }, order: { id: 'asc' } })
    rows.push(...batch)
  }
  return rows
}

/** Requests and notices are queried by endpoint only. */
const anywhere = ({ channel: _channel, parent: _parent, ...query }: InboxQuery): InboxQuery => query

/** The message store in a database: each message is handled once, and the outcome of each send survives a restart. */
export class DatabaseMessageStore implements MessageStore {
  readonly durable = true
  readonly #database: Database
  readonly #now: () => number
  /** Rows in progress. Other open rows were left behind by a stop. */
  readonly #live = new Set<string>()
  #changes = 0

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  newId(): string {
    return newId()
  }

  async accept(message: InboundRecord, event?: Publication): Promise<{ readonly id: string; readonly fresh: boolean }> {
    const [added] = await this.#database.appendNew(Messages, [fromInbound(message)], [event])
    if (added) return { id: message.id, fresh: true }
    const { adapter, endpoint, messageId } = message
    const known = await this.#database.read((db) => db.findOne(Messages, { adapter, endpoint, inbound_id: messageId }))
    return { id: known?.id ?? message.id, fresh: false }
  }

  async startHandling(id: string): Promise<boolean> {
    const wasLive = this.#live.has(id)
    this.#live.add(id)
    const [changed = false] = await this.#database.change(Messages, [{ id, state: 'handling' }], undefined, RECEIVED)
    if (!changed && !wasLive) this.#live.delete(id)
    return changed
  }

  async finishHandling(id: string): Promise<void> {
    await this.#change({ id, state: 'handled' })
    this.#live.delete(id)
  }

  async #change(row: Partial<StoredMessage> & { readonly id: string }, event?: Publication): Promise<void> {
    await this.#database.change(Messages, [row], [event])
  }

  async listReceived(key: EndpointKey, limit: number): Promise<readonly InboundRecord[]> {
    return (await this.#open(key, ['received'], limit)).map(toInbound)
  }

  async recoverInbound(key: EndpointKey): Promise<void> {
    const left = await this.#open(key, ['received', 'handling'])
    const oldest = this.#now() - RECOVERY_AGE_MS
    const lost = left.filter(
      ({ id, state, timestamp }) => !this.#live.has(id) && (state === 'handling' || timestamp <= oldest),
    )
    await this.#settle(lost, 'interrupted', 'the host stopped before this message was handled')
  }

  async addIntent(message: OutboundRecord, handled?: string): Promise<KnownSend | undefined> {
    const row = fromOutbound(message)
    this.#live.add(row.id)
    const ending = handled === undefined ? [] : [step.change(Messages, [{ id: handled, state: 'handled' }])]
    try {
      const [added] = await this.#database.write([
        message.key === undefined ? step.append(Messages, [row]) : step.appendNew(Messages, [row]),
        ...ending,
      ])
      if (handled !== undefined) this.#live.delete(handled)
      if (message.key === undefined || added?.[0]) return undefined
    } catch (error) {
      this.#live.delete(row.id)
      throw error
    }
    this.#live.delete(row.id)
    const { adapter, endpoint, key } = message
    const known = await this.#database.read((db) => db.findOne(Messages, { adapter, endpoint, send_key: key ?? null }))
    return known && toKnown(known)
  }

  startSending(id: string): Promise<void> {
    return this.#change({ id, state: 'sending' })
  }

  async requeue(id: string): Promise<void> {
    await this.#change({ id, state: 'intent' })
    this.#live.delete(id)
  }

  updateDraft(id: string, messageId: string, segments: readonly Segment[], text: string): Promise<void> {
    return this.#change({ id, message_id: messageId, segments, text })
  }

  reopen(id: string): Promise<void> {
    this.#live.add(id)
    return this.#change({ id, state: 'sending', error: null })
  }

  async finishSending(id: string, outcome: SendOutcome, event?: Publication): Promise<void> {
    await this.#change(
      outcome.state === 'sent'
        ? { id, state: 'sent', message_id: outcome.messageId }
        : { id, state: outcome.state, error: outcome.error },
      event,
    )
    this.#live.delete(id)
  }

  async recoverOutbound(key: EndpointKey): Promise<readonly OutboundRecord[]> {
    const left = (await this.#open(key, ['intent', 'sending'])).filter(({ id }) => !this.#live.has(id))
    const intents = left.filter(({ state }) => state === 'intent')
    const oldest = this.#now() - RECOVERY_AGE_MS
    const fresh = intents.filter(({ timestamp }) => timestamp > oldest)
    for (const { id } of fresh) this.#live.add(id)
    await this.#settle(
      left.filter(({ state }) => state === 'sending'),
      'unknown',
      'the host stopped while this message was being sent',
    )
    await this.#settle(
      intents.filter(({ timestamp }) => timestamp <= oldest),
      'failed',
      `it could not be sent within ${RECOVERY_AGE_MS / 60_000} minutes: the host or its endpoint was unavailable`,
    )
    return fresh.map(toOutbound)
  }

  /** Returns the open rows of an endpoint in one of the states, oldest first. */
  async #open(
    { adapter, endpoint }: EndpointKey,
    states: readonly OpenState[],
    limit?: number,
  ): Promise<StoredMessage[]> {
    const inStates = `state IN (${states.map((state) => `'${state}'`).join(', ')})`
    const atMost = limit === undefined ? '' : ` LIMIT ${limit}`
    return this.#database.read(async (db) => {
      const found = await db.query<{ id: string }>(
        `SELECT id FROM message WHERE ${OPEN} AND ${inStates} ORDER BY id${atMost}`,
        [adapter, endpoint],
      )
      // By state again: a row may have changed since the first statement.
      return rowsOf(db, found, { state: { $in: states } })
    })
  }

  async #settle(rows: readonly StoredMessage[], state: MessageState, error: string): Promise<void> {
    if (rows.length)
      await this.#database.change(
        Messages,
        rows.map(({ id }) => ({ id, state, error })),
      )
  }

  async findInbound(id: string): Promise<InboundRecord | undefined> {
    const row = await this.#database.read((db) => db.findOne(Messages, { id, direction: 'in' }))
    return row && toInbound(row)
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
    and('parent_id = ?', channel.parent?.id)
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
        `UPDATE ${TABLES[kind]} SET read = 1 WHERE adapter = $1 AND endpoint = $2 AND read = 0 AND id IN (${wanted})`,
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
