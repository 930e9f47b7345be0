import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ApprovalKind, ExecPart, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { messageOf, type Logger } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { SerialQueue } from '@mynah/kernel/util'
import type { Database } from '@mynah/database-api'
import { Requests, type Approval } from './approval.js'

type Status = Approval['status']

export interface ApprovalStore {
  add(approval: Approval): Promise<void>
  get(id: string): Promise<Approval | undefined>
  /** Returns the pending and approved requests, oldest first. */
  live(): Promise<readonly Approval[]>
  /** Changes a request that is still in the status `from`. Returns whether it was. */
  change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean>
  /** Returns the last requests, newest first, or those older than the request `before`. */
  list(limit: number, before?: string): Promise<readonly Approval[]>
  /** Deletes requests made before a time. */
  prune(before: number): Promise<void>
}

const LIVE: readonly Status[] = ['pending', 'approved']

export class DatabaseApprovalStore implements ApprovalStore {
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
    return this.#database.read((db) =>
      db.find(Requests, { where: { status: { $in: LIVE } }, order: { createdAt: 'asc', id: 'asc' } }),
    )
  }

  async change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    return (await this.#database.tx((db) => db.update(Requests, { id, status: from }, changes))) > 0
  }

  list(limit: number, before?: string): Promise<readonly Approval[]> {
    return this.#database.read(async (db) => {
      const older = before === undefined ? undefined : await db.findOne(Requests, { id: before })
      return db.find(Requests, {
        ...(older ? { where: { createdAt: { $lt: older.createdAt } } } : {}),
        order: { createdAt: 'desc', id: 'desc' },
        limit,
      })
    })
  }

  async prune(before: number): Promise<void> {
    await this.#database.tx((db) => db.delete(Requests, { createdAt: { $lt: before } }))
  }
}

/** The store of a host with a database that may be unavailable for some time, or with another store. */
export class HostApprovalStore implements ApprovalStore {
  readonly #database: { readonly current: Database | undefined }
  readonly #other: ApprovalStore | undefined

  /** @param other keeps requests where no database is declared */
  constructor(database: { readonly current: Database | undefined }, other: ApprovalStore | undefined) {
    this.#database = database
    this.#other = other
  }

  async add(approval: Approval): Promise<void> {
    await this.#current().add(approval)
  }

  async get(id: string): Promise<Approval | undefined> {
    return this.#current().get(id)
  }

  async live(): Promise<readonly Approval[]> {
    return this.#current().live()
  }

  async change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    return this.#current().change(id, from, changes)
  }

  async list(limit: number, before?: string): Promise<readonly Approval[]> {
    return this.#current().list(limit, before)
  }

  async prune(before: number): Promise<void> {
    await this.#current().prune(before)
  }

  #current(): ApprovalStore {
    if (this.#database.current) return new DatabaseApprovalStore(this.#database.current)
    if (!this.#other) throw new WireError('not_ready', 'The database with the requests is not ready')
    return this.#other
  }
}

/**
 * The most requests in memory, and the most characters of their commands, since a file is written as a whole.
 * The oldest ended requests are dropped first.
 */
const MAX_HELD = 1000
const MAX_CHARACTERS = 256 * 1024

export class MemoryApprovalStore implements ApprovalStore {
  #rows: ReadonlyMap<string, Approval>
  /** Runs one change after the other, so that none is lost while another is saved. */
  readonly #queue = new SerialQueue()
  readonly #save: (rows: readonly Approval[]) => Promise<void>

  /** @param save keeps all rows before a change counts as made */
  constructor(rows: readonly Approval[] = [], save: (rows: readonly Approval[]) => Promise<void> = async () => {}) {
    this.#rows = new Map(rows.map((row) => [row.id, row]))
    this.#save = save
  }

  add(approval: Approval): Promise<void> {
    return this.#queue.run(() => this.#add(approval))
  }

  async get(id: string): Promise<Approval | undefined> {
    return this.#rows.get(id)
  }

  async live(): Promise<readonly Approval[]> {
    return [...this.#rows.values()].filter(({ status }) => LIVE.includes(status))
  }

  change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    return this.#queue.run(async () => {
      const row = this.#rows.get(id)
      if (row?.status !== from) return false
      await this.#keep(new Map(this.#rows).set(id, { ...row, ...changes }))
      return true
    })
  }

  async list(limit: number, before?: string): Promise<readonly Approval[]> {
    const newest = [...this.#rows.values()].reverse()
    const from = before === undefined ? 0 : newest.findIndex(({ id }) => id === before) + 1
    return newest.slice(from, from + limit)
  }

  prune(before: number): Promise<void> {
    return this.#queue.run(async () => {
      const rows = new Map([...this.#rows].filter(([, { createdAt }]) => createdAt >= before))
      if (rows.size < this.#rows.size) await this.#keep(rows)
    })
  }

  async #add(approval: Approval): Promise<void> {
    const rows = new Map(this.#rows).set(approval.id, approval)
    let characters = 0
    for (const { command } of rows.values()) characters += command.length
    for (const { id, command, status } of rows.values()) {
      if (rows.size <= MAX_HELD && characters <= MAX_CHARACTERS) break
      if (LIVE.includes(status)) continue
      rows.delete(id)
      characters -= command.length
    }
    await this.#keep(rows)
  }

  async #keep(rows: ReadonlyMap<string, Approval>): Promise<void> {
    await this.#save([...rows.values()])
    this.#rows = rows
  }
}

/** Opens a file of requests, which is replaced as a whole with each change. An unreadable file is renamed. */
export async function openApprovalFile(path: string, log: Logger, now: number): Promise<ApprovalStore> {
  let rows: readonly Approval[] = []
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const mistake = mistakesIn(RequestFile, value)[0]
    if (mistake) throw new Error(`${mistake.path || 'the file'} ${mistake.message}`)
    rows = (value as { requests: readonly Approval[] }).requests
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      const aside = `${path}.unreadable-${now}`
      await rename(path, aside)
      log.error(
        `failed to read the requests in ${basename(path)}, which is renamed to ${basename(aside)}: ${messageOf(error)}`,
      )
    }
  }
  return new MemoryApprovalStore(rows, async (kept) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFileAtomically(path, `${JSON.stringify({ version: 1, requests: kept })}\n`, { mode: 0o600, exact: true })
  })
}

const Nullable = Type.Union([Type.String(), Type.Null()])
const RequestFile = Type.Object({
  version: Type.Literal(1),
  requests: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: ApprovalKind,
      title: Type.String(),
      command: Type.String(),
      adapter: Nullable,
      endpointId: Nullable,
      channel: Nullable,
      userId: Nullable,
      subagent: Type.Boolean(),
      folder: Type.Optional(Nullable),
      place: Type.Optional(Nullable),
      adds: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
      reason: Type.String(),
      suggestion: Nullable,
      parts: Type.Union([Type.Array(ExecPart), Type.Null()]),
      status: Type.Enum(['pending', 'approved', 'denied', 'expired', 'used', 'withdrawn']),
      answeredBy: Nullable,
      createdAt: Type.Number(),
      expiresAt: Type.Number(),
    }),
  ),
})
