// The order of sending: one after the other within a channel, at the pace that the platform allows.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@mynah/kernel'

/** Time that messages on their way have when an endpoint stops, ms. */
const DRAIN_MS = 3_000

export class Outbox {
  readonly #clock: Clock
  readonly #pacing: { readonly burst: number; readonly perSecond: number } | undefined
  readonly #tails = new Map<string, Promise<unknown>>()
  #tokens: number
  #filledAt: number
  #turn: Promise<void> = Promise.resolve()
  #gate: Promise<unknown> | undefined
  /** Messages that wait at the gate. */
  #atGate = 0

  constructor(clock: Clock, pacing?: { readonly burst: number; readonly perSecond: number }) {
    this.#clock = clock
    this.#pacing = pacing
    this.#tokens = pacing?.burst ?? 0
    this.#filledAt = clock.now()
  }

  /** Lets nothing out before `gate` has ended but what {@link Outbox.enqueueFirst} puts in meanwhile. */
  holdUntil(gate: Promise<unknown>): void {
    const open = (): void => {
      if (this.#gate === gate) this.#gate = undefined
    }
    this.#gate = gate
    gate.then(open, open)
  }

  /** Runs `send` after everything that was put in for the same channel before. */
  enqueue<T>(channel: string, send: () => Promise<T>): Promise<T> {
    const gate = this.#gate
    if (!gate) return this.enqueueFirst(channel, send)
    const enter = (): Promise<T> => this.enqueueFirst(channel, send)
    this.#atGate++
    return gate.then(enter, enter).finally(() => {
      this.#atGate--
    })
  }

  /** As {@link Outbox.enqueue}, past a gate. */
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

  /** Waits until the platform's pace allows one more message; first come, first served. */
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

  /** Resolves when nothing is on its way, and nothing has come meanwhile. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0 || this.#atGate > 0)
      await Promise.all([this.#gate, ...this.#tails.values()].map((one) => one?.catch(done)))
  }

  /** Waits for what is on its way, within bounds. By a timer of its own: the plugin's end when it stops. */
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
