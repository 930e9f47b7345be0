import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@mynah/kernel'

/** Time for messages in progress when an endpoint stops, ms. */
const DRAIN_MS = 3_000

/**
 * The order of sending of one endpoint: one message at a time in each channel, at the rate that the platform allows.
 */
export class Outbox {
  readonly #clock: Clock
  readonly #pacing: { readonly burst: number; readonly perSecond: number } | undefined
  readonly #tails = new Map<string, Promise<unknown>>()
  #tokens: number
  #filledAt: number
  #turn: Promise<void> = Promise.resolve()
  #gate: Promise<unknown> | undefined
  /** How many messages wait for the gate. */
  #atGate = 0

  constructor(clock: Clock, pacing?: { readonly burst: number; readonly perSecond: number }) {
    this.#clock = clock
    this.#pacing = pacing
    this.#tokens = pacing?.burst ?? 0
    this.#filledAt = clock.now()
  }

  /** Sends nothing before `gate` has settled, except through {@link Outbox.enqueueFirst}. */
  holdUntil(gate: Promise<unknown>): void {
    const open = (): void => {
      if (this.#gate === gate) this.#gate = undefined
    }
    this.#gate = gate
    gate.then(open, open)
  }

  /** Runs `send` after all earlier sends of the same channel. */
  enqueue<T>(channel: string, send: () => Promise<T>): Promise<T> {
    const gate = this.#gate
    if (!gate) return this.enqueueFirst(channel, send)
    const enter = (): Promise<T> => this.enqueueFirst(channel, send)
    this.#atGate++
    return gate.then(enter, enter).finally(() => {
      this.#atGate--
    })
  }

  /** As {@link Outbox.enqueue}, without waiting for the gate. */
  enqueueFirst<T>(channel: string, send: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(channel)
    const mine = before ? before.then(send, send) : send()
    const forget = (): void => {
      if (this.#tails.get(channel) === tail) this.#tails.delete(channel)
    }
    const tail = mine.then(forget, forget)
    this.#tails.set(channel, tail)
    return mine
  }

  /** Waits until the rate of the platform allows one more message, in the order of the calls. */
  pace(): Promise<void> | undefined {
    const pacing = this.#pacing
    if (!pacing) return undefined
    return (this.#turn = this.#turn.then(async () => {
      this.#refill(pacing)
      if (this.#tokens < 1) {
        await this.wait(((1 - this.#tokens) / pacing.perSecond) * 1000)
        this.#refill(pacing)
      }
      this.#tokens -= 1
    }))
  }

  #refill({ burst, perSecond }: { burst: number; perSecond: number }): void {
    const now = this.#clock.now()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond)
    this.#filledAt = now
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, Math.max(1, ms))
    })
  }

  /** Resolves when no message is in progress, including those that were added while waiting. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0 || this.#atGate > 0)
      await Promise.all([this.#gate, ...this.#tails.values()].map((one) => one?.catch(done)))
  }

  /**
   * Waits for messages in progress, for {@link DRAIN_MS} at most. Uses a timer of its own, since those of the plugin
   * are cancelled when it stops.
   */
  async drain(): Promise<void> {
    if (this.#tails.size === 0 && this.#atGate === 0) return
    const controller = new AbortController()
    await Promise.race([
      this.idle(),
      setTimeout(DRAIN_MS, undefined, { ref: false, signal: controller.signal }).catch(done),
    ])
    controller.abort()
  }
}

const done = (): void => {}
