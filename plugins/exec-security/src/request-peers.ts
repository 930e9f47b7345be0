import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { SocketOwners, type SocketOwner } from './socket-owners.js'

const STARTED = 'http.server.request.start'

interface Request {
  readonly socket: Socket
  /** The sender, looked up on arrival if the request may change something while a command runs. */
  readonly sender: Promise<SocketOwner> | undefined
}

/** Finds the local process that sent the current request: a process that this host started is not its owner. */
export class RequestPeers {
  readonly #requests = new AsyncLocalStorage<Request>()
  readonly #commands: { readonly busy: boolean }
  readonly #senders = new SocketOwners()
  /** Senders by connection. The sender at the other end of a connection never changes. */
  readonly #known = new WeakMap<Socket, Promise<SocketOwner>>()
  readonly #started = (message: unknown): void => {
    const { socket, method } = (message as { readonly request: IncomingMessage }).request
    // A request may be handled when the command that sent it is gone. Requests that only read can approve nothing.
    const changes = method !== 'GET' && method !== 'HEAD'
    const sender = changes && this.#commands.busy ? this.#senderOf(socket) : undefined
    // A caller that awaits the sender gets the failure. Most requests never await it.
    sender?.catch(() => undefined)
    this.#requests.enterWith({ socket, sender })
  }

  /** @param commands the running commands, from which requests may come */
  constructor(commands: { readonly busy: boolean }) {
    this.#commands = commands
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
   * Returns the process of this host that sent the current request, or undefined. A sender that was gone before it
   * could
   * be identified counts as one if a command ran meanwhile, since a command could be as quick.
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
