// Where requests are kept: in the database, in a file where there is none, in memory where there is no folder either.
import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ApprovalKind, ExecPart } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { messageOf, type Logger } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
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
  /** The last requests, newest first; with `before`, those older than that one. */
  list(limit: number, before?: string): Promise<readonly Approval[]>
  /** Forgets requests made before a time. */
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

/** Requests that the memory holds, and the characters of their commands, since a file is written whole; the oldest that are over go first. */
const MAX_HELD = 1000
const MAX_CHARACTERS = 256 * 1024

export class MemoryApprovalStore implements ApprovalStore {
  #rows: ReadonlyMap<string, Approval>
  readonly #save: (rows: readonly Approval[]) => Promise<void>

  /** @param save keeps all rows before a change counts as made */
  constructor(rows: readonly Approval[] = [], save: (rows: readonly Approval[]) => Promise<void> = async () => {}) {
    this.#rows = new Map(rows.map((row) => [row.id, row]))
    this.#save = save
  }

  add(approval: Approval): Promise<void> {
    const rows = new Map(this.#rows).set(approval.id, approval)
    let characters = 0
    for (const { command } of rows.values()) characters += command.length
    for (const { id, command, status } of rows.values()) {
      if (rows.size <= MAX_HELD && characters <= MAX_CHARACTERS) break
      if (LIVE.includes(status)) continue
      rows.delete(id)
      characters -= command.length
    }
    return this.#keep(rows)
  }

  async get(id: string): Promise<Approval | undefined> {
    return this.#rows.get(id)
  }

  async live(): Promise<readonly Approval[]> {
    return [...this.#rows.values()].filter(({ status }) => LIVE.includes(status))
  }

  async change(id: string, from: Status, changes: Partial<Approval>): Promise<boolean> {
    const row = this.#rows.get(id)
    if (row?.status !== from) return false
    await this.#keep(new Map(this.#rows).set(id, { ...row, ...changes }))
    return true
  }

  async list(limit: number, before?: string): Promise<readonly Approval[]> {
    const newest = [...this.#rows.values()].reverse()
    const from = before === undefined ? 0 : newest.findIndex(({ id }) => id === before) + 1
    return newest.slice(from, from + limit)
  }

  async prune(before: number): Promise<void> {
    const rows = new Map([...this.#rows].filter(([, { createdAt }]) => createdAt >= before))
    if (rows.size < this.#rows.size) await this.#keep(rows)
  }

  async #keep(rows: ReadonlyMap<string, Approval>): Promise<void> {
    await this.#save([...rows.values()])
    this.#rows = rows
  }
}

/** Requests in a file of their own, replaced as a whole with each change; one that cannot be read is kept aside. */
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
        `the requests in ${basename(path)} cannot be read (${messageOf(error)}); they are kept as ${basename(aside)}`,
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
