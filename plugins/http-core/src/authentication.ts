import { WireError } from '@mynah/contract'
import type { Logger } from '@mynah/kernel'
import type { LoginThrottle } from './login-throttle.js'
import type { TokenRateLimiter } from './token-rate-limiter.js'
import { ANONYMOUS, type HttpContext, type Step } from './request-state.js'
import { couldResolveUnder } from './prefix.js'
import type { RouteTokens } from './route-tokens.js'
import { assertScope } from './scopes.js'
import type { Settings } from './settings.js'
import type { Credential, Tokens } from './tokens.js'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/** Requests a minute that a token of scope demo or monitor may make. */
const LIMITED_RATE = 120

export interface AuthenticationOptions {
  readonly prefix: string
  readonly settings: () => Settings
  readonly tokens: Tokens
  readonly routeTokens: RouteTokens
  readonly attempts: LoginThrottle
  readonly rates: TokenRateLimiter
  readonly now: () => number
  readonly log: Logger
}

function authenticate(ctx: HttpContext, access: AuthenticationOptions): Credential {
  const token = BEARER.exec(ctx.req.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new WireError('unauthorized', 'A bearer token is required')
  const credential = access.tokens.find(token)
  if (credential) return credential
  const opened = access.routeTokens.find(token)
  if (opened) {
    const route = ctx.state.match?.bound?.route
    if (route && `${route.method} ${route.path}` === opened.opens) return opened.credential
    throw new WireError('forbidden', 'This token is valid for another route')
  }
  const { address } = access.settings().proxies.clientOf(ctx.req)
  const { retryAfter, blockedNow } = access.attempts.recordFailure(address, access.now())
  if (blockedNow) access.log.warn('too many wrong tokens', { address, retryAfter })
  else if (retryAfter === 0) access.log.warn('wrong token', { address, requestId: ctx.state.requestId })
  if (retryAfter > 0) throw new WireError('rate_limited', 'Too many wrong tokens', { retryAfter })
  throw new WireError('unauthorized', 'This token is not valid')
}

/** Counts the request against its token. Requests with a full token from this machine are not counted. */
function assertRateLimit(
  ctx: HttpContext,
  credential: Credential,
  { settings, rates, now }: AuthenticationOptions,
): void {
  const { proxies, rateLimit } = settings()
  // The plugin that issued a token for one route limits its use.
  if (credential.principal.scope === 'public') return
  const full = credential.principal.scope === 'full'
  if (full && proxies.clientOf(ctx.req).isLocal) return
  const retryAfter = rates.take(credential, full ? rateLimit : LIMITED_RATE, now())
  if (retryAfter > 0) throw new WireError('rate_limited', 'Too many requests with this token', { retryAfter })
}

/**
 * Requires a valid bearer token below the management prefix before anything else about the path is revealed.
 * Handlers of webhooks authenticate their requests themselves.
 */
export function authentication(access: AuthenticationOptions): Step {
  return async (ctx, next) => {
    const { state } = ctx
    state.principal = ANONYMOUS
    const operation = state.match?.bound?.route.operation
    if (operation?.scope !== 'webhook' && couldResolveUnder(state.path, access.prefix)) {
      state.credential = authenticate(ctx, access)
      state.principal = state.credential.principal
      assertRateLimit(ctx, state.credential, access)
      assertScope(state.principal, operation)
    }
    await next()
  }
}
