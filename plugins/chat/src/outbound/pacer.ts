import type { Clock } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import type { Pacing } from '../api/adapter.js'

/** Channels whose rate is remembered. A forgotten one may send its burst again. */
const MAX_CHANNELS = 10_000

/** Spreads messages over time, at the rate that a platform allows. */
export class Pacer {
  readonly #clock: Clock
  readonly #pacing: Pacing
  readonly #buckets = new LruMap<string, Bucket>(MAX_CHANNELS)

  constructor(clock: Clock, pacing: Pacing) {
    this.#clock = clock
    this.#pacing = pacing
  }

  /** Waits until the rate allows one more message, in the order of the calls. */
  pace(channel: string): Promise<void> {
    const name = this.#pacing.per === 'channel' ? channel : ''
    let bucket = this.#buckets.get(name)
    if (!bucket) this.#buckets.set(name, (bucket = new Bucket(this.#clock, this.#pacing)))
    return bucket.take()
  }
}

class Bucket {
  readonly #clock: Clock
  readonly #pacing: Pacing
  #tokens: number
  #filledAt: number
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Clock, pacing: Pacing) {
    this.#clock = clock
    this.#pacing = pacing
    this.#tokens = pacing.burst
    this.#filledAt = clock.now()
  }

  take(): Promise<void> {
    return (this.#turn = this.#turn.then(async () => {
      this.#refill()
      if (this.#tokens < 1) {
        const waitMs = ((1 - this.#tokens) / this.#pacing.perSecond) * 1000
        await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, Math.max(1, waitMs)))
        this.#refill()
      }
      this.#tokens -= 1
    }))
  }

  #refill(): void {
    const { burst, perSecond } = this.#pacing
    const now = this.#clock.now()
    // The clock may have been set back.
    const elapsed = Math.max(0, now - this.#filledAt)
    this.#tokens = Math.min(burst, this.#tokens + (elapsed / 1000) * perSecond)
    this.#filledAt = now
  }
}
