import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Principal } from './api.js'
import type { RouteMatch } from './router.js'
import type { Credential } from './tokens.js'

/** State of a request that its steps share in `ctx.state`. */
export interface RequestState {
  /** Path as it was sent, not decoded. */
  path: string
  /** Text after the question mark. */
  query: string
  requestId: string
  principal: Principal
  credential: Credential | undefined
  match: RouteMatch | undefined
  /** Status that the handler has set. */
  status: number | undefined
}
export type HttpContext = ParameterizedContext<RequestState>
export type Step = (ctx: HttpContext, next: () => Promise<void>) => Promise<void>

export const ANONYMOUS: Principal = Object.freeze({ name: 'anonymous', scope: 'public' })

/** Returns path and query of a request target, or `undefined` for a target that is neither a path nor an absolute URL. */
export function parseTarget(request: IncomingMessage): { path: string; query: string } | undefined {
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

/** Returns whether no part of the answer was sent yet. */
export const isUnsent = (response: ServerResponse): boolean => !response.headersSent && !response.destroyed
