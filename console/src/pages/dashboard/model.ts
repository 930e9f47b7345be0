import type { Activity, EndpointRow, Ready } from '@mynah/contract/types'
import { minuteSlots, type Minute } from '../../lib/activity-history.js'
import type { Tick, TickTone } from '../../ui/ticks.js'

/** Returns the checks that a host sends with its 503 answer. */
export function readinessFromError(error: unknown): Ready {
  const data = (error as { data?: unknown } | null)?.data
  const checks = (data as { checks?: unknown } | null | undefined)?.checks
  if (typeof checks !== 'object' || checks === null) throw error
  return data as Ready
}

/** Returns the key of an endpoint in the activity history. */
export const endpointKey = (endpoint: { readonly adapter: string; readonly name: string }): string =>
  `${endpoint.adapter}/${endpoint.name}`

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns the next number of the form 1, 2, 4 or 5 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return power * ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10)
}

const TONES: Readonly<Record<string, TickTone>> = { o: 'on', p: 'warn', x: 'err' }
const HEIGHTS: Readonly<Record<string, number>> = { o: 1, p: 0.5, x: 0.35 }

export interface EndpointHour {
  readonly ticks: readonly Tick[]
  /** Minutes online, of those that are known. */
  readonly up: number
  readonly seen: number
  /** Messages in both directions. */
  readonly messages?: number
  /** When it last received or sent something, to the minute. */
  readonly last?: number
}

/** Returns the last hour of an endpoint, as counted by the host or else sampled by this browser. */
export function hourOf(
  endpoint: { readonly adapter: string; readonly name: string },
  activity: Activity | undefined,
  ring: readonly Minute[],
  now: number,
): EndpointHour {
  const counted = activity?.endpoints.find(
    ({ adapter, endpointId }) => adapter === endpoint.adapter && endpointId === endpoint.name,
  )
  if (!activity || !counted) return seenHour(endpointKey(endpoint), ring, now)
  const letters = [...counted.status]
  const busy = counted.received.map((value, index) => value + (counted.sent[index] ?? 0))
  const last = busy.findLastIndex((value) => value > 0)
  return {
    ticks: letters.map((letter) => ({ value: HEIGHTS[letter] ?? 0, tone: TONES[letter] ?? 'off' })),
    up: letters.filter((letter) => letter === 'o').length,
    seen: letters.filter((letter) => letter in TONES).length,
    messages: sum(busy),
    ...(last < 0 ? {} : { last: activity.from + last * activity.step }),
  }
}

function seenHour(key: string, ring: readonly Minute[], now: number): EndpointHour {
  const states = minuteSlots(ring, now).map((minute) => minute?.up?.[key])
  return {
    ticks: states.map((up) => {
      if (up === undefined) return { value: 0, tone: 'off' }
      return up ? { value: 1, tone: 'on' } : { value: 0.35, tone: 'err' }
    }),
    up: states.filter((up) => up === true).length,
    seen: states.filter((up) => up !== undefined).length,
  }
}

const STATUS_ORDER = { offline: 0, pending: 1, online: 2 }

/** Sorts endpoints: offline ones first, then by messages. */
export function byUrgency<T extends { readonly row: EndpointRow; readonly hour: EndpointHour }>(
  endpoints: readonly T[],
): T[] {
  return [...endpoints].sort(
    (a, b) =>
      STATUS_ORDER[a.row.status] - STATUS_ORDER[b.row.status] ||
      (b.hour.messages ?? 0) - (a.hour.messages ?? 0) ||
      a.row.name.localeCompare(b.row.name),
  )
}

/** Returns the memory of each minute of the last hour, scaled to a round number above the maximum. */
export function memoryHour(ring: readonly Minute[], now: number): { readonly ticks: Tick[]; readonly top: number } {
  const all = minuteSlots(ring, now)
  const top = roundUp(Math.max(1, ...all.map((minute) => minute?.memory ?? 0)))
  return {
    top,
    ticks: all.map((minute) =>
      minute?.memory === undefined ? { value: 0, tone: 'off' } : { value: minute.memory / top, tone: 'on' },
    ),
  }
}
