import { KernelError } from '../base/errors.js'
import { settle, type Owner } from '../base/guard.js'
import { messageOf, toError } from '../base/to-error.js'

/** Options of a listener. */
export interface HookOptions {
  /** Higher runs first; default 0. */
  readonly priority?: number
}

export type Handler = (payload: never, next: never) => unknown
type AnyHandler = (payload: unknown, next?: (payload: unknown) => unknown) => unknown

interface Listener {
  readonly handler: AnyHandler
  readonly owner: Owner
  readonly priority: number
  removed: boolean
}

const none: readonly Listener[] = []

/**
 * The listeners of all hooks, by priority, then by the position of their plugins. The lists are copied on write, so
 * that listeners may come and go while a hook is emitted.
 */
export class Hooks {
  readonly #listeners = new Map<string, readonly Listener[]>()
  readonly #report: (owner: Owner, id: string, error: KernelError) => void

  constructor(report: (owner: Owner, id: string, error: KernelError) => void) {
    this.#report = report
  }

  /** Adds a listener; the returned function removes it. */
  add(id: string, handler: Handler, owner: Owner, options: HookOptions = {}): () => void {
    const listener: Listener = {
      handler: handler as unknown as AnyHandler,
      owner,
      priority: options.priority ?? 0,
      removed: false,
    }
    const before = this.#listeners.get(id) ?? none
    let at = before.length
    while (at > 0 && precedes(listener, before[at - 1] as Listener)) at--
    this.#listeners.set(id, [...before.slice(0, at), listener, ...before.slice(at)])
    return () => {
      listener.removed = true
      const rest = (this.#listeners.get(id) ?? none).filter((other) => other !== listener)
      if (rest.length) this.#listeners.set(id, rest)
      else this.#listeners.delete(id)
    }
  }

  /** Sorts again after plugins changed places in the configuration. */
  reorder(): void {
    for (const [id, listeners] of this.#listeners) {
      this.#listeners.set(
        id,
        Array.from(listeners).sort((a, b) => Number(precedes(b, a)) - Number(precedes(a, b))),
      )
    }
  }

  has(id: string): boolean {
    return this.#listeners.has(id)
  }

  count(): number {
    return Array.from(this.#listeners.values()).reduce((count, { length }) => count + length, 0)
  }

  /** Runs every listener. A failure is reported to its owner and does not affect the others. */
  emit(id: string, payload: unknown): void {
    const listeners = this.#listeners.get(id)
    if (!listeners) return
    for (const listener of listeners) {
      if (listener.removed) continue
      try {
        const result = listener.handler(payload)
        if (result !== undefined) void settle(listener.owner, result, (error) => void this.#failed(id, listener, error))
      } catch (thrown) {
        this.#failed(id, listener, thrown)
      }
    }
  }

  /** Runs every listener at once and waits until all have settled. */
  async parallel(id: string, payload: unknown): Promise<void> {
    const listeners = this.#listeners.get(id)
    if (!listeners) return
    await Promise.all(
      listeners.map(async (listener) => {
        if (listener.removed) return
        try {
          await listener.handler(payload)
        } catch (error) {
          this.#failed(id, listener, error)
        }
      }),
    )
  }

  /** Runs one listener after the other until one returns something other than `undefined`. */
  async bail(id: string, payload: unknown): Promise<unknown> {
    for (const listener of this.#listeners.get(id) ?? none) {
      if (listener.removed) continue
      try {
        const result = await listener.handler(payload)
        if (result !== undefined) return result
      } catch (error) {
        this.#failed(id, listener, error)
      }
    }
    return undefined
  }

  /**
   * Passes the payload through all listeners, each wrapping the next, and finally through `last`. A failure is reported
   * to its owner and rejects, so that a half-transformed payload is never used.
   */
  async waterfall(id: string, payload: unknown, last: (payload: unknown) => unknown): Promise<unknown> {
    const listeners = this.#listeners.get(id)
    if (!listeners) return last(payload)
    const run = async (index: number, value: unknown): Promise<unknown> => {
      const listener = listeners[index]
      if (!listener) return last(value)
      // Its plugin has stopped in the meantime.
      if (listener.removed) return run(index + 1, value)
      // A failure of an inner listener is not reported again for the outer ones.
      let inner: { readonly thrown: unknown } | undefined
      try {
        return await listener.handler(value, (next: unknown) =>
          run(index + 1, next).catch((thrown: unknown) => {
            inner = { thrown }
            throw thrown
          }),
        )
      } catch (thrown) {
        if (inner && inner.thrown === thrown) throw thrown
        throw this.#failed(id, listener, thrown)
      }
    }
    return run(0, payload)
  }

  #failed(id: string, { owner }: Listener, thrown: unknown): KernelError {
    const cause = toError(thrown)
    const error = new KernelError(
      'hook/listener-failed',
      `${owner.name}: listener of "${id}" failed: ${messageOf(cause)}`,
      { cause },
    )
    this.#report(owner, id, error)
    return error
  }
}

function precedes(a: Listener, b: Listener): boolean {
  return a.priority !== b.priority ? a.priority > b.priority : a.owner.position < b.owner.position
}
