import { readdir, readFile, readlink } from 'node:fs/promises'
import { MARK } from './run/leftovers.js'

/** The id of a process that this host started, undefined for another process, or `gone` if the connection is closed. */
export type SocketOwner = number | undefined | 'gone'

/** A connection of this machine with itself, as its other end sees it. */
export interface Connection {
  readonly port: number
  readonly to: number
}

interface Look {
  readonly wanted: Connection[]
  readonly senders: Promise<readonly SocketOwner[]>
}

/** Finds the processes at the other end of connections. One scan of sockets and processes runs at a time. */
export class SocketOwners {
  #next: Look | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Throws where the system does not show its sockets. */
  async of(connection: Connection): Promise<SocketOwner> {
    // A look that has begun may have passed over what has just come.
    const look = (this.#next ??= this.#prepare())
    const place = look.wanted.push(connection) - 1
    return (await look.senders)[place]
  }

  #prepare(): Look {
    const wanted: Connection[] = []
    const senders = this.#last.then(() => {
      this.#next = undefined
      return sendersOf(wanted)
    })
    this.#last = senders.catch(() => undefined)
    return { wanted, senders }
  }
}

async function sendersOf(wanted: readonly Connection[]): Promise<readonly SocketOwner[]> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(tableOf))
  const sockets = wanted.map((connection) => socketIn(tables, connection))
  // Processes that this host starts have its user. Only root can look into the processes of other users.
  const user = process.getuid?.()
  const foreign = (uid: number): boolean => uid !== user && user !== 0
  const holders = await holdersOf(
    new Set(sockets.flatMap((socket) => (socket && !foreign(socket.uid) ? [socket.inode] : []))),
  )
  return sockets.map((socket) => {
    if (!socket) return 'gone'
    if (foreign(socket.uid)) return undefined
    const holder = holders.get(socket.inode) ?? 'gone'
    return holder === 'other' ? undefined : holder
  })
}

/** The open socket of a connection's other end. */
function socketIn(
  tables: readonly string[],
  { port, to }: Connection,
): { readonly inode: string; readonly uid: number } | undefined {
  const hex = (value: number): string => `:${value.toString(16).toUpperCase().padStart(4, '0')}`
  const [local, remote] = [hex(port), hex(to)]
  for (const table of tables) {
    // Found by its port: taking a table of thousands of lines to pieces would hold up everybody.
    for (let at = table.indexOf(`${local} `); at >= 0; at = table.indexOf(`${local} `, at + 1)) {
      const fields = table
        .slice(table.lastIndexOf('\n', at) + 1, table.indexOf('\n', at))
        .trim()
        .split(/\s+/)
      if (
        fields[1]?.endsWith(local) === true &&
        fields[2]?.endsWith(remote) === true &&
        fields[9] !== undefined &&
        fields[9] !== '0'
      )
        return { inode: fields[9], uid: Number(fields[7]) }
    }
  }
  return undefined
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

/**
 * Returns the holder of each socket: a process that this host started or that has the mark of a command, or `other`.
 */
async function holdersOf(inodes: ReadonlySet<string>): Promise<ReadonlyMap<string, number | 'other'>> {
  const holders = new Map<string, number | 'other'>()
  if (inodes.size === 0) return holders
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)))
  const descends = (pid: number): boolean => {
    const seen = new Set<number>()
    for (let at = parents.get(pid); at !== undefined && at > 1 && !seen.has(at); at = parents.get(at)) {
      if (at === process.pid) return true
      seen.add(at)
    }
    return false
  }
  for (const pid of pids) {
    const held = await socketsOf(pid, inodes)
    if (held.length === 0) continue
    const own = pid !== process.pid && (descends(pid) || (await read(`/proc/${pid}/environ`)).includes(`${MARK}=`))
    for (const inode of held) if (own || !holders.has(inode)) holders.set(inode, own ? pid : 'other')
  }
  return holders
}

async function socketsOf(pid: number, inodes: ReadonlySet<string>): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')),
  )
  return links
    .map((link) => (link.startsWith('socket:[') ? link.slice('socket:['.length, -1) : ''))
    .filter((inode) => inodes.has(inode))
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await read(`/proc/${pid}/stat`)
  return stat === '' ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** A file of the process table. Empty for a process that has gone. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
