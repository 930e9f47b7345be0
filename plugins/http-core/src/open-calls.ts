import type { ServerResponse } from 'node:http'
import type { Credential } from './tokens.js'

interface OpenCall {
  readonly controller: AbortController
  readonly credential: Credential | undefined
}

/** Calls whose handler uses its signal, mostly streams. They end when the client disconnects, its token is revoked, or the host drains. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  #draining = false

  /** Returns a signal for the call that `response` answers. */
  signalFor(
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

  /** Ends the calls whose token is no longer valid. */
  endRevoked(isValid: (credential: Credential) => boolean): void {
    for (const call of this.#open) if (call.credential && !isValid(call.credential)) this.#end(call)
  }

  /** Ends all calls. Later ones end at once. */
  endAll(): void {
    this.#draining = true
    for (const call of this.#open) this.#end(call)
  }

  #end(call: OpenCall): void {
    this.#open.delete(call)
    call.controller.abort()
  }
}
