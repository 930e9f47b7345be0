// Who stands at the other end of a connection from this machine: a process that this host started is not its owner.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { MARK } from './run/leftovers.js'

const STARTED = 'http.server.request.start'

interface Request {
  readonly socket: Socket
  /** Who sent it, looked up when it came in: where it may change something while a command runs. */
  readonly sender: Promise<Sender> | undefined
}

/** A process that this host started; nobody of its own; or who closed the connection before it could be told. */
export type Sender = number | undefined | 'gone'

/** Remembers the connection of each request for whoever handles it. */
export class Peers {
  readonly #requests = new AsyncLocalStorage<Request>()
  readonly #running: () => boolean
  readonly #started = (message: unknown): void => {
    const { socket, method } = (message as { readonly request: IncomingMessage }).request
    // What a command sends may be handled when the command is gone; what only reads can approve nothing.
    const changes = method !== 'GET' && method !== 'HEAD'
    const sender = changes && this.#running() ? senderOf(socket) : undefined
    // Whoever asks for it meets the failure; most requests never do.
    sender?.catch(() => undefined)
    this.#requests.enterWith({ socket, sender })
  }

  /** @param running whether a command runs, so that requests may come from one */
  constructor(running: () => boolean) {
    this.#running = running
  }

  start(): () => void {
    subscribe(STARTED, this.#started)
    return () => {
      unsubscribe(STARTED, this.#started)
      // As long as requests are remembered, each promise of the process carries a slot for them.
      this.#requests.disable()
    }
  }

  /**
   * The process of this host's own that sent the request which is being handled, or undefined. Who sent something while a
   * command ran and was gone before it could be told from others counts as one: a command could be as quick.
   */
  async descendant(): Promise<Sender> {
    const request = this.#requests.getStore()
    if (!request) return undefined
    if (request.sender) return request.sender
    const sender = await senderOf(request.socket)
    return sender === 'gone' ? undefined : sender
  }
}

async function senderOf({ remotePort, localPort, remoteAddress, localAddress }: Socket): Promise<Sender> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined || !isLoopback(remoteAddress, localAddress)) return undefined
  const socket = await socketOf(remotePort, localPort)
  if (socket === undefined) return 'gone'
  // What this host starts has its user; the processes of others can be looked into by root only.
  const user = process.getuid?.()
  if (socket.uid !== user && user !== 0) return undefined
  return ownHolder(socket.inode)
}

/** From this machine: over loopback, or from an address of its own to itself. */
const isLoopback = (remote: string | undefined, local: string | undefined): boolean => remote !== undefined && (/^(?:127\.|::1$|::ffff:127\.)/.test(remote) || remote === local)

/** The open socket that is bound to the first port and connected to the second. */
async function socketOf(port: number, to: number): Promise<{ readonly inode: string; readonly uid: number } | undefined> {
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0')
  for (const table of await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(tableOf))) {
    for (const line of table.split('\n')) {
      const fields = line.trim().split(/\s+/)
      const [, local, remote] = fields
      if (local?.endsWith(`:${hex(port)}`) === true && remote?.endsWith(`:${hex(to)}`) === true && fields[9] !== undefined && fields[9] !== '0') return { inode: fields[9], uid: Number(fields[7]) }
    }
  }
  return undefined
}

/** A table of sockets; a machine without the newer protocol has none of it. */
async function tableOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** The process that holds a socket, where this process started it, or where it bears the mark of a command that was run. */
async function ownHolder(inode: string): Promise<Sender> {
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
  let held = false
  for (const pid of pids) {
    if (!await holds(pid, inode)) continue
    held = true
    if (pid !== process.pid && (descends(pid) || (await read(`/proc/${pid}/environ`)).includes(`${MARK}=`))) return pid
  }
  return held ? undefined : 'gone'
}

async function holds(pid: number, inode: string): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')))
  return links.includes(`socket:[${inode}]`)
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await read(`/proc/${pid}/stat`)
  return stat === '' ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** A file of the process table; empty for a process that has gone. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
