import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const refuse = (): never => {
  throw new Error('A document has no network')
}

/**
 * Takes the network from this process: no library of it connects, sends, listens or looks up a name after this. It
 * holds on each platform, but only against code that does not look for a way around.
 */
export function closeNetwork(): void {
  net.Socket.prototype.connect = refuse
  net.Server.prototype.listen = refuse
  for (const name of ['bind', 'connect', 'send'] as const) dgram.Socket.prototype[name] = refuse
  for (const names of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const name of Object.getOwnPropertyNames(names))
      if (/^(?:lookup|resolve|reverse)/.test(name)) Object.defineProperty(names, name, { value: refuse })
  syncBuiltinESMExports()
}
