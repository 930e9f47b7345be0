import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import type { Channel } from '@mynah/contract/types'
import type { Pacing } from '../api/adapter.js'
import { Pacer } from './pacer.js'

/** Time for messages in progress when an endpoint stops, ms. */
const DRAIN_MS = 3_000
/** Names a channel within its endpoint. */
const nameOf = ({ type, id }: Channel): string => `${type}:${id}`
/** Channels whose time is remembered. In a forgotten one the platform refuses once more. */
const MAX_HOLDS = 10_000

/**
 * The order of sending of one endpoint: one message at a time in each channel, at the rate that the platform allows.
 */
export class Outbox {
  readonly #clock: Clock
  readonly #pacer: Pacer | undefined
  readonly #tails = new Map<string, Promise<unknown>>()
  /** Messages that the platform has taken, and whose outcome is being written. */
  readonly #ending = new Set<Promise<unknown>>()
  /** When the platform takes messages again, by channel. */
  readonly #holds = new LruMap<string, number>(MAX_HOLDS)
  #heldUntil = 0
  readonly #waits = new Set<() => void>()
  #isLeaving = false
  #gate: Promise<unknown> | undefined
  /** How many messages wait for the gate. */
  #atGate = 0

  constructor(clock: Clock, pacing?: Pacing) {
    this.#clock = clock
    this.#pacer = pacing && new Pacer(clock, pacing)
  }

  /** Sends nothing before `gate` has settled, except through {@link Outbox.enqueueWaiting}. */
  holdUntil(gate: Promise<unknown>): void {
    const open = (): void => {
      if (this.#gate === gate) this.#gate = undefined
    }
    this.#gate = gate
    gate.then(open, open)
  }

  /** Runs `send` after all earlier sends of the same channel. */
  enqueue<T>(channel: Channel, send: () => Promise<T>): Promise<T> {
    const gate = this.#gate
    if (!gate) return this.#enqueue(channel, send)
    const enter = (): Promise<T> => this.#enqueue(channel, send)
    this.#atGate++
    return gate.then(enter, enter).finally(() => {
      this.#atGate--
    })
  }

  /**
   * As {@link Outbox.enqueue}, without waiting for the gate, for one of many messages that waited in the store. The
   * next one goes on as soon as `send` calls `taken`: its mark is written in one commit with the outcome of this one.
   */
  enqueueWaiting<T>(channel: Channel, send: (taken: () => void) => Promise<T>): Promise<T> {
    let whole!: Promise<T>
    const isTaken = this.#enqueue(
      channel,
      () =>
        new Promise<void>((taken) => {
          whole = send(taken)
          this.#ending.add(whole)
          const ended = (): void => {
            this.#ending.delete(whole)
            taken()
          }
          whole.then(ended, ended)
        }),
    )
    return isTaken.then(() => whole)
  }

  #enqueue<T>(channel: Channel, send: () => Promise<T>): Promise<T> {
    const name = nameOf(channel)
    const before = this.#tails.get(name)
    const mine = before ? before.then(send, send) : send()
    const forget = (): void => {
      if (this.#tails.get(name) === tail) this.#tails.delete(name)
    }
    const tail = mine.then(forget, forget)
    this.#tails.set(name, tail)
    return mine
  }

  /** Waits until the rate of the platform allows one more message, in the order of the calls. */
  pace(channel: Channel): Promise<void> | undefined {
    return this.#pacer?.pace(nameOf(channel))
  }

  /** Notes that the platform takes nothing before a time, in one channel or for the whole account. */
  hold(channel: Channel | undefined, until: number): void {
    if (channel === undefined) this.#heldUntil = Math.max(this.#heldUntil, until)
    else this.#holds.set(nameOf(channel), Math.max(this.#holds.peek(nameOf(channel)) ?? 0, until))
  }

  /** Returns when the platform takes messages of a channel, in milliseconds since the epoch; 0 for now. */
  heldUntil(channel: Channel): number {
    if (this.#holds.size === 0) return this.#heldUntil
    return Math.max(this.#heldUntil, this.#holds.peek(nameOf(channel)) ?? 0)
  }

  /** Waits for a time, in milliseconds, or until the messages are to wait in the store. */
  wait(ms: number): Promise<void> {
    if (this.#isLeaving) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waits.delete(end)
        cancel()
        resolve()
      }
      const cancel = this.#clock.setTimeout(end, Math.max(1, ms))
      this.#waits.add(end)
    })
  }

  /** Whether messages that may wait are left to the next start of the host. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Ends all waits: what the platform does not take now is left to the next start of the host. */
  leave(): void {
    this.#isLeaving = true
    for (const end of [...this.#waits]) end()
  }

  get #isBusy(): boolean {
    return this.#tails.size > 0 || this.#atGate > 0 || this.#ending.size > 0
  }

  /** Resolves when no message is in progress, including those that were added while waiting. */
  async idle(): Promise<void> {
    while (this.#isBusy)
      await Promise.all([this.#gate, ...this.#tails.values(), ...this.#ending].map((one) => one?.catch(done)))
  }

  /**
   * Waits for messages in progress, for {@link DRAIN_MS} at most. Uses a timer of its own, since those of the plugin
   * are cancelled when it stops.
   */
  async drain(): Promise<void> {
    if (!this.#isBusy) return
    const controller = new AbortController()
    await Promise.race([
      this.idle(),
      setTimeout(DRAIN_MS, undefined, { ref: false, signal: controller.signal }).catch(done),
    ])
    controller.abort()
  }
}

const done = (): void => {}
