import type { BaseContext } from '@mynah/kernel'
import type { EndpointKey } from '../api/store.js'
import type { ChatSettings } from '../settings.js'
import { UnorderedSet } from '../util/unordered-set.js'
import type { ReceivedMessage } from './received-message.js'

/** The messages that are being handled. Reports each that takes too long, with one timer for all of them. */
export class ActiveMessages {
  readonly #ctx: BaseContext<unknown>
  readonly #settings: ChatSettings
  readonly #messages = new UnorderedSet<ReceivedMessage>()
  #idle: (() => void)[] = []
  #due = Infinity
  #cancelTimer: (() => void) | undefined
  #closed = false

  constructor(ctx: BaseContext<unknown>, settings: ChatSettings) {
    this.#ctx = ctx
    this.#settings = settings
  }

  get size(): number {
    return this.#messages.size
  }

  /** Returns the rows of the messages. */
  rows(): string[] {
    return this.#messages.all().map(({ record }) => record.id)
  }

  /** Whether messages of an endpoint are being handled. */
  hasAny({ adapter, endpoint }: EndpointKey): boolean {
    return this.#messages.all().some((message) => message.adapter === adapter && message.endpoint === endpoint)
  }

  add(message: ReceivedMessage): void {
    message.startedAt = this.#ctx.clock.now()
    this.#messages.add(message)
    if (!this.#cancelTimer)
      this.#schedule(message.startedAt + this.#settings.commands.slowAfter * 1000, message.startedAt)
  }

  delete(message: ReceivedMessage): void {
    this.#messages.delete(message)
    if (this.#messages.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Resolves when no message is being handled. */
  idle(): Promise<void> {
    return this.#messages.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#idle.push(resolve)
        })
  }

  /** Sets the seconds after which this message counts as slow. */
  setSlowAfter(message: ReceivedMessage, seconds: number): void {
    message.slowAfter = seconds
    const due = message.startedAt + seconds * 1000
    if (due < this.#due) this.#schedule(due, this.#ctx.clock.now())
  }

  /** Sets no more timers. */
  close(): void {
    this.#closed = true
    this.#stopTimer()
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#due = Infinity
  }

  #schedule(due: number, now: number): void {
    if (this.#closed) return
    this.#cancelTimer?.()
    this.#due = due
    this.#cancelTimer = this.#ctx.clock.setTimeout(() => this.#reportSlow(), Math.max(1, due - now))
  }

  #reportSlow(): void {
    this.#stopTimer()
    const now = this.#ctx.clock.now()
    let next = Infinity
    for (const message of this.#messages.all()) {
      if (message.slowReported) continue
      const seconds = message.slowAfter ?? this.#settings.commands.slowAfter
      const due = message.startedAt + seconds * 1000
      if (due <= now) {
        message.slowReported = true
        this.#report(message, seconds)
      } else next = Math.min(next, due)
    }
    if (next !== Infinity) this.#schedule(next, now)
  }

  #report(message: ReceivedMessage, seconds: number): void {
    const step = message.currentStep()
    message.trace.step('handling', '', 'slow', `${step} has not ended after ${seconds} s`)
    this.#ctx.log.warn(`${step} has been running for ${seconds} s`, {
      adapter: message.adapter,
      endpoint: message.endpoint,
      messageId: message.id,
    })
  }
}
