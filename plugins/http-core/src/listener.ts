import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { FatalError } from '@mynah/kernel'
import { MAX_HEADERS } from './headers.js'
import { handleParseErrors } from './parse-errors.js'

/** Timeouts of a connection in milliseconds. */
export interface ConnectionLimits {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long a connection stays open between requests. */
  readonly keepAliveTimeout: number
  /** How long requests may run after the server starts to drain. */
  readonly drain: number
}
/**
 * Default timeouts. Connections stay open longer than the 60 s for which proxies and clients reuse them: a server that
 * closes
 * first may break a request that is on its way, while the client knows when closing is safe.
 */
export const LIMITS: ConnectionLimits = {
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
/** Takes a connection whose client asks for another protocol. The signal aborts when the server closes. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, signal: AbortSignal) => void

function listenError(error: NodeJS.ErrnoException, host: string, port: number): FatalError {
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

/** A listening HTTP server that limits slow clients and drains on close. */
export class Listener {
  readonly #server: Server
  readonly #drain: number
  /** Connections that speak another protocol, of which the server has lost track. */
  readonly #upgraded = new Set<Duplex>()
  readonly #closing = new AbortController()

  private constructor(server: Server, drain: number) {
    this.#server = server
    this.#drain = drain
  }

  /** @throws FatalError if the address is in use or does not belong to this machine */
  static async open(
    handler: Handler,
    { host, port }: { host: string; port: number },
    { drain, ...limits }: ConnectionLimits = LIMITS,
  ): Promise<Listener> {
    const server = createServer({ ...limits, keepAlive: true, requireHostHeader: false }, handler)
    server.maxHeadersCount = MAX_HEADERS + 1
    handleParseErrors(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, host, port)))
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

  /** Passes on the connections of clients that ask for another protocol. */
  onUpgrade(handler: UpgradeHandler): void {
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket)
      socket.once('close', () => this.#upgraded.delete(socket))
      // Without a listener a connection that breaks would end the process.
      socket.on('error', () => socket.destroy())
      handler(request, socket, head, this.#closing.signal)
    })
  }

  /** Accepts no new connections, waits for running requests, and cuts the remaining connections at the deadline. */
  async close(): Promise<void> {
    this.#closing.abort()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    // A kept-alive connection becomes idle when its request ends, so idle connections are closed repeatedly.
    const idle = setInterval(() => this.#server.closeIdleConnections(), IDLE_CHECK_MS)
    const deadline = setTimeout(() => {
      this.#server.closeAllConnections()
      for (const socket of this.#upgraded) socket.destroy()
    }, this.#drain)
    await closed
    clearInterval(idle)
    clearTimeout(deadline)
  }
}
