import { readFile } from 'node:fs/promises'
import { hasVariable, ProcessTable, socketsOf } from './processes.js'

/** A connection of this machine with itself, as its other end sees it. */
export interface Connection {
  readonly port: number
  readonly to: number
}

/**
 * The process at the other end of a connection: `foreign` for one that this host did not start, `descendant` for one
 * that it did, `unidentified` for one of the user of this host that cannot be distinguished from those.
 */
export type Sender =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'descendant'; readonly pid: number }
  | { readonly kind: 'unidentified'; readonly because: string }

const FOREIGN: Sender = { kind: 'foreign' }
/** Its connection is closed, or its descriptors cannot be read. */
const GONE: Sender = { kind: 'unidentified', because: 'a process that is gone or hides' }

/** The commands that this host runs, as far as their processes may outlive them. */
export interface CommandRuns {
  /** The variable in the environment of their processes. */
  readonly mark: string
  /** Returns whether a command runs, or ran when a process was started, in seconds after the start of the machine. */
  covers(startedAt: number): boolean
}

interface Socket {
  readonly inode: string
  readonly uid: number
}

interface Look {
  readonly wanted: Connection[]
  readonly senders: Promise<readonly Sender[]>
}

/** Finds the processes at the other end of connections. One scan of sockets and processes runs at a time. */
export class SocketOwners {
  readonly #runs: () => CommandRuns | undefined
  #next: Look | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(runs: () => CommandRuns | undefined) {
    this.#runs = runs
  }

  /** @throws Error where the system does not show its sockets or processes */
  async of(connection: Connection): Promise<Sender> {
    // A look that has begun may have passed over what has just come.
    const look = (this.#next ??= this.#prepare())
    const place = look.wanted.push(connection) - 1
    return (await look.senders)[place] ?? GONE
  }

  #prepare(): Look {
    const wanted: Connection[] = []
    const senders = this.#last.then(() => {
      this.#next = undefined
      return this.#sendersOf(wanted)
    })
    this.#last = senders.catch(() => undefined)
    return { wanted, senders }
  }

  async #sendersOf(wanted: readonly Connection[]): Promise<readonly Sender[]> {
    const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(tableOf))
    const found = wanted.map((connection) => tables.flatMap((table) => socketsIn(table, connection)))
    // Processes that this host starts have its user. Only root can look into the processes of other users.
    const user = process.getuid?.()
    const isOwn = ({ uid }: Socket): boolean => uid === user || user === 0
    const holders = await this.#holdersOf(new Set(found.flat().flatMap((one) => (isOwn(one) ? [one.inode] : []))))
    return found.map((sockets) => {
      const senders = sockets.map((one) => (isOwn(one) ? (holders.get(one.inode) ?? GONE) : FOREIGN))
      return senders.find(({ kind }) => kind !== 'foreign') ?? senders[0] ?? GONE
    })
  }

  /** Returns the holder of each socket. One that this host started or that is not identified goes before any other. */
  async #holdersOf(inodes: ReadonlySet<string>): Promise<ReadonlyMap<string, Sender>> {
    const holders = new Map<string, Sender>()
    if (inodes.size === 0) return holders
    const processes = await ProcessTable.read()
    for (const pid of processes.pids) {
      const held = await socketsOf(pid, inodes)
      if (held.length === 0) continue
      const sender = await this.#senderOf(pid, processes)
      for (const inode of held) if (sender.kind !== 'foreign' || !holders.has(inode)) holders.set(inode, sender)
    }
    return holders
  }

  async #senderOf(pid: number, processes: ProcessTable): Promise<Sender> {
    if (pid === process.pid) return FOREIGN
    if (processes.descends(pid)) return { kind: 'descendant', pid }
    const runs = this.#runs()
    if (runs === undefined) return FOREIGN
    if (await hasVariable(pid, runs.mark)) return { kind: 'descendant', pid }
    const since = processes.orphanedSince(pid)
    return since !== undefined && runs.covers(since)
      ? { kind: 'unidentified', because: `process ${pid}, which may come from a command of this host` }
      : FOREIGN
  }
}

/** Returns the open sockets of a connection's other end, by its ports: a decoy with the same ones counts as well. */
function socketsIn(table: string, { port, to }: Connection): readonly Socket[] {
  const hex = (value: number): string => `:${value.toString(16).toUpperCase().padStart(4, '0')}`
  const [local, remote] = [hex(port), hex(to)]
  const sockets: Socket[] = []
  // Found by its port: taking a table of thousands of lines to pieces would hold up everybody.
  for (let at = table.indexOf(`${local} `); at >= 0; at = table.indexOf(`${local} `, at + 1)) {
    const fields = table
      .slice(table.lastIndexOf('\n', at) + 1, table.indexOf('\n', at))
      .trim()
      .split(/\s+/)
    const [, from = '', target = '', , , , , uid, , inode = '0'] = fields
    if (from.endsWith(local) && target.endsWith(remote) && inode !== '0') sockets.push({ inode, uid: Number(uid) })
  }
  return sockets
}

/** A table of sockets. A machine without the newer protocol has none of it. */
async function tableOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
