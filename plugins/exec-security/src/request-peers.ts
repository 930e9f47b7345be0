// Who stands at the other end of a connection from this machine: a process that this host started is not its owner.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { SocketOwners, type SocketOwner } from './socket-owners.js'

const STARTED = 'http.server.request.start'

interface Request {
  readonly socket: Socket
  /** Who sent it, looked up when it came in: where it may change something while a command runs. */
  readonly sender: Promise<SocketOwner> | undefined
}

/** Remembers the connection of each request for whoever handles it. */
export class RequestPeers {
  readonly #requests = new AsyncLocalStorage<Request>()
  readonly #running: () => boolean
  readonly #senders = new SocketOwners()
  /** Who was found at the other end of a connection stays there. */
  readonly #known = new WeakMap<Socket, Promise<SocketOwner>>()
  readonly #started = (message: unknown): void => {
    const { socket, method } = (message as { readonly request: IncomingMessage }).request
    // What a command sends may be handled when the command is gone; what only reads can approve nothing.
    const changes = method !== 'GET' && method !== 'HEAD'
    const sender = changes && this.#running() ? this.#senderOf(socket) : undefined
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
  async descendant(): Promise<SocketOwner> {
    const request = this.#requests.getStore()
    if (!request) return undefined
    if (request.sender) return request.sender
    const sender = await this.#senderOf(request.socket)
    return sender === 'gone' ? undefined : sender
  }

  #senderOf(socket: Socket): Promise<SocketOwner> {
    const known = this.#known.get(socket)
    if (known) return known
    const { remotePort, localPort, remoteAddress, localAddress } = socket
    const local =
      process.platform === 'linux' &&
      remotePort !== undefined &&
      localPort !== undefined &&
      isLoopback(remoteAddress, localAddress)
    const sender: Promise<SocketOwner> = local
      ? this.#senders.of({ port: remotePort, to: localPort })
      : Promise.resolve(undefined)
    this.#known.set(socket, sender)
    const forget = (): void => void this.#known.delete(socket)
    sender.then((found) => {
      if (found === 'gone') forget()
    }, forget)
    return sender
  }
}

/** From this machine: over loopback, or from an address of its own to itself. */
const isLoopback = (remote: string | undefined, local: string | undefined): boolean =>
  remote !== undefined && (/^(?:127\.|::1$|::ffff:127\.)/.test(remote) || remote === local)
