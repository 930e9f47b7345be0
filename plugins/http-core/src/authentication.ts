// Who calls: everything below the management prefix needs a bearer token, before anything else is said about the path.
import { WireError } from '@mynah/contract'
import type { Logger } from '@mynah/kernel'
import type { Attempts } from './attempts.js'
import type { RateLimits } from './rate-limits.js'
import { ANONYMOUS, type HttpContext, type Step } from './exchange.js'
import { couldResolveUnder } from './prefix.js'
import type { RouteTokens } from './route-tokens.js'
import { assertScope } from './scopes.js'
import type { Settings } from './settings.js'
import type { Credential, Tokens } from './tokens.js'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/** Requests a minute of a token of scope demo or monitor. */
const LESSER_RATE = 120

export interface Access {
  readonly prefix: string
  readonly settings: () => Settings
  readonly tokens: Tokens
  readonly routeTokens: RouteTokens
  readonly attempts: Attempts
  readonly rates: RateLimits
  readonly now: () => number
  readonly log: Logger
}

function authenticate(ctx: HttpContext, access: Access): Credential {
  const token = BEARER.exec(ctx.req.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new WireError('unauthorized', 'A bearer token is needed')
  const credential = access.tokens.find(token)
  if (credential) return credential
  const opened = access.routeTokens.find(token)
  if (opened) {
    const route = ctx.state.found?.bound?.route
    if (route && `${route.method} ${route.path}` === opened.opens) return opened.credential
    throw new WireError('forbidden', 'This token opens another address')
  }
  const { address } = access.settings().proxies.clientOf(ctx.req)
  const { retryAfter, blockedNow } = access.attempts.wrong(address, access.now())
  if (blockedNow) access.log.warn('too many wrong tokens', { address, retryAfter })
  else if (retryAfter === 0) access.log.warn('wrong token', { address, requestId: ctx.state.requestId })
  if (retryAfter > 0) throw new WireError('rate_limited', 'Too many wrong tokens', { retryAfter })
  throw new WireError('unauthorized', 'This token is not valid')
}

/** Counts the request against its token; the machine's own use of a full token is not counted. */
function meter(ctx: HttpContext, credential: Credential, { settings, rates, now }: Access): void {
  const { proxies, rateLimit } = settings()
  // Whoever gave out a token for one route counts its use.
  if (credential.principal.scope === 'public') return
  const full = credential.principal.scope === 'full'
  if (full && proxies.clientOf(ctx.req).isLocal) return
  const retryAfter = rates.count(credential, full ? rateLimit : LESSER_RATE, now())
  if (retryAfter > 0) throw new WireError('rate_limited', 'This token asks too often', { retryAfter })
}

/** Lets pass what needs no token and what has one; webhooks are checked by their own handlers. */
export function authentication(access: Access): Step {
  return async (ctx, next) => {
    const { state } = ctx
    state.principal = ANONYMOUS
    const operation = state.found?.bound?.route.operation
    if (operation?.scope !== 'webhook' && couldResolveUnder(state.path, access.prefix)) {
      state.credential = authenticate(ctx, access)
      state.principal = state.credential.principal
      meter(ctx, state.credential, access)
      assertScope(state.principal, operation)
    }
    await next()
  }
}
