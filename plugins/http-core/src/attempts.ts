// How often an address may guess: ten wrong tokens a minute, then five minutes of refusal.
import { bucketOf } from './address.js'

const WINDOW_MS = 60_000
const ALLOWED = 10
const REFUSED_MS = 300_000
/** Addresses in one of the two generations. When the younger is full it becomes the elder, and the elder is forgotten. */
const GENERATION = 5_000

interface History {
  wrong: number[]
  refusedUntil: number
}

export class Attempts {
  #younger = new Map<string, History>()
  #elder = new Map<string, History>()

  /** Counts a wrong token; answers with the seconds the address has to wait, 0 while it may go on. */
  wrong(address: string, now: number): { retryAfter: number; blockedNow: boolean } {
    const bucket = bucketOf(address)
    let history = this.#younger.get(bucket) ?? this.#elder.get(bucket)
    if (history && history.refusedUntil > now)
      return { retryAfter: Math.ceil((history.refusedUntil - now) / 1000), blockedNow: false }
    history ??= { wrong: [], refusedUntil: 0 }
    this.#keep(bucket, history)
    history.wrong = history.wrong.filter((time) => time > now - WINDOW_MS)
    history.wrong.push(now)
    if (history.wrong.length <= ALLOWED) return { retryAfter: 0, blockedNow: false }
    history.wrong = []
    history.refusedUntil = now + REFUSED_MS
    return { retryAfter: REFUSED_MS / 1000, blockedNow: true }
  }

  /** Addresses known at this moment. */
  get size(): number {
    return this.#younger.size + this.#elder.size
  }

  #keep(bucket: string, history: History): void {
    if (this.#younger.size >= GENERATION && !this.#younger.has(bucket)) {
      this.#elder = this.#younger
      this.#younger = new Map()
    }
    this.#younger.set(bucket, history)
  }
}
