// What a plugin did while active, and how it is undone: last effect first, one by one, each within a deadline.
import { isThenable, KernelError, messageOf } from './errors.js'
import type { Owner } from './owner.js'
import type { Clock } from './clock.js'

type Dispose = () => unknown
interface Effect { readonly label: string; readonly dispose: Dispose }

/** Time that one disposer has, ms. */
export const DISPOSE_DEADLINE_MS = 5_000

export class Scope {
  readonly #owner: Owner
  readonly #clock: Clock
  readonly #effects = new Set<Effect>()
  #controller: AbortController | undefined
  #closed = false

  constructor(owner: Owner, clock: Clock) {
    this.#owner = owner
    this.#clock = clock
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Aborts when the scope begins to close. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#closed) this.#controller.abort()
    }
    return this.#controller.signal
  }

  labels(): string[] {
    return Array.from(this.#effects, (effect) => effect.label)
  }

  /** Throws when the scope has closed; `undo` is then run at once, so that a late effect leaves nothing behind. */
  assertOpen(label: string, undo?: Dispose): void {
    if (!this.#closed) return
    if (undo) void this.#run({ label, dispose: undo })
    throw new KernelError('scope/closed', `${this.#owner.name} has stopped and can no longer ${label}`)
  }

  /** Registers an effect by its inverse; the returned function undoes it early, once. */
  own(label: string, dispose: Dispose): () => unknown {
    this.assertOpen(label, dispose)
    const effect: Effect = { label, dispose }
    this.#effects.add(effect)
    return () => (this.#effects.delete(effect) ? effect.dispose() : undefined)
  }

  /** Undoes everything. Never rejects: a failing or late disposer is reported to the owner and the rest goes on. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#controller?.abort()
    const effects = Array.from(this.#effects).reverse()
    this.#effects.clear()
    for (const effect of effects) {
      const pending = this.#run(effect)
      if (pending) await pending
    }
  }

  #run(effect: Effect): Promise<void> | undefined {
    try {
      const result = effect.dispose()
      return isThenable(result) ? this.#await(effect, Promise.resolve(result)) : undefined
    } catch (error) {
      this.#failed(effect, error)
      return undefined
    }
  }

  #await(effect: Effect, result: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      let waiting = true
      const cancel = this.#clock.setTimeout(() => {
        waiting = false
        this.#owner.report(new KernelError('scope/dispose-late', `${this.#owner.name}: "${effect.label}" was not undone within ${DISPOSE_DEADLINE_MS / 1000} s`))
        resolve()
      }, DISPOSE_DEADLINE_MS)
      result.then(undefined, (error: unknown) => this.#failed(effect, error)).finally(() => {
        if (!waiting) return
        cancel()
        resolve()
      })
    })
  }

  #failed(effect: Effect, error: unknown): void {
    this.#owner.report(new KernelError('scope/dispose-failed', `${this.#owner.name}: undoing "${effect.label}" failed: ${messageOf(error)}`, { cause: error }))
  }
}
