import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Parses an address. An IPv4 address that is mapped into IPv6 is returned as IPv4. */
function parse(text: string): Address | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  // Only dotted decimal is accepted, not shorthands such as 127.1 or 0x7f000001.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined
  return ipaddr.process(bare)
}

/** Returns whether a host name or address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  if (/^localhost\.?$/i.test(host)) return true
  return parse(host)?.range() === 'loopback'
}

/** Returns the key under which a client is counted. IPv6 clients count by their /64, because one machine owns all of it. */
export function bucketOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parse(address)
  return parsed?.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : address
}

/** The caller of a request. */
export interface Client {
  readonly address: string
  /** True for programs of this machine. */
  readonly isLocal: boolean
}

const clientAt = (address: Address): Client => ({
  address: address.toString(),
  isLocal: address.range() === 'loopback',
})

/** The other end of a connection. */
interface Peer {
  readonly client: Client
  readonly isTrusted: boolean
}

/** Proxies whose `X-Forwarded-For` header is trusted. */
export class TrustedProxies {
  readonly #ranges: readonly Range[]
  /** The peer of a connection never changes, so its address is parsed once and not with each request. */
  readonly #peers = new WeakMap<Socket, Peer>()

  /** @throws Error with the entry that is neither an address nor a range */
  constructor(entries: readonly string[]) {
    this.#ranges = entries.map((entry): Range => {
      if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
      const address = parse(entry)
      if (!address) throw new Error(`"${entry}" is neither an address nor a range such as 10.0.0.0/8`)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    })
  }

  #trusts(address: Address): boolean {
    return this.#ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits))
  }

  /** Returns the client: the last address of the chain that is not a trusted proxy. */
  clientOf({ socket, headers }: IncomingMessage): Client {
    let peer = this.#peers.get(socket)
    if (!peer) this.#peers.set(socket, (peer = this.#peerOf(socket.remoteAddress ?? '')))
    if (!peer.isTrusted) return peer.client
    let last: Address | undefined
    const chain = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    for (const hop of chain.reverse()) {
      const address = parse(hop.trim())
      if (!address) break
      last = address
      if (!this.#trusts(address)) break
    }
    return last ? clientAt(last) : peer.client
  }

  #peerOf(text: string): Peer {
    const address = parse(text)
    return address
      ? { client: clientAt(address), isTrusted: this.#trusts(address) }
      : { client: { address: text, isLocal: false }, isTrusted: false }
  }
}
