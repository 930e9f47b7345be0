// A TCP proxy for tests of what networks do: its connections can fall silent without being closed.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  /** `url` through the proxy. */
  through(url: string): string
  /** Stops forwarding on open connections without closing them. New connections work. */
  silence(): void
  /** Open connections still forward requests, but no answers. */
  mute(): void
  /** New connections are accepted and stay silent, too, until {@link TcpProxy.restore}. */
  swallow(): void
  restore(): void
  /** Closes open connections, as a pooler does. New connections work. */
  cut(): void
  close(): Promise<void>
}

/**
 * Starts a proxy in front of the server of `url`.
 *
 * @param from address from which it connects
 */
export async function startProxy(url: string, from = '127.0.0.1'): Promise<TcpProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let swallowing = false
  const server = createServer((client) => {
    sockets.add(client)
    // A peer that goes is part of what is tested.
    client.on('error', () => client.destroy())
    if (swallowing) return
    const upstream = connect({ host: hostname, port: Number(port), localAddress: from })
    sockets.add(upstream)
    upstream.on('error', () => upstream.destroy())
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through(target) {
      const address = new URL(target)
      address.hostname = '127.0.0.1'
      address.port = String((server.address() as AddressInfo).port)
      return address.href
    },
    silence() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.pause()
        upstream.pause()
      }
      pairs.clear()
    },
    mute() {
      for (const [client, upstream] of pairs) {
        upstream.unpipe(client)
        upstream.resume()
      }
    },
    swallow() {
      swallowing = true
    },
    restore() {
      swallowing = false
    },
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      pairs.clear()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
