// What is being handled, and who is told of it when it does not end. One timer at most, and none while nothing is handled.
import type { Clock } from '@mynah/kernel'
import { UnorderedSet } from '../util/unordered-set.js'
import type { ReceivedMessage } from './received-message.js'

interface Deps {
  readonly clock: Clock
  /** Seconds after which a message is told of, unless what runs names its own. */
  readonly slowAfter: () => number
  readonly tell: (message: ReceivedMessage, seconds: number) => void
}

export class SlowWatch {
  readonly #deps: Deps
  readonly #watched = new UnorderedSet<ReceivedMessage>()
  #due = Infinity
  #cancel: (() => void) | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  add(message: ReceivedMessage): void {
    message.startedAt = this.#deps.clock.now()
    this.#watched.add(message)
    if (!this.#cancel) this.#arm(message.startedAt + this.#deps.slowAfter() * 1000, message.startedAt)
  }

  delete(message: ReceivedMessage): void {
    this.#watched.delete(message)
  }

  /** What runs now has a time of its own. */
  setSlowAfter(message: ReceivedMessage, seconds: number): void {
    message.slowAfter = seconds
    const due = message.startedAt + seconds * 1000
    if (due < this.#due) this.#arm(due, this.#deps.clock.now())
  }

  /** Messages that are handled now, in no order. */
  all(): readonly ReceivedMessage[] {
    return this.#watched.all()
  }

  get size(): number {
    return this.#watched.size
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#due = Infinity
  }

  #arm(due: number, now: number): void {
    this.#cancel?.()
    this.#due = due
    this.#cancel = this.#deps.clock.setTimeout(() => this.#look(), Math.max(1, due - now))
  }

  #look(): void {
    this.close()
    const now = this.#deps.clock.now()
    let next = Infinity
    for (const message of this.#watched.all()) {
      if (message.slowReported) continue
      const seconds = message.slowAfter ?? this.#deps.slowAfter()
      const due = message.startedAt + seconds * 1000
      if (due <= now) {
        message.slowReported = true
        this.#deps.tell(message, seconds)
      } else next = Math.min(next, due)
    }
    if (next !== Infinity) this.#arm(next, now)
  }
}
