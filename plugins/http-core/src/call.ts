// What a handler is given of its call; everything that costs is made when it is asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostControl, Logger } from '@mynah/kernel'
import type { Principal, RawCall } from './api.js'
import { parseJson, readBytes } from './body.js'
import type { HttpContext } from './exchange.js'
import type { OpenCalls } from './open-calls.js'
import type { Bound } from './router.js'
import type { Settings } from './settings.js'
import type { RouteTokens } from './route-tokens.js'
import type { Tokens } from './tokens.js'

/** What calls share. */
export interface CallParts {
  readonly host: HostControl
  readonly settings: () => Settings
  readonly tokens: Tokens
  readonly routeTokens: RouteTokens
  readonly openCalls: OpenCalls
}

export class ServedCall implements RawCall {
  readonly #ctx: HttpContext
  readonly #bound: Bound
  readonly #parts: CallParts
  #signal: AbortSignal | undefined
  #body: Promise<Buffer> | undefined

  constructor(ctx: HttpContext, bound: Bound, parts: CallParts) {
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
    return (this.#signal ??= openCalls.signal(
      this.#ctx.res,
      this.#ctx.state.credential,
      (credential) => tokens.holds(credential) || routeTokens.holds(credential),
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

  async json(): Promise<unknown> {
    return parseJson((await this.body()).toString('utf8'))
  }

  body(): Promise<Buffer> {
    return (this.#body ??= readBytes(this.#ctx.req, limitOf(this.#bound, this.#parts.settings(), this.principal)))
  }
}

/** What a caller of lesser scope may send, bytes. */
const LESSER_BODY = 65_536

/** Bytes that the body of a route may have. */
export function limitOf({ route }: Bound, { bodyLimit }: Settings, { scope }: Principal): number {
  const limit = route.bodyLimit ?? bodyLimit
  return scope === 'demo' || scope === 'monitor' ? Math.min(limit, LESSER_BODY) : limit
}
