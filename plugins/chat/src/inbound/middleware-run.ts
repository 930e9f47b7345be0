// The middlewares around one message. Nothing is made for a level but its `next`; who failed is found out only when one has.
import { toError } from '@mynah/kernel'
import type { Message } from '../api/message.js'
import type { Middleware } from '../api/points.js'

export interface OwnedMiddleware {
  readonly value: Middleware
  readonly owner: string
}

export class MiddlewareRun {
  readonly #ordered: readonly OwnedMiddleware[]
  readonly #message: Message
  readonly #last: () => Promise<void>
  readonly #results: Promise<void>[]
  #reached = 0

  constructor(ordered: readonly OwnedMiddleware[], message: Message, last: () => Promise<void>) {
    this.#ordered = ordered
    this.#message = message
    this.#last = last
    this.#results = new Array<Promise<void>>(ordered.length + 1)
  }

  /** Runs the middleware at `index` around all that follow. */
  run(index: number): Promise<void> {
    this.#reached = index
    const entry = this.#ordered[index]
    const result = entry ? this.#call(entry.value, index) : this.#last()
    this.#results[index] = result
    return result
  }

  #call(middleware: Middleware, index: number): Promise<void> {
    try {
      const result = middleware.handle(this.#message, () => this.#next(middleware, index))
      // One that does not wait for the rest is waited for all the same.
      if (result instanceof Promise) return result
      // Promises of other libraries count too.
      return typeof (result as PromiseLike<void> | undefined)?.then === 'function'
        ? Promise.resolve(result)
        : (this.#results[index + 1] ?? Promise.resolve())
    } catch (error) {
      return Promise.reject(toError(error))
    }
  }

  #next(middleware: Middleware, index: number): Promise<void> {
    if (this.#reached > index)
      return Promise.reject(new Error(`The middleware "${middleware.name}" called next() twice`))
    return this.run(index + 1)
  }

  /** What it has come to. */
  get current(): string {
    const entry = this.#ordered[this.#reached]
    return entry ? `the middleware "${entry.value.name}"` : 'the dispatcher'
  }

  /** The middleware that did not call `next`, once the chain has run. */
  get stoppedBy(): OwnedMiddleware | undefined {
    return this.#ordered[this.#reached]
  }

  /** The middleware whose own failure made the chain fail; nothing where it was what they stand around. */
  async culprit(): Promise<OwnedMiddleware | undefined> {
    const outcomes = await Promise.allSettled(this.#results)
    for (let index = outcomes.length - 1; index >= 0; index--) {
      if (outcomes[index]?.status === 'rejected') return this.#ordered[index]
    }
    return undefined
  }
}
