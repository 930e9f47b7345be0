// Who calls: everything below the management prefix needs a bearer token, before anything else is said about the path.
import { WireError } from '@mynah/contract'
import type { Logger } from '@mynah/kernel'
import type { Attempts } from './attempts.js'
import { ANONYMOUS, type HttpContext, type Step } from './exchange.js'
import { reachesBelow } from './prefix.js'
import { assertScope } from './scopes.js'
import type { Settings } from './settings.js'
import type { Credential, Tokens } from './tokens.js'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

export interface Access {
  readonly prefix: string
  readonly settings: () => Settings
  readonly tokens: Tokens
  readonly attempts: Attempts
  readonly now: () => number
  readonly log: Logger
}

function authenticate(ctx: HttpContext, access: Access): Credential {
  const token = BEARER.exec(ctx.req.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new WireError('unauthorized', 'A bearer token is needed')
  const credential = access.tokens.find(token)
  if (credential) return credential
  const address = access.settings().proxies.clientOf(ctx.req)
  const { retryAfter, blockedNow } = access.attempts.wrong(address, access.now())
  if (blockedNow) access.log.warn('too many wrong tokens', { address, retryAfter })
  else if (retryAfter === 0) access.log.warn('wrong token', { address, requestId: ctx.state.requestId })
  if (retryAfter > 0) throw new WireError('rate_limited', 'Too many wrong tokens', { retryAfter })
  throw new WireError('unauthorized', 'This token is not valid')
}

/** Lets pass what needs no token and what has one; webhooks are checked by their own handlers. */
export function authentication(access: Access): Step {
  return async (ctx, next) => {
    const { state } = ctx
    state.principal = ANONYMOUS
    const operation = state.found?.bound?.route.operation
    if (operation?.scope !== 'webhook' && reachesBelow(state.path, access.prefix)) {
      state.credential = authenticate(ctx, access)
      state.principal = state.credential.principal
      assertScope(state.principal, operation?.scope)
    }
    await next()
  }
}
