// Calls whose handler watches its signal: streams above all. They end when the client goes, its token goes, or the host drains.
import type { ServerResponse } from 'node:http'
import type { Credential } from './tokens.js'

interface OpenCall {
  readonly controller: AbortController
  readonly credential: Credential | undefined
}

export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  #draining = false

  /** A signal for the call that `response` answers. */
  signal(
    response: ServerResponse,
    credential: Credential | undefined,
    isValid: (credential: Credential) => boolean,
  ): AbortSignal {
    const call: OpenCall = { controller: new AbortController(), credential }
    if (this.#draining || response.destroyed || (credential && !isValid(credential))) {
      call.controller.abort()
      return call.controller.signal
    }
    this.#open.add(call)
    response.once('close', () => {
      this.#open.delete(call)
      if (!response.writableFinished) call.controller.abort()
    })
    return call.controller.signal
  }

  get size(): number {
    return this.#open.size
  }

  /** Ends the calls whose token is no longer accepted. */
  endRevoked(isValid: (credential: Credential) => boolean): void {
    for (const call of this.#open) if (call.credential && !isValid(call.credential)) this.#end(call)
  }

  /** Ends all calls, and those to come. */
  endAll(): void {
    this.#draining = true
    for (const call of this.#open) this.#end(call)
  }

  #end(call: OpenCall): void {
    this.#open.delete(call)
    call.controller.abort()
  }
}
