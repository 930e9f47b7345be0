// A page of another site may point its own host name at this machine; a server on loopback therefore answers known names only.
import type { IncomingMessage } from 'node:http'
import { WireError } from '@mynah/contract'
import { isLoopback } from './address.js'
import type { Step } from './exchange.js'
import type { Settings } from './settings.js'

/** The host name of a `Host` header or of an absolute request target, without port. */
function nameIn(authority: string): string {
  return authority.replace(/:\d*$/, '').toLowerCase()
}

function isKnown(authority: string | undefined, hosts: ReadonlySet<string>): boolean {
  if (!authority) return false
  const name = nameIn(authority)
  return isLoopback(name) || hosts.has(name) || hosts.has(authority.toLowerCase())
}

const authorityOfTarget = (request: IncomingMessage): string | undefined =>
  /^https?:\/\/([^/?#]+)/i.exec(request.url ?? '')?.[1]

/** Refuses a request to a loopback address that carries a foreign host name. */
export function guardHost(settings: () => Settings): Step {
  const known = new Set<string>()
  return async (ctx, next) => {
    const { hosts } = settings()
    if (hosts) {
      const host = ctx.req.headers.host
      // The plain spellings of every request are looked up, all else is taken apart.
      if (host === undefined || !known.has(host)) {
        if (!isKnown(host, hosts)) throw new WireError('forbidden', 'This host name is not served here')
        if (isLoopback(nameIn(host as string)) && known.size < 64) known.add(host as string)
      }
      const target = authorityOfTarget(ctx.req)
      if (target !== undefined && !isKnown(target, hosts))
        throw new WireError('forbidden', 'This host name is not served here')
    }
    await next()
  }
}
