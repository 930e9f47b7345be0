// Time zones: what a clock on the wall shows at an instant, and at which instant a wall shows a time.
import { WireError } from '@mynah/contract'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** No zone moves its clock by more, the date line included. */
const REACH_MS = 26 * HOUR_MS
/** No zone changes its clock and takes it back within so long; asking a zone is dear, so that whole weeks are asked once. */
const BLOCK_MS = 8 * DAY_MS
const MAX_SPANS_KEPT = 4_096
/** No clock is set back by more today. */
const LONGEST_FOLD_MS = 4 * HOUR_MS

/** A clock that is set back: `from` is the instant at which it is, `before` and `after` how far it is ahead of UTC then. */
export interface Fold {
  readonly from: number
  readonly before: number
  readonly after: number
}

/** One time zone. "Wall" times are what its clock shows, written as if it were UTC. */
export class Zone {
  readonly name: string
  readonly #format: Intl.DateTimeFormat
  /** Offsets of spans of time, where a span has one. */
  readonly #blocks = new Map<number, number | 'changes'>()
  readonly #days = new Map<number, number | 'changes'>()

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name
    this.#format = format
  }

  /** What the clock shows. */
  wall(instant: number): number {
    return instant + this.offset(instant)
  }

  /**
   * The first instant after `after` that counts as this wall time: of a time that comes twice the earlier one, of one that is
   * skipped the end of the gap. Undefined where it is not after `after`.
   */
  instant(wall: number, after: number): number | undefined {
    const found = this.#first(wall)
    return found > after ? found : undefined
  }

  /** The setting back of the clock close to an instant, where there is one. */
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

  /** Milliseconds by which the clock is ahead of UTC. */
  offset(instant: number): number {
    return (
      this.#within(this.#blocks, BLOCK_MS, instant) ?? this.#within(this.#days, DAY_MS, instant) ?? this.#exact(instant)
    )
  }

  /** The offset of the span that an instant lies in, where it has but one. */
  #within(spans: Map<number, number | 'changes'>, length: number, instant: number): number | undefined {
    const index = Math.floor(instant / length)
    let known = spans.get(index)
    if (known === undefined) {
      const [first, last] = [this.#exact(index * length), this.#exact((index + 1) * length - 1)]
      known = first === last ? first : 'changes'
      if (spans.size >= MAX_SPANS_KEPT) spans.clear()
      spans.set(index, known)
    }
    return known === 'changes' ? undefined : known
  }

  #first(wall: number): number {
    const offsets = [this.offset(wall - REACH_MS), this.offset(wall + REACH_MS)] as const
    if (offsets[0] === offsets[1]) return wall - offsets[0]
    const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
    for (const candidate of candidates) if (candidate + this.offset(candidate) === wall) return candidate
    // The wall never shows it: the instant at which the clock jumps over it.
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

/** The zone of the host. */
export function hostZone(): string {
  const from = process.env.TZ
  if (host?.from !== from || !host) host = { from, name: new Intl.DateTimeFormat().resolvedOptions().timeZone }
  return host.name
}

/**
 * A zone by its IANA name, in any case.
 *
 * @throws WireError `invalid_request` for one that does not exist.
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
    // Spellings of the same zone are not kept without end.
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
