// Where requests are kept: in the database, or in memory where there is none.
import type { Database } from '@mynah/plugin-database/api'
import { Requests, type Approval } from './approval.js'

type Status = Approval['status']

export interface ApprovalStore {
  add(approval: Approval): Promise<void>
  get(id: string): Promise<Approval | undefined>
  /** Requests that are pending or approved, oldest first. */
  live(): Promise<readonly Approval[]>
  /** Changes a request that is still in the status `from`; says whether it was. */
  change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean>
  /** Forgets requests made before a time. */
  prune(before: number): Promise<void>
}

const LIVE: readonly Status[] = ['pending', 'approved']

export class DatabaseApprovals implements ApprovalStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(approval: Approval): Promise<void> {
    return this.#database.append(Requests, [approval])
  }

  get(id: string): Promise<Approval | undefined> {
    return this.#database.read((db) => db.findOne(Requests, { id }))
  }

  live(): Promise<readonly Approval[]> {
    return this.#database.read((db) => db.find(Requests, { where: { status: { $in: LIVE } }, order: { createdAt: 'asc', id: 'asc' } }))
  }

  async change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    return (await this.#database.tx((db) => db.update(Requests, { id, status: from }, changes))) > 0
  }

  async prune(before: number): Promise<void> {
    await this.#database.tx((db) => db.delete(Requests, { createdAt: { $lt: before } }))
  }
}

/** Requests that the memory holds; the oldest that are over go first. */
const MAX_HELD = 1000

export class MemoryApprovals implements ApprovalStore {
  readonly #rows = new Map<string, Approval>()

  async add(approval: Approval): Promise<void> {
    this.#rows.set(approval.id, approval)
    if (this.#rows.size <= MAX_HELD) return
    const over = Array.from(this.#rows.values()).find(({ status }) => !LIVE.includes(status))
    if (over) this.#rows.delete(over.id)
  }

  async get(id: string): Promise<Approval | undefined> {
    return this.#rows.get(id)
  }

  async live(): Promise<readonly Approval[]> {
    return Array.from(this.#rows.values()).filter(({ status }) => LIVE.includes(status))
  }

  async change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    const row = this.#rows.get(id)
    if (row?.status !== from) return false
    this.#rows.set(id, { ...row, ...changes })
    return true
  }

  async prune(before: number): Promise<void> {
    for (const [id, { createdAt }] of this.#rows) if (createdAt < before) this.#rows.delete(id)
  }
}
