import { lookup as lookUp } from 'node:dns/promises'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SerialQueue } from '@mynah/kernel/util'
import { addressProblem, ownAddresses } from './addresses.js'
import { Destinations, type Destination } from './destinations.js'
import { canonicalHost, coveringRule, type HostRule } from './host-rules.js'
import { Refused, answerOf } from './refused.js'
import { refuse, relay } from './relay.js'

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

/**
 * Names are looked up by threads that the files of the host need as well: two at a time for all commands, and one for
 * each.
 */
const LOOKUPS = [new SerialQueue(), new SerialQueue()]
let lookups = 0

/** The reason of a refusal that a list of hosts undoes. */
export const NOT_LISTED = 'it is not listed'

const MAX_CONNECTIONS = 128
/** Requests of one client that wait for their answers. Each has a connection to its server. */
const MAX_WAITING = 8
const DIAL_MS = 30_000
/** The silence after which a connection is ended, as long as servers and the machines between often keep one. */
const SILENCE_MS = 300_000

/**
 * The way of one command to the network: a proxy on a socket of its own, which connects to the hosts of this run by
 * name. It dials the address that it has checked, so a second answer of a name server changes nothing.
 */
export class RunProxy {
  readonly path: string
  readonly #rules: readonly HostRule[]
  readonly #network: Network
  readonly #silenceMs: number
  readonly #server: Server
  readonly #destinations = new Destinations()
  readonly #open = new Set<Socket>()
  readonly #waiting = new WeakMap<Socket, number>()
  readonly #lookups = new SerialQueue()
  #isClosed = false

  private constructor(path: string, rules: readonly HostRule[], network: Network, silenceMs: number) {
    this.path = path
    this.#rules = rules
    this.#network = network
    this.#silenceMs = silenceMs
    this.#server = createServer((asked, response) => void this.#forward(asked, response))
    this.#server.maxConnections = MAX_CONNECTIONS
    // A client that takes nothing lasts longer than a silent server, and so gets the answer that this one is silent.
    this.#server.timeout = 2 * silenceMs
    this.#server.on('connection', (socket) => {
      this.#track(socket)
      socket.on('timeout', () => socket.destroy())
    })
    // The connections of a server of sockets are sockets.
    this.#server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(asked.url ?? '', socket as Socket, head),
    )
    this.#server.on('clientError', (_error, socket) => void socket.destroy())
  }

  /**
   * @param path where the socket is made
   * @param rules the hosts that the command may reach
   * @param silenceMs how long nothing may pass through a connection
   */
  static async open(
    path: string,
    rules: readonly HostRule[],
    network: Network = NETWORK,
    silenceMs = SILENCE_MS,
  ): Promise<RunProxy> {
    const proxy = new RunProxy(path, rules, network, silenceMs)
    await once(proxy.#server.listen(path), 'listening')
    // Without free descriptors a connection cannot be accepted, and the next one may be.
    proxy.#server.on('error', () => undefined)
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

  /** Checks a destination, and connects a client to the address that was checked. */
  async #connect(host: string, port: number, client: Socket): Promise<Socket> {
    const name = canonicalHost(host)
    if (name === undefined) throw this.#refuse(host.slice(0, 253), port, 'it is no host name', false)
    const rule = coveringRule(this.#rules, name, port)
    if (rule === undefined) throw this.#refuse(name, port, NOT_LISTED, true)
    const addresses = await this.#lookups.run(() => this.#addresses(name, client))
    if (addresses.length === 0) throw new Refused(502, `${name} has no address`)
    const own = this.#network.own()
    const address = addresses.find((one) => addressProblem(one, rule.private, own) === undefined)
    if (address === undefined)
      throw this.#refuse(name, port, addressProblem(addresses[0] ?? '', rule.private, own) ?? '', false)
    if (client.destroyed) throw new Refused(502, 'the client is gone')
    const found = this.#destinations.add({ host: name, port, address, allowed: true, mayAsk: false })
    const socket = this.#network.dial(address, port)
    this.#track(socket)
    const timer = setTimeout(() => socket.destroy(new Refused(504, `${name} cannot be reached`)), DIAL_MS)
    socket.setTimeout(this.#silenceMs, () => socket.destroy(new Refused(504, `${name} says nothing`)))
    socket.once('connect', () => clearTimeout(timer))
    socket.once('close', () => {
      clearTimeout(timer)
      found.sent += socket.bytesWritten
      found.received += socket.bytesRead
    })
    return socket
  }

  /** Returns the addresses of a name, or none for a client that has gone meanwhile. */
  async #addresses(name: string, client: Socket): Promise<readonly string[]> {
    const find = (): Promise<readonly string[]> => this.#network.addresses(name).catch(() => [])
    return LOOKUPS[lookups++ % LOOKUPS.length]?.run(() => (client.destroyed ? [] : find())) ?? []
  }

  #refuse(host: string, port: number, reason: string, mayAsk: boolean): Refused {
    this.#destinations.add({ host, port, allowed: false, reason, mayAsk })
    return new Refused(403, `${host} is refused: ${reason}`)
  }

  async #tunnel(target: string, client: Socket, head: Buffer): Promise<void> {
    try {
      const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(target) ?? []
      if (host === '') throw new Refused(400, 'the target is no host and port')
      const socket = await this.#connect(host, Number(port), client)
      socket.once('connect', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        if (head.length > 0) socket.write(head)
        socket.pipe(client)
        client.pipe(socket)
      })
      client.once('close', () => socket.destroy())
      socket.once('close', () => client.destroySoon())
    } catch (error) {
      const { status, text } = answerOf(error)
      client.write(
        `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
          `Connection: close\r\n\r\n${text}`,
      )
      client.destroySoon()
    }
  }

  /** Passes on a request that names its host, as `http://` addresses are asked for. */
  async #forward(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy())
    const client = asked.socket
    const waiting = this.#waiting.get(client) ?? 0
    if (client.destroyed || waiting === MAX_WAITING) return void client.destroy()
    this.#waiting.set(client, waiting + 1)
    response.once('close', () => this.#waiting.set(client, (this.#waiting.get(client) ?? 1) - 1))
    try {
      const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
      if (url?.protocol !== 'http:') throw new Refused(400, 'the address is no http:// address')
      relay(asked, response, url, await this.#connect(url.hostname, Number(url.port || 80), client))
    } catch (error) {
      refuse(response, error)
    }
  }

  #track(socket: Socket): void {
    this.#open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#open.delete(socket))
    // One that was waiting to be accepted.
    if (this.#isClosed) socket.destroy()
  }
}
