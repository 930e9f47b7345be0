// One request on its way through the server: what the steps know of it and tell each other.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Principal } from './api.js'
import type { Found } from './router.js'
import type { Credential } from './tokens.js'

/** What the steps keep in `ctx.state`. */
export interface Exchange {
  /** The path as it was sent, undecoded. */
  path: string
  /** What follows the question mark. */
  query: string
  requestId: string
  principal: Principal
  credential: Credential | undefined
  found: Found | undefined
  /** Status that the handler asked for. */
  status: number | undefined
}
export type HttpContext = ParameterizedContext<Exchange>
export type Step = (ctx: HttpContext, next: () => Promise<void>) => Promise<void>

export const ANONYMOUS: Principal = Object.freeze({ name: 'anonymous', scope: 'public' })

/** Path and query of a request target; `undefined` where it is neither a path nor an absolute address. */
export function targetOf(request: IncomingMessage): { path: string; query: string } | undefined {
  let target = request.url ?? ''
  if (target.charCodeAt(0) !== 47) {
    const absolute = /^https?:\/\/[^/?#]+/i.exec(target)
    if (!absolute) return undefined
    target = target.slice(absolute[0].length)
    if (target.charCodeAt(0) !== 47) target = `/${target}`
  }
  const fragment = target.indexOf('#')
  if (fragment >= 0) target = target.slice(0, fragment)
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Whether nothing was sent yet. */
export const isUnsent = (response: ServerResponse): boolean => !response.headersSent && !response.destroyed
