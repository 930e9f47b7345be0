// What a plugin did while active, and how it is undone: last effect first, one by one, each within a deadline.
import type { Clock } from '../base/clock.js'
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { call, settle, type Owner } from '../base/guard.js'

type Dispose = () => unknown
interface Effect {
  readonly label: string
  readonly dispose: Dispose
}

/** Time that one disposer has, ms. */
export const DISPOSE_DEADLINE_MS = 5_000

export class Scope {
  readonly #owner: Owner
  readonly #clock: Clock
  readonly #effects = new Set<Effect>()
  /** What the plugin itself is undoing at this moment. */
  readonly #undoing = new Map<Effect, Promise<unknown>>()
  #controller: AbortController | undefined
  #aborted = false
  #closed = false

  constructor(owner: Owner, clock: Clock) {
    this.#owner = owner
    this.#clock = clock
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Aborts when the plugin is to go, which is before anything is undone. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#aborted) this.#controller.abort()
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
  onDispose(label: string, dispose: Dispose): () => unknown {
    this.assertOpen(label, dispose)
    const effect: Effect = { label, dispose }
    this.#effects.add(effect)
    return () => (this.#effects.delete(effect) ? this.#undo(effect) : undefined)
  }

  /** What undoing early gives and fails with is the caller's; that it has ended is also the scope's. */
  #undo(effect: Effect): unknown {
    const given = effect.dispose()
    let failure: Error | undefined
    const ended = settle(this.#owner, given, (error) => {
      failure = error
    })?.finally(() => this.#undoing.delete(effect))
    if (!ended) return given
    this.#undoing.set(effect, ended)
    return ended.then((value) => {
      if (failure) throw failure
      return value
    })
  }

  /** Tells whoever holds the signal that the plugin is to go. */
  abort(): void {
    this.#aborted = true
    this.#controller?.abort()
  }

  /** Undoes everything. Never rejects: a failing or late disposer is reported to the owner and the rest goes on. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.abort()
    const effects = Array.from(this.#effects).reverse()
    this.#effects.clear()
    // What was begun to be undone before is over before what was done earlier is undone.
    if (this.#undoing.size)
      await Promise.all(Array.from(this.#undoing, ([effect, ended]) => this.#within(effect, ended)))
    for (const effect of effects) {
      const pending = this.#run(effect)
      if (pending) await pending
    }
  }

  #run(effect: Effect): Promise<void> | undefined {
    const ended = call(this.#owner, effect.dispose, (error) => {
      this.#owner.report(
        new KernelError(
          'scope/dispose-failed',
          `${this.#owner.name}: undoing "${effect.label}" failed: ${messageOf(error)}`,
          { cause: error },
        ),
      )
    })
    return ended && this.#within(effect, ended)
  }

  /** Resolves with `ended`, which never rejects, or after the deadline. */
  #within(effect: Effect, ended: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimeout(() => {
        this.#owner.report(
          new KernelError(
            'scope/dispose-late',
            `${this.#owner.name}: "${effect.label}" was not undone within ${DISPOSE_DEADLINE_MS / 1000} s`,
          ),
        )
        resolve()
      }, DISPOSE_DEADLINE_MS)
      void ended.then(() => {
        cancel()
        resolve()
      })
    })
  }
}
