/** The reasons why a running plugin is degraded. */
export class Health {
  readonly #reasons = new Set<{ readonly text: string }>()
  /** The last failure outside any call. Only one is kept, so that a failure every second does not pile up. */
  #failure: string | undefined

  get isSound(): boolean {
    return this.#reasons.size === 0 && this.#failure === undefined
  }

  /** Adds a reason. The returned function removes it and returns whether it was still there. */
  add(text: string): () => boolean {
    const reason = { text }
    this.#reasons.add(reason)
    return () => this.#reasons.delete(reason)
  }

  setFailure(message: string): void {
    this.#failure = message
  }

  clear(): void {
    this.#reasons.clear()
    this.#failure = undefined
  }

  reasons(): string[] {
    const reasons = Array.from(this.#reasons, (reason) => reason.text)
    return this.#failure === undefined ? reasons : [...reasons, this.#failure]
  }
}
