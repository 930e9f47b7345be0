import { DAY_MS, HOUR_MS, LruMap, MINUTE_MS } from '@mynah/kernel/util'
import type { Config } from '../config.js'

const MAX_USERS = 10_000

interface Usage {
  /** Starts of the turns of the last hour, in milliseconds since the epoch. */
  readonly turns: number[]
  day: string
  /** Tokens of that day. */
  tokens: number
  /** Until when the user knows that he has to wait. */
  notifiedUntil: number
}

/** Limits the turns of a user per minute and hour, and the tokens per day. The number of known users is bounded. */
export class UserRateLimiter {
  readonly #users = new LruMap<string, Usage>(MAX_USERS)

  #usageOf(user: string, now: number): Usage {
    const day = new Date(now).toISOString().slice(0, 10)
    // `peek` keeps the order of insertion: the user who came first is forgotten first.
    let usage = this.#users.peek(user)
    if (!usage) this.#users.set(user, (usage = { turns: [], day, tokens: 0, notifiedUntil: 0 }))
    if (usage.day !== day) Object.assign(usage, { day, tokens: 0 })
    while ((usage.turns[0] ?? Infinity) <= now - HOUR_MS) usage.turns.shift()
    return usage
  }

  /**
   * Counts a turn.
   *
   * @returns the time in milliseconds since the epoch until which the user has to wait, or `undefined` when the turn is
   * allowed
   */
  take(
    user: string,
    { perMinute, perHour, tokensPerDay }: Omit<Config['ai.agent']['rateLimit'], 'strangersPerHour'>,
    now: number,
  ): number | undefined {
    if (perMinute === undefined && perHour === undefined && tokensPerDay === undefined) return undefined
    const { turns, tokens, day } = this.#usageOf(user, now)
    const lastMinute = turns.filter((at) => at > now - MINUTE_MS)
    if (perMinute !== undefined && lastMinute.length >= perMinute) return (lastMinute.at(-perMinute) ?? now) + MINUTE_MS
    if (perHour !== undefined && turns.length >= perHour) return (turns.at(-perHour) ?? now) + HOUR_MS
    if (tokensPerDay !== undefined && tokens >= tokensPerDay) return Date.parse(`${day}T00:00:00Z`) + DAY_MS
    turns.push(now)
    return undefined
  }

  /** Returns whether a user who has to wait is notified: once, since an automaton would answer each notice. */
  notify(user: string, until: number, now: number): boolean {
    const usage = this.#usageOf(user, now)
    if (now < usage.notifiedUntil) return false
    usage.notifiedUntil = until
    return true
  }

  addTokens(user: string, tokens: number, now: number): void {
    this.#usageOf(user, now).tokens += tokens
  }
}
