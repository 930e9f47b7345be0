/** An abort whose signal is made on first use, because making one costs more than a step of the loop. */
export class Stop {
  #controller: AbortController | undefined
  #reason: unknown
  #stopped = false

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#stopped) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  get stopped(): boolean {
    return this.#stopped
  }

  get reason(): unknown {
    return this.#reason
  }

  stop(reason?: unknown): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}
