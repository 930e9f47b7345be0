// What a handler is given of its call; everything that costs is made when it is asked for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostControl, Logger } from '@mynah/kernel'
import type { Principal, RawCall } from './api.js'
import { readBytes } from './body.js'
import type { HttpContext } from './exchange.js'
import type { OpenCalls } from './open-calls.js'
import type { Bound } from './router.js'
import type { Settings } from './settings.js'
import type { Tokens } from './tokens.js'

/** What calls share. */
export interface CallParts {
  readonly host: HostControl
  readonly settings: () => Settings
  readonly tokens: Tokens
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
    const { tokens, openCalls } = this.#parts
    return (this.#signal ??= openCalls.signal(this.#ctx.res, this.#ctx.state.credential, (credential) => tokens.holds(credential)))
  }

  get log(): Logger {
    return this.#parts.host.loggerOf(this.#bound.owner)
  }

  get address(): string {
    return this.#parts.settings().proxies.clientOf(this.#ctx.req)
  }

  setStatus(status: number): void {
    this.#ctx.state.status = status
  }

  body(): Promise<Buffer> {
    return (this.#body ??= readBytes(this.#ctx.req, limitOf(this.#bound, this.#parts.settings())))
  }
}

/** Bytes that the body of a route may have. */
export const limitOf = ({ route }: Bound, { bodyLimit }: Settings): number => route.bodyLimit ?? bodyLimit
