import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostControl, Logger } from '@mynah/kernel'
import type { Principal, RawCall } from './api.js'
import { readBytes } from './body.js'
import { parseJson } from './parse-json.js'
import type { HttpContext } from './request-state.js'
import type { OpenCalls } from './open-calls.js'
import type { BoundRoute } from './router.js'
import type { Settings } from './settings.js'
import type { RouteTokens } from './route-tokens.js'
import type { SenderCheck } from './senders/sender-check.js'
import type { Tokens } from './tokens.js'

/** Services that all calls share. */
export interface CallServices {
  readonly host: HostControl
  readonly settings: () => Settings
  readonly tokens: Tokens
  readonly routeTokens: RouteTokens
  readonly openCalls: OpenCalls
  readonly senders: SenderCheck
}

/** The call as a handler sees it. Values that cost time are computed on first use. */
export class HandlerCall implements RawCall {
  readonly #ctx: HttpContext
  readonly #bound: BoundRoute
  readonly #parts: CallServices
  #signal: AbortSignal | undefined
  #body: Promise<Buffer> | undefined

  constructor(ctx: HttpContext, bound: BoundRoute, parts: CallServices) {
    this.#ctx = ctx
    this.#bound = bound
    this.#parts = parts
  }

  get principal(): Principal {
    return this.#ctx.state.principal
  }

  get requestId(): string {
    return this.#ctx.state.requestId
  }

  get request(): IncomingMessage {
    return this.#ctx.req
  }

  get response(): ServerResponse {
    return this.#ctx.res
  }

  get signal(): AbortSignal {
    const { tokens, routeTokens, openCalls } = this.#parts
    return (this.#signal ??= openCalls.signalFor(
      this.#ctx.res,
      this.#ctx.state.credential,
      (credential) => tokens.isValid(credential) || routeTokens.isValid(credential),
    ))
  }

  get log(): Logger {
    return this.#parts.host.loggerOf(this.#bound.owner)
  }

  get address(): string {
    return this.#parts.settings().proxies.clientOf(this.#ctx.req).address
  }

  get origin(): string | undefined {
    return this.#ctx.req.headers.origin?.toLowerCase()
  }

  setStatus(status: number): void {
    this.#ctx.state.status = status
  }

  assertForeignSender(action: string): Promise<void> {
    return this.#parts.senders.assertForeign(this.#ctx.req, action, this.principal.name)
  }

  async json(): Promise<unknown> {
    return parseJson((await this.body()).toString('utf8'))
  }

  body(): Promise<Buffer> {
    return (this.#body ??= readBytes(this.#ctx.req, bodyLimitOf(this.#bound, this.#parts.settings(), this.principal)))
  }
}

/** Maximum body of a caller of scope demo or monitor, in bytes. */
const LIMITED_BODY = 65_536

/** Returns the maximum size of the body of a route in bytes. */
export function bodyLimitOf({ route }: BoundRoute, { bodyLimit }: Settings, { scope }: Principal): number {
  const limit = route.bodyLimit ?? bodyLimit
  return scope === 'demo' || scope === 'monitor' ? Math.min(limit, LIMITED_BODY) : limit
}
