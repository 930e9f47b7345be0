// Protects against DNS rebinding: a page of another site may point its own host name at this machine.
import type { IncomingMessage } from 'node:http'
import { WireError } from '@mynah/contract'
import { isLoopback } from './address.js'
import type { Step } from './request-state.js'
import type { Settings } from './settings.js'

/** Returns the host name of a `Host` header or of an absolute request target, without port. */
function hostNameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').toLowerCase()
}

function isKnown(authority: string | undefined, hosts: ReadonlySet<string>): boolean {
  if (!authority) return false
  const name = hostNameOf(authority)
  return isLoopback(name) || hosts.has(name) || hosts.has(authority.toLowerCase())
}

const authorityOfTarget = (request: IncomingMessage): string | undefined =>
  /^https?:\/\/([^/?#]+)/i.exec(request.url ?? '')?.[1]

/**
 * Rejects a request to a loopback address that has an unknown host name.
 *
 * @throws WireError `forbidden`
 */
export function assertKnownHost(request: IncomingMessage, { hosts }: Settings): void {
  if (hosts && !isKnown(request.headers.host, hosts))
    throw new WireError('forbidden', 'This host name is not allowed here; see http.hosts')
}

/** Rejects requests to a loopback address that carry an unknown host name. */
export function hostGuard(settings: () => Settings): Step {
  const known = new Set<string>()
  return async (ctx, next) => {
    const { hosts } = settings()
    if (hosts) {
      const host = ctx.req.headers.host
      // Names that were accepted before are looked up. Others are parsed.
      if (host === undefined || !known.has(host)) {
        if (!isKnown(host, hosts))
          throw new WireError('forbidden', 'This host name is not allowed here; see http.hosts')
        if (isLoopback(hostNameOf(host as string)) && known.size < 64) known.add(host as string)
      }
      const target = authorityOfTarget(ctx.req)
      if (target !== undefined && !isKnown(target, hosts))
        throw new WireError('forbidden', 'This host name is not allowed here; see http.hosts')
    }
    await next()
  }
}
