// The message store over the database: what was accepted is handled once, what was sent is known, whatever happens between.
import type { MessageRow, NoticeRow, RequestRow } from '@mynah/contract/types'
import type { EndpointKey, InboundRecord, InboxPage, InboxQuery, MessageStore, OutboundRecord, SendOutcome, Unread } from '@mynah/plugin-chat/api'
import type { Database, Entity, Where } from '@mynah/plugin-database/api'
import { fromInbound, fromNotice, fromOutbound, fromRequest, toInbound, toMessageRow, toNoticeRow, toOutbound, toRequestRow } from './rows.js'
import { Messages, Notices, Requests, type MessageState, type StoredMessage } from './tables.js'
import { Transitions } from './transitions.js'

/** What a stop left behind is taken up again up to this age. */
const RECOVER_MS = 5 * 60_000
const TABLES = { messages: 'message', requests: 'request', notices: 'notice' } as const

interface Paged { readonly id: string; readonly adapter: string; readonly endpoint: string; readonly read: number }

export class DurableStore implements MessageStore {
  readonly durable = true
  readonly #database: Database
  readonly #now: () => number
  readonly #transitions: Transitions
  /** Rows that this process works on: what a recovery finds beside them was left by a stop. */
  readonly #live = new Set<string>()

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#transitions = new Transitions(database)
  }

  async accept(message: InboundRecord): Promise<{ readonly id: string; readonly fresh: boolean }> {
    const row = fromInbound(message)
    this.#live.add(row.id)
    const added = await this.#database.appendNew(Messages, [row]).catch((error: unknown) => {
      this.#live.delete(row.id)
      throw error
    })
    if (added[0]) return { id: row.id, fresh: true }
    this.#live.delete(row.id)
    const { adapter, endpoint, messageId } = message
    const known = await this.#database.read((db) => db.findOne(Messages, { adapter, endpoint, inbound_id: messageId }))
    return { id: known?.id ?? row.id, fresh: false }
  }

  handling(id: string): Promise<void> {
    return this.#transitions.put({ id, state: 'handling' })
  }

  async handled(id: string): Promise<void> {
    await this.#transitions.put({ id, state: 'handled' })
    this.#live.delete(id)
  }

  async recover(key: EndpointKey): Promise<readonly (InboundRecord & { readonly id: string })[]> {
    const left = await this.#left(key, ['received', 'handling'])
    const fresh = left.filter((row) => row.state === 'received' && row.timestamp > this.#now() - RECOVER_MS)
    for (const row of fresh) this.#live.add(row.id)
    const lost = left.filter((row) => !fresh.includes(row))
    await this.#settle(lost, 'interrupted', 'the host stopped before this message was handled')
    return fresh.map(toInbound)
  }

  async intend(message: OutboundRecord): Promise<string> {
    const row = fromOutbound(message)
    this.#live.add(row.id)
    try {
      await this.#database.append(Messages, [row])
    } catch (error) {
      this.#live.delete(row.id)
      throw error
    }
    return row.id
  }

  sending(id: string): Promise<void> {
    return this.#transitions.put({ id, state: 'sending' })
  }

  async sent(id: string, outcome: SendOutcome): Promise<void> {
    await this.#transitions.put({ id, ...outcome })
    this.#live.delete(id)
  }

  async recoverSends(key: EndpointKey): Promise<readonly (OutboundRecord & { readonly id: string })[]> {
    const left = await this.#left(key, ['intent', 'sending'])
    const intents = left.filter(({ state }) => state === 'intent')
    const fresh = intents.filter((row) => row.timestamp > this.#now() - RECOVER_MS)
    for (const row of fresh) this.#live.add(row.id)
    await this.#settle(left.filter(({ state }) => state === 'sending'), 'unknown', 'the host stopped while this message was being sent')
    await this.#settle(intents.filter((row) => !fresh.includes(row)), 'failed', 'the host stopped before this message was sent')
    return fresh.map(toOutbound)
  }

  async #left({ adapter, endpoint }: EndpointKey, states: readonly MessageState[]): Promise<StoredMessage[]> {
    const rows = await this.#database.read((db) => db.find(Messages, { where: { adapter, endpoint, state: { $in: states } } }))
    return rows.filter(({ id }) => !this.#live.has(id))
  }

  async #settle(rows: readonly StoredMessage[], state: MessageState, error: string): Promise<void> {
    await Promise.all(rows.map(({ id }) => this.#transitions.put({ id, state, error })))
  }

  messages(query: InboxQuery): Promise<InboxPage<MessageRow>> {
    const { channel, parent } = query
    return this.#page(Messages, query, {
      ...(channel ? { channel_type: channel.type, channel_id: channel.id } : {}),
      ...(parent ? { parent_type: parent.type, parent_id: parent.id } : {}),
    }, toMessageRow)
  }

  async addRequest(key: EndpointKey, request: Omit<RequestRow, 'id' | 'status' | 'canAct' | 'read'>): Promise<{ readonly row: RequestRow; readonly fresh: boolean }> {
    const stored = fromRequest(key, request)
    if ((await this.#database.appendNew(Requests, [stored]))[0]) return { row: toRequestRow(stored), fresh: true }
    return { row: await this.request(key, request.requestId) ?? toRequestRow(stored), fresh: false }
  }

  requests(query: InboxQuery & { readonly pendingOnly?: boolean }): Promise<InboxPage<RequestRow>> {
    return this.#page(Requests, query, query.pendingOnly ? { status: 'pending' } : {}, toRequestRow)
  }

  async request({ adapter, endpoint }: EndpointKey, requestId: string): Promise<RequestRow | undefined> {
    const row = await this.#database.read((db) => db.findOne(Requests, { adapter, endpoint, request_id: requestId }))
    return row && toRequestRow(row)
  }

  async answerRequest({ adapter, endpoint }: EndpointKey, requestId: string, status: 'approved' | 'rejected' | 'expired'): Promise<void> {
    await this.#database.tx((db) => db.update(Requests, { adapter, endpoint, request_id: requestId }, { status, read: 1 }))
  }

  async addNotice(key: EndpointKey, notice: Omit<NoticeRow, 'id' | 'read'>): Promise<{ readonly row: NoticeRow; readonly fresh: boolean }> {
    const stored = fromNotice(key, notice)
    if ((await this.#database.appendNew(Notices, [stored]))[0]) return { row: toNoticeRow(stored), fresh: true }
    const { adapter, endpoint } = key
    const known = await this.#database.read((db) => db.findOne(Notices, { adapter, endpoint, notice_id: notice.noticeId }))
    return { row: toNoticeRow(known ?? stored), fresh: false }
  }

  notices(query: InboxQuery): Promise<InboxPage<NoticeRow>> {
    return this.#page(Notices, query, {}, toNoticeRow)
  }

  async consume({ adapter, endpoint }: EndpointKey, kind: keyof Unread, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0
    const wanted = ids.map((_, index) => `$${index + 3}`).join(', ')
    return this.#database.tx((db) => db.run(`UPDATE ${TABLES[kind]} SET read = 1 WHERE adapter = $1 AND endpoint = $2 AND read = 0 AND id IN (${wanted})`, [adapter, endpoint, ...ids]))
  }

  unread({ adapter, endpoint }: EndpointKey): Promise<Unread> {
    return this.#database.read(async (db) => {
      const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE adapter = $1 AND endpoint = $2 AND read = 0) AS ${table}s`
      const [row] = await db.query<Record<keyof Unread, number>>(`SELECT ${Object.values(TABLES).map(count).join(', ')}`, [adapter, endpoint])
      return { messages: Number(row?.messages ?? 0), requests: Number(row?.requests ?? 0), notices: Number(row?.notices ?? 0) }
    })
  }

  /** A page, newest first; one row more is read to know whether there are older ones. */
  #page<T extends Paged, R>(table: Entity<T>, query: InboxQuery, more: Where<T>, toRow: (row: T) => R): Promise<InboxPage<R>> {
    const where = { adapter: query.adapter, endpoint: query.endpoint, ...(query.unreadOnly ? { read: 0 } : {}), ...more } as Where<T>
    return this.#database.read(async (db) => {
      const total = await db.count(table, where)
      const older = query.before === undefined ? where : { ...where, id: { $lt: query.before } } as Where<T>
      const rows = await db.find(table, { where: older, order: { id: 'desc' } as { [K in keyof T]?: 'desc' }, limit: query.limit + 1 })
      const shown = rows.slice(0, query.limit)
      const last = shown.at(-1)
      return { rows: shown.map(toRow), total, ...(rows.length > query.limit && last ? { nextBefore: last.id } : {}) }
    })
  }
}
