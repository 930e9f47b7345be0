import { DAY_MS, HOUR_MS } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'

/** No zone changes its clock by more, including moves across the date line. */
const REACH_MS = 26 * HOUR_MS
/**
 * No zone changes its clock and reverts it within this time. Offsets are slow to compute, so they are cached per block.
 */
const BLOCK_MS = 8 * DAY_MS
const MAX_CACHED_SPANS = 4_096
/** No zone sets its clock back by more. */
const LONGEST_FOLD_MS = 4 * HOUR_MS

/** A clock change backwards at the instant `from`, with the UTC offsets `before` and `after` it in milliseconds. */
export interface Fold {
  readonly from: number
  readonly before: number
  readonly after: number
}

/** A time zone. Wall times are what its clock shows, written as if they were UTC. */
export class Zone {
  readonly name: string
  readonly #format: Intl.DateTimeFormat
  /** Offsets of spans of time. A span with several offsets `changes`. */
  readonly #blocks = new Map<number, number | 'changes'>()
  readonly #days = new Map<number, number | 'changes'>()

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name
    this.#format = format
  }

  /** Returns the wall time at an instant. */
  wall(instant: number): number {
    return instant + this.offset(instant)
  }

  /**
   * Returns the instant of a wall time: the first one when it occurs twice, the end of the gap when it is skipped.
   * Returns `undefined` when the instant is not after `after`.
   */
  instant(wall: number, after: number): number | undefined {
    const found = this.#first(wall)
    return found > after ? found : undefined
  }

  /** Returns the clock change backwards close to an instant, if there is one. */
  fold(instant: number): Fold | undefined {
    let [left, right] = [instant - LONGEST_FOLD_MS, instant + LONGEST_FOLD_MS]
    const [before, after] = [this.offset(left), this.offset(right)]
    if (after >= before) return undefined
    while (right - left > 1) {
      const middle = Math.floor((left + right) / 2)
      if (this.offset(middle) === before) left = middle
      else right = middle
    }
    return { from: right, before, after }
  }

  /** Returns the offset from UTC in milliseconds. */
  offset(instant: number): number {
    return (
      this.#within(this.#blocks, BLOCK_MS, instant) ?? this.#within(this.#days, DAY_MS, instant) ?? this.#exact(instant)
    )
  }

  /** Returns the offset of the span around an instant, or `undefined` when the span has several. */
  #within(spans: Map<number, number | 'changes'>, length: number, instant: number): number | undefined {
    const index = Math.floor(instant / length)
    let known = spans.get(index)
    if (known === undefined) {
      const [first, last] = [this.#exact(index * length), this.#exact((index + 1) * length - 1)]
      known = first === last ? first : 'changes'
      if (spans.size >= MAX_CACHED_SPANS) spans.clear()
      spans.set(index, known)
    }
    return known === 'changes' ? undefined : known
  }

  #first(wall: number): number {
    const offsets = [this.offset(wall - REACH_MS), this.offset(wall + REACH_MS)] as const
    if (offsets[0] === offsets[1]) return wall - offsets[0]
    const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
    for (const candidate of candidates) if (candidate + this.offset(candidate) === wall) return candidate
    // The wall time is skipped. Find the instant at which the clock jumps over it.
    let [before, after] = [Math.min(...candidates), Math.max(...candidates)]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.wall(middle) < wall) before = middle
      else after = middle
    }
    return after
  }

  #exact(instant: number): number {
    const parts: Record<string, number> = {}
    for (const { type, value } of this.#format.formatToParts(instant)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000
  }
}

const zones = new Map<string, Zone>()

let host: { readonly from: string | undefined; readonly name: string } | undefined

/** Returns the zone of the host. */
export function hostZone(): string {
  const from = process.env.TZ
  if (host?.from !== from || !host) host = { from, name: new Intl.DateTimeFormat().resolvedOptions().timeZone }
  return host.name
}

/**
 * Returns a zone by its IANA name, ignoring case.
 *
 * @throws WireError `invalid_request` when it does not exist
 */
export function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    const proper = format.resolvedOptions().timeZone
    const zone = zones.get(proper) ?? new Zone(proper, format)
    zones.set(proper, zone)
    // Bound the number of cached spellings.
    if (zones.size < 2_000) zones.set(name, zone)
    return zone
  } catch (error) {
    throw new WireError(
      'invalid_request',
      `There is no time zone "${name.slice(0, 64)}"; write it as "Europe/Berlin" or "UTC"`,
      { details: [{ path: 'timezone', message: 'must be the name of a time zone' }], cause: error },
    )
  }
}
