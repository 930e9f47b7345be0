import type { EndpointChange } from '@mynah/contract/types'
import { outages, type Outage } from './model.js'

const DAY_MS = 86_400_000

/** A time without a connection. */
export interface Incident extends Outage {
  /** Milliseconds, to now while it lasts. */
  readonly length: number
  /** Tries to connect that failed after the first. */
  readonly retries: number
}

/** Returns the incidents, newest first: all tries of one outage are one. */
export const incidentsOf = (changes: readonly EndpointChange[], now: number): Incident[] =>
  outages(changes).map((outage) => ({
    ...outage,
    length: (outage.until ?? now) - outage.from,
    retries: changes.filter(
      ({ at, status }) => status === 'offline' && at > outage.from && at < (outage.until ?? Number.POSITIVE_INFINITY),
    ).length,
  }))

export interface Uptime {
  /** Online part of the known time, 0 to 1, or undefined where nothing is known. */
  readonly share: number | undefined
  /** Known milliseconds. */
  readonly known: number
}

/** Returns the time online in the last `days`, by the millisecond. Time before the oldest change is not known. */
export function uptime(changes: readonly EndpointChange[], now: number, days: number): Uptime {
  const ordered = [...changes].sort((a, b) => a.at - b.at)
  const from = now - days * DAY_MS
  let [up, known] = [0, 0]
  for (const [index, { at, status }] of ordered.entries()) {
    const length = Math.max(0, Math.min(ordered[index + 1]?.at ?? now, now) - Math.max(at, from))
    known += length
    if (status === 'online') up += length
  }
  return { share: known > 0 ? up / known : undefined, known }
}
