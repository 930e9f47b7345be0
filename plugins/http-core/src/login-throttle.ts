import { bucketOf } from './address.js'

const WINDOW_MS = 60_000
const ALLOWED = 10
const REFUSED_MS = 300_000
/** Size of a generation of addresses. A full young generation becomes the old one, and the old one is forgotten. */
const GENERATION_SIZE = 5_000

interface AddressHistory {
  failures: number[]
  blockedUntil: number
}

/** Limits how often an address may guess: ten wrong tokens a minute, then five minutes of refusal. */
export class LoginThrottle {
  #young = new Map<string, AddressHistory>()
  #old = new Map<string, AddressHistory>()

  /** Counts a wrong token. Returns the seconds that the address has to wait, 0 if it may try again at once. */
  recordFailure(address: string, now: number): { retryAfter: number; blockedNow: boolean } {
    const bucket = bucketOf(address)
    let history = this.#young.get(bucket) ?? this.#old.get(bucket)
    if (history && history.blockedUntil > now)
      return { retryAfter: Math.ceil((history.blockedUntil - now) / 1000), blockedNow: false }
    history ??= { failures: [], blockedUntil: 0 }
    this.#keep(bucket, history)
    history.failures = history.failures.filter((time) => time > now - WINDOW_MS)
    history.failures.push(now)
    if (history.failures.length <= ALLOWED) return { retryAfter: 0, blockedNow: false }
    history.failures = []
    history.blockedUntil = now + REFUSED_MS
    return { retryAfter: REFUSED_MS / 1000, blockedNow: true }
  }

  /** Number of addresses with a history. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  #keep(bucket: string, history: AddressHistory): void {
    if (this.#young.size >= GENERATION_SIZE && !this.#young.has(bucket)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(bucket, history)
  }
}
