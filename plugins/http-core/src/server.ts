// The listening socket: its limits against slow clients, and how it drains.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FatalError } from '@mynah/kernel'
import { MAX_HEADERS } from './headers.js'
import { answerUnreadable } from './unreadable.js'

/** Times that a connection has, ms. */
export interface Limits {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long a connection stays open between requests. */
  readonly keepAliveTimeout: number
  /** How long requests may go on once the server drains. */
  readonly drain: number
}
/**
 * A connection outlives the 60 s for which proxies and clients keep one: who closes first while the other is asking breaks that request,
 * and only the one who asks can know that it is safe.
 */
export const LIMITS: Limits = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 72_000,
  drain: 4_000,
}
const IDLE_CHECK_MS = 50
const PORT_TAKEN = 3
const INVALID = 2

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function failureOf(error: NodeJS.ErrnoException, host: string, port: number): FatalError {
  if (error.code === 'EADDRINUSE') {
    return new FatalError(`http.port: ${host}:${port} is in use by another process`, {
      exitCode: PORT_TAKEN,
      hint: 'Stop the other process, or set another http.port',
      cause: error,
    })
  }
  return new FatalError(`http.host, http.port: cannot listen on ${host}:${port} (${error.code ?? error.message})`, {
    exitCode: INVALID,
    hint: 'Set an address of this machine and a port that you may use',
    cause: error,
  })
}

export class Listener {
  readonly #server: Server
  readonly #drain: number

  private constructor(server: Server, drain: number) {
    this.#server = server
    this.#drain = drain
  }

  /** @throws FatalError where the address cannot be had. */
  static async open(
    handler: Handler,
    { host, port }: { host: string; port: number },
    { drain, ...limits }: Limits = LIMITS,
  ): Promise<Listener> {
    const server = createServer({ ...limits, keepAlive: true, requireHostHeader: false }, handler)
    server.maxHeadersCount = MAX_HEADERS + 1
    answerUnreadable(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(failureOf(error, host, port)))
      server.listen({ host, port }, () => {
        server.removeAllListeners('error')
        resolve()
      })
    })
    return new Listener(server, drain)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Accepts nothing new, lets what runs finish, and cuts what is left at the deadline. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    // A kept-alive connection becomes idle whenever its request ends, so one look is not enough.
    const idle = setInterval(() => this.#server.closeIdleConnections(), IDLE_CHECK_MS)
    const deadline = setTimeout(() => this.#server.closeAllConnections(), this.#drain)
    await closed
    clearInterval(idle)
    clearTimeout(deadline)
  }
}
