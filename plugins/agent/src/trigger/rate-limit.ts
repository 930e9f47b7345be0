// How much one user of an endpoint may ask: turns a minute and an hour, tokens a day. Bounded in number.
import type { Config } from '../config.js'

const USERS = 10_000
interface Asked {
  readonly turns: number[]
  day: string
  tokens: number
}

export class RateLimit {
  readonly #users = new Map<string, Asked>()

  #of(user: string, now: number): Asked {
    const day = new Date(now).toISOString().slice(0, 10)
    let asked = this.#users.get(user)
    if (!asked) {
      this.#users.set(user, (asked = { turns: [], day, tokens: 0 }))
      if (this.#users.size > USERS) this.#users.delete(this.#users.keys().next().value as string)
    }
    if (asked.day !== day) Object.assign(asked, { day, tokens: 0 })
    while (asked.turns.length && (asked.turns[0] as number) <= now - 3_600_000) asked.turns.shift()
    return asked
  }

  /** Counts a turn; gives the time until which the user has to wait where it is one too many. */
  take(
    user: string,
    { perMinute, perHour, tokensPerDay }: Config['ai.agent']['rateLimit'],
    now: number,
  ): number | undefined {
    if (perMinute === undefined && perHour === undefined && tokensPerDay === undefined) return undefined
    const asked = this.#of(user, now)
    const minute = asked.turns.filter((at) => at > now - 60_000)
    if (perMinute !== undefined && minute.length >= perMinute)
      return (minute[minute.length - perMinute] as number) + 60_000
    if (perHour !== undefined && asked.turns.length >= perHour)
      return (asked.turns[asked.turns.length - perHour] as number) + 3_600_000
    if (tokensPerDay !== undefined && asked.tokens >= tokensPerDay)
      return Date.parse(`${asked.day}T00:00:00Z`) + 86_400_000
    asked.turns.push(now)
    return undefined
  }

  used(user: string, tokens: number, now: number): void {
    this.#of(user, now).tokens += tokens
  }
}
