import { readdir, readFile, readlink } from 'node:fs/promises'

/** Ticks of the clock in which Linux counts the age of a process, on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100
/** Programs that adopt the processes whose parent has ended, as the first process does. */
const ADOPTS = /^(?:systemd|init|tini|dumb-init|docker-init|catatonit|s6-svscan)$/

interface Row {
  readonly parent: number
  readonly name: string
  readonly hasTerminal: boolean
  /** Seconds after the start of the machine. */
  readonly startedAt: number
}

/** The processes of this machine, as they were at one moment. */
export class ProcessTable {
  readonly #rows: ReadonlyMap<number, Row>

  private constructor(rows: ReadonlyMap<number, Row>) {
    this.#rows = rows
  }

  static async read(): Promise<ProcessTable> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const rows = await Promise.all(pids.map(async (pid) => [pid, await rowOf(pid)] as const))
    return new ProcessTable(new Map(rows.flatMap(([pid, row]) => (row ? [[pid, row] as const] : []))))
  }

  get pids(): readonly number[] {
    return [...this.#rows.keys()]
  }

  /** Whether a process was started by this one, or by a process that this one started. */
  descends(pid: number): boolean {
    return this.#ancestors(pid).includes(process.pid)
  }

  /**
   * When the eldest living ancestor of an orphan was started, in seconds after the start of the machine: of a process
   * whose own parent has ended. Undefined for any other process.
   */
  orphanedSince(pid: number): number | undefined {
    const line = [pid, ...this.#ancestors(pid)]
    const eldest = line.find((one) => this.#isAdopted(one))
    return eldest === undefined ? undefined : this.#rows.get(eldest)?.startedAt
  }

  /** Any ancestor of this process may adopt. One that opens terminals, such as tmux, also starts processes itself. */
  #isAdopted(pid: number): boolean {
    const { parent = 0, hasTerminal = false } = this.#rows.get(pid) ?? {}
    if (parent === 1 || ADOPTS.test(this.#rows.get(parent)?.name ?? '')) return true
    return !hasTerminal && parent > 0 && this.#ancestors(process.pid).includes(parent)
  }

  #ancestors(pid: number): readonly number[] {
    const line: number[] = []
    for (let at = this.#rows.get(pid)?.parent; at !== undefined && at > 0 && !line.includes(at);) {
      line.push(at)
      at = this.#rows.get(at)?.parent
    }
    return line
  }
}

/** Reads one process. Undefined for one that has ended. */
async function rowOf(pid: number): Promise<Row | undefined> {
  const stat = await readText(`/proc/${pid}/stat`)
  const end = stat.lastIndexOf(')')
  if (end < 0) return undefined
  // The name is in parentheses and may hold others. Behind it: state, parent, group, session, terminal, and as
  // the twentieth the start.
  const fields = stat.slice(end + 2).split(' ')
  return {
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    hasTerminal: fields[4] !== '0',
    startedAt: Number(fields[19]) / TICKS_PER_SECOND,
  }
}

/** Returns whether a variable is in the environment that a process was started with. */
export async function hasVariable(pid: number, name: string): Promise<boolean> {
  return `\0${await readText(`/proc/${pid}/environ`)}`.includes(`\0${name}=`)
}

/** Returns those of some sockets that a process holds. */
export async function socketsOf(pid: number, inodes: ReadonlySet<string>): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')),
  )
  return links
    .map((link) => (link.startsWith('socket:[') ? link.slice('socket:['.length, -1) : ''))
    .filter((inode) => inodes.has(inode))
}

/** A file of a process. Empty for a process that has ended or is another user's. */
const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
