// How often an address may guess: ten wrong tokens a minute, then five minutes of refusal.
import { bucketOf } from './address.js'

const WINDOW_MS = 60_000
const ALLOWED = 10
const REFUSED_MS = 300_000
/** Addresses kept at once; the one whose last mistake is oldest goes first. */
const MAX_ADDRESSES = 10_000

interface History { wrong: number[]; refusedUntil: number }

export class Attempts {
  readonly #histories = new Map<string, History>()

  /** Counts a wrong token; answers with the seconds the address has to wait, 0 while it may go on. */
  wrong(address: string, now: number): { retryAfter: number; blockedNow: boolean } {
    const bucket = bucketOf(address)
    let history = this.#histories.get(bucket)
    if (history && history.refusedUntil > now) return { retryAfter: Math.ceil((history.refusedUntil - now) / 1000), blockedNow: false }
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
    return this.#histories.size
  }

  /** Keeps the addresses in the order of their last mistake. */
  #keep(bucket: string, history: History): void {
    this.#histories.delete(bucket)
    this.#histories.set(bucket, history)
    if (this.#histories.size <= MAX_ADDRESSES) return
    const [oldest] = this.#histories.keys()
    this.#histories.delete(oldest as string)
  }
}
