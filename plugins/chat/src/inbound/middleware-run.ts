import { toError } from '@mynah/kernel'
import type { Message } from '../api/message.js'
import type { Middleware } from '../api/points.js'

export interface OwnedMiddleware {
  readonly value: Middleware
  /** Name of the plugin that contributed it. */
  readonly owner: string
}

/** Runs the middlewares around one message. To stay fast, each level allocates its `next` and nothing else. */
export class MiddlewareRun {
  readonly #ordered: readonly OwnedMiddleware[]
  readonly #message: Message
  readonly #last: () => Promise<void>
  readonly #results: Promise<void>[]
  /** Index of the innermost middleware that has started. */
  #reached = 0

  /** @param last runs within the innermost middleware */
  constructor(ordered: readonly OwnedMiddleware[], message: Message, last: () => Promise<void>) {
    this.#ordered = ordered
    this.#message = message
    this.#last = last
    this.#results = new Array<Promise<void>>(ordered.length + 1)
  }

  /** Runs all middlewares. Rejects when one of them or `last` fails. */
  start(): Promise<void> {
    return this.#runFrom(0)
  }

  #runFrom(index: number): Promise<void> {
    this.#reached = index
    const entry = this.#ordered[index]
    const result = entry ? this.#call(entry.value, index) : this.#last()
    this.#results[index] = result
    return result
  }

  #call(middleware: Middleware, index: number): Promise<void> {
    try {
      const result = middleware.handle(this.#message, () => this.#next(middleware, index))
      if (result instanceof Promise) return result
      // Promises of other libraries count too.
      return typeof (result as PromiseLike<void> | undefined)?.then === 'function'
        ? Promise.resolve(result)
        : // A middleware may call `next` without awaiting it: the run waits for the inner levels at any rate.
          (this.#results[index + 1] ?? Promise.resolve())
    } catch (error) {
      return Promise.reject(toError(error))
    }
  }

  #next(middleware: Middleware, index: number): Promise<void> {
    if (this.#reached > index)
      return Promise.reject(new Error(`The middleware "${middleware.name}" called next() twice`))
    return this.#runFrom(index + 1)
  }

  /** Describes what runs now. */
  get currentStep(): string {
    const entry = this.#ordered[this.#reached]
    return entry ? `the middleware "${entry.value.name}"` : 'the dispatcher'
  }

  /** The middleware that did not call `next`, once the run has ended. */
  get stoppedBy(): OwnedMiddleware | undefined {
    return this.#ordered[this.#reached]
  }

  /** Returns the middleware that failed by itself, or `undefined` when `last` failed. */
  async findFailed(): Promise<OwnedMiddleware | undefined> {
    const outcomes = await Promise.allSettled(this.#results)
    for (let index = outcomes.length - 1; index >= 0; index--) {
      if (outcomes[index]?.status === 'rejected') return this.#ordered[index]
    }
    return undefined
  }
}
