import { readFile } from 'node:fs/promises'
import { isRecord } from '@mynah/contract'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { SerialQueue } from '@mynah/kernel/util'
import type { Session } from '../database/connect.js'
import { isShared, MAX_BYTES, shaOf, type Disk, type FoundFile } from './disk.js'
import { listFiles, readShared, writeShared, type SharedRow } from './file-tables.js'
import { merged } from './merge.js'

/** How often the disk is looked at, in milliseconds. */
const LOOK_MS = 2_000

/** A file as disk and database last agreed on it. */
interface Agreed {
  readonly rev: number
  readonly sha: string | null
}

interface Parts {
  readonly disk: Disk
  /** File in which the host remembers what disk and database agreed on. */
  readonly memory: string
  readonly clock: Clock
  readonly log: Logger
  /** Runs statements on a connection that is closed afterwards. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Tells the other hosts that files have changed. */
  tell(): void
}

/**
 * Keeps the files that hosts share the same on all of them. The database has the truth; the disk has a copy, which
 * people and plugins may change. Of two changes at the same time the first is kept. Lines that the second has added are
 * added to it; any other loser is set aside, and the log says where.
 */
export class SharedFiles {
  readonly #parts: Parts
  readonly #queue = new SerialQueue()
  #agreed = new Map<string, Agreed>()
  #stamp: string | undefined
  #isLoaded = false
  /** Files that are not shared, and that the log has named. */
  readonly #named = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Starts to look at the disk. Returns how to stop. */
  start(): () => void {
    return this.#parts.clock.setInterval(async () => {
      try {
        if ((await this.#parts.disk.stamp()) !== this.#stamp) await this.reconcile()
      } catch (error) {
        this.#parts.log.debug(`failed to share files: ${messageOf(error)}`)
      }
    }, LOOK_MS)
  }

  /** Makes disk and database the same. */
  reconcile(): Promise<void> {
    return this.#queue.run(() => this.#reconcile())
  }

  async #reconcile(): Promise<void> {
    const { disk, use, tell } = this.#parts
    if (!this.#isLoaded) await this.#load()
    // Before the files are read: one that changes meanwhile is looked at again.
    const stamp = await disk.stamp()
    const before = JSON.stringify([...this.#agreed])
    const hasSent = await use(async (session) => {
      const rows = new Map((await listFiles(session)).map((row) => [row.path, row]))
      const { files: found, leftOut } = await disk.read()
      this.#warnOf(leftOut)
      let sent = false
      for (const path of new Set([...rows.keys(), ...found.keys(), ...this.#agreed.keys()]))
        if (isShared(path) && !leftOut.has(path))
          sent = (await this.#settle(session, path, rows.get(path), found.get(path))) || sent
      return sent
    })
    this.#stamp = stamp
    if (JSON.stringify([...this.#agreed]) !== before) await this.#save()
    if (hasSent) tell()
  }

  #warnOf(leftOut: ReadonlySet<string>): void {
    for (const path of leftOut) {
      if (this.#named.has(path)) continue
      this.#named.add(path)
      this.#parts.log.warn(`${path} is too large or no plain file, so that the other hosts do not get it`)
    }
  }

  /** Makes one file the same. Returns whether the database has changed. */
  async #settle(
    session: Session,
    path: string,
    row: SharedRow | undefined,
    found: FoundFile | undefined,
  ): Promise<boolean> {
    const here = found?.sha ?? null
    if (!row) {
      // Of a file that the database had before, another database may know nothing.
      this.#agreed.delete(path)
      return found ? this.#send(session, path, 0, found) : false
    }
    if (here === row.sha) {
      this.#agreed.set(path, { rev: row.rev, sha: row.sha })
      return false
    }
    const known = this.#agreed.get(path)
    if (known?.rev === row.rev) return this.#send(session, path, row.rev, found)
    if (here !== (known?.sha ?? null)) return this.#merge(session, path, row, found)
    await this.#fetch(session, row)
    return false
  }

  async #send(session: Session, path: string, from: number, file: FoundFile | undefined): Promise<boolean> {
    const { sha = null, bytes = null, isExecutable = false } = file ?? {}
    const rev = await writeShared(session, { path, from, sha, bytes, isExecutable })
    // Another host was first: the next look finds its revision.
    if (rev !== undefined) this.#agreed.set(path, { rev, sha })
    return rev !== undefined
  }

  async #fetch(session: Session, row: SharedRow): Promise<Buffer | undefined> {
    const content = row.sha === null ? undefined : await readShared(session, row)
    // It has changed since: the next look takes that.
    if (row.sha !== null && (!content || shaOf(content.bytes) !== row.sha)) return undefined
    await this.#parts.disk.write(row.path, content?.bytes, content?.isExecutable)
    this.#agreed.set(row.path, { rev: row.rev, sha: row.sha })
    return content?.bytes
  }

  /** Both have changed: takes the file of the database, with the lines that were added here. */
  async #merge(session: Session, path: string, row: SharedRow, mine: FoundFile | undefined): Promise<boolean> {
    const { disk, log } = this.#parts
    const theirs = await this.#fetch(session, row)
    if (!mine) return false
    const both = theirs && merged(mine.bytes, theirs)
    if (!both || both.length > MAX_BYTES) {
      const kept = await disk.setAside(path, mine.bytes, mine.sha)
      log.warn(`another host has changed ${path} too; the file of this host is now ${kept}`)
      return false
    }
    if (shaOf(both) === row.sha) return false
    await disk.write(path, both, mine.isExecutable)
    return this.#send(session, path, row.rev, { ...mine, bytes: both, sha: shaOf(both) })
  }

  async #load(): Promise<void> {
    const text = await readFile(this.#parts.memory, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}'
      throw error
    })
    this.#agreed = new Map(Object.entries(agreedIn(text)))
    this.#isLoaded = true
  }

  async #save(): Promise<void> {
    await writeFileAtomically(this.#parts.memory, JSON.stringify(Object.fromEntries(this.#agreed)), { mode: 0o600 })
  }
}

function agreedIn(text: string): Readonly<Record<string, Agreed>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? (value as Record<string, Agreed>) : {}
  } catch {
    // Without it each difference counts as a change of both, and nothing is lost.
    return {}
  }
}
