import { lookup as lookUp } from 'node:dns/promises'
import { chmod, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { addressProblem, ownAddresses } from './addresses.js'
import { Destinations, type Destination } from './destinations.js'
import { canonicalHost, coveringRule, type HostRule } from './host-rules.js'

/** The functions of the network that a proxy uses. */
export interface Network {
  /** Resolves a name to all of its addresses. */
  addresses(name: string): Promise<readonly string[]>
  /** Connects to an address. */
  dial(address: string, port: number): Socket
  /** The addresses of this machine. */
  own(): readonly string[]
}

/** The network of this machine. */
const NETWORK: Network = {
  addresses: async (name) => (await lookUp(name, { all: true })).map(({ address }) => address),
  dial: (host, port) => connect({ host, port }),
  own: ownAddresses,
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The reason of a refusal that a list of hosts undoes. */
export const NOT_LISTED = 'it is not listed'

/** Headers that hold for one connection only. */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'trailer', 'upgrade']
const MAX_CONNECTIONS = 128
const DIAL_MS = 30_000

/**
 * The way of one command to the network: a proxy on a socket of its own, which connects to the hosts of this run by
 * name. It dials the address that it has checked, so a second answer of a name server changes nothing.
 */
export class RunProxy {
  readonly path: string
  readonly #rules: readonly HostRule[]
  readonly #network: Network
  readonly #server: Server
  readonly #destinations = new Destinations()
  readonly #open = new Set<Duplex>()
  #isClosed = false

  private constructor(path: string, rules: readonly HostRule[], network: Network) {
    this.path = path
    this.#rules = rules
    this.#network = network
    this.#server = createServer((asked, response) => void this.#forward(asked, response))
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.on('connection', (socket: Duplex) => this.#track(socket))
    this.#server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(asked.url ?? '', socket, head),
    )
    this.#server.on('clientError', (_error, socket) => void socket.destroy())
  }

  /**
   * @param path where the socket is made
   * @param rules the hosts that the command may reach
   */
  static async open(path: string, rules: readonly HostRule[], network: Network = NETWORK): Promise<RunProxy> {
    const proxy = new RunProxy(path, rules, network)
    await once(proxy.#server.listen(path), 'listening')
    await chmod(path, 0o600)
    return proxy
  }

  get destinations(): readonly Destination[] {
    return this.#destinations.list()
  }

  /** Ends all connections and removes the socket. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
    // A second call finds it closed.
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.path, { force: true })
  }

  /** Checks a destination, and connects to the address that was checked. */
  async #connect(host: string, port: number): Promise<{ readonly socket: Socket; readonly found: Destination }> {
    const name = canonicalHost(host)
    if (name === undefined) throw this.#refuse(host.slice(0, 253), port, 'it is no host name', false)
    const rule = coveringRule(this.#rules, name, port)
    if (rule === undefined) throw this.#refuse(name, port, NOT_LISTED, true)
    const addresses = await this.#network.addresses(name).catch(() => [])
    if (addresses.length === 0) throw new Refused(502, `${name} has no address`)
    const own = this.#network.own()
    const address = addresses.find((one) => addressProblem(one, rule.private, own) === undefined)
    if (address === undefined)
      throw this.#refuse(name, port, addressProblem(addresses[0] ?? '', rule.private, own) ?? '', false)
    const found = this.#destinations.add({ host: name, port, address, allowed: true, mayAsk: false })
    const socket = this.#network.dial(address, port)
    this.#track(socket)
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), DIAL_MS)
    socket.once('connect', () => clearTimeout(timer))
    socket.once('close', () => {
      clearTimeout(timer)
      found.sent += socket.bytesWritten
      found.received += socket.bytesRead
    })
    return { socket, found }
  }

  #refuse(host: string, port: number, reason: string, mayAsk: boolean): Refused {
    this.#destinations.add({ host, port, allowed: false, reason, mayAsk })
    return new Refused(403, `${host} is refused: ${reason}`)
  }

  async #tunnel(target: string, client: Duplex, head: Buffer): Promise<void> {
    try {
      const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(target) ?? []
      if (host === '') throw new Refused(400, 'the target is no host and port')
      const { socket } = await this.#connect(host, Number(port))
      socket.once('connect', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        if (head.length > 0) socket.write(head)
        socket.pipe(client)
        client.pipe(socket)
      })
      client.once('close', () => socket.destroy())
      socket.once('error', () => client.destroy())
    } catch (error) {
      const { status, text } = answerOf(error)
      client.end(
        `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
          `Connection: close\r\n\r\n${text}`,
      )
    }
  }

  /** Passes on a request that names its host, as `http://` addresses are asked for. */
  async #forward(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
      if (url?.protocol !== 'http:') throw new Refused(400, 'the address is no http:// address')
      const { socket } = await this.#connect(url.hostname, Number(url.port || 80))
      const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !HOP_BY_HOP.includes(name)))
      const passed = request({
        createConnection: () => socket,
        method: asked.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, connection: 'close' },
      })
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => (response.headersSent ? response.destroy() : end(response, 502, 'no answer')))
      response.once('close', () => passed.destroy())
      asked.pipe(passed)
    } catch (error) {
      const { status, text } = answerOf(error)
      end(response, status, text)
    }
  }

  #track(socket: Duplex): void {
    this.#open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#open.delete(socket))
    // One that was waiting to be accepted.
    if (this.#isClosed) socket.destroy()
  }
}

function answerOf(error: unknown): { readonly status: number; readonly text: string } {
  return error instanceof Refused
    ? { status: error.status, text: `mynah: ${error.message}\n` }
    : { status: 502, text: 'mynah: no connection\n' }
}

const end = (response: ServerResponse, status: number, text: string): void =>
  void response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
