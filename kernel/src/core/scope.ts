import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/clock.js'
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { call, settle, type Owner } from '../base/guard.js'

type Dispose = () => unknown
interface Effect {
  readonly label: string
  readonly dispose: Dispose
}

/** Time that one disposer has. */
const DISPOSE_DEADLINE_MS = 5_000

/** The effects of one activation of a plugin, disposed in reverse order, one by one, each within a deadline. */
export class Scope {
  readonly #owner: Owner
  readonly #clock: Clock
  readonly #effects = new Set<Effect>()
  /** Effects that the plugin disposes early at this moment. */
  readonly #disposing = new Map<Effect, Promise<unknown>>()
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

  /** Aborts when the plugin has to stop, before any effect is disposed. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      // As many calls wait for it as a plugin has in progress. Node would warn of a leak at eleven.
      setMaxListeners(0, this.#controller.signal)
      if (this.#aborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** Returns the labels of the effects, in the order of their registration. */
  labels(): string[] {
    return Array.from(this.#effects, (effect) => effect.label)
  }

  /**
   * Runs `dispose` at once when the scope has closed, so that a late effect leaves nothing behind.
   *
   * @throws KernelError `scope/closed`
   */
  assertOpen(label: string, dispose?: Dispose): void {
    if (!this.#closed) return
    if (dispose) void this.#run({ label, dispose })
    throw new KernelError('scope/closed', `${this.#owner.name} has stopped and can no longer ${label}`)
  }

  /** Registers an effect by its disposer. The returned function disposes it early, once. */
  onDispose(label: string, dispose: Dispose): () => unknown {
    this.assertOpen(label, dispose)
    const effect: Effect = { label, dispose }
    this.#effects.add(effect)
    return () => (this.#effects.delete(effect) ? this.#disposeEarly(effect) : undefined)
  }

  /** The result and the failure go to the caller. The scope only waits for the end when it closes. */
  #disposeEarly(effect: Effect): unknown {
    const result = effect.dispose()
    let failure: Error | undefined
    const ended = settle(this.#owner, result, (error) => {
      failure = error
    })?.finally(() => this.#disposing.delete(effect))
    if (!ended) return result
    this.#disposing.set(effect, ended)
    return ended.then((value) => {
      if (failure) throw failure
      return value
    })
  }

  /** Aborts the signal: the plugin has to stop. */
  abort(): void {
    this.#aborted = true
    this.#controller?.abort()
  }

  /** Disposes all effects. Never rejects: a failing or late disposer is reported to the owner and the others go on. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.abort()
    const effects = Array.from(this.#effects).reverse()
    this.#effects.clear()
    // Wait for running disposers before disposing older effects.
    if (this.#disposing.size)
      await Promise.all(Array.from(this.#disposing, ([effect, ended]) => this.#within(effect, ended)))
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
