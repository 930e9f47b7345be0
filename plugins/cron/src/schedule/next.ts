// The next runs of a schedule in its time zone.
import { WireError } from '@mynah/contract'
import type { JobSchedule } from '@mynah/contract/types'
import { nextWall, parseExpression, type Expression } from './expression.js'
import { hostZone, zoneOf, type Zone } from './zone.js'

/** A schedule that can be asked for its runs. */
export interface Timetable {
  /** The first run after an instant, or `undefined` where there is none. */
  next(after: number): number | undefined
  /** Name of the zone, for schedules that have one. */
  readonly zone: string | undefined
}

/** Wall times that are looked at before a search is given up: a day of the seconds that a clock shows twice. */
const MAX_STEPS = 100_000

/** The first run of an expression after an instant. What counts every hour goes on through one that comes twice, what names an hour comes once. */
function nextRun(expression: Expression, zone: Zone, after: number): number | undefined {
  const fold = expression.everyHour ? zone.fold(after) : undefined
  if (!fold) return nextOnce(expression, zone, after)
  const isBack = after >= fold.from
  const wall = nextWall(expression, isBack ? after + fold.after : fold.from + fold.after - 1_000)
  const again = wall === undefined || wall >= fold.from + fold.before ? undefined : wall - fold.after
  if (isBack && again !== undefined) return again
  const next = nextOnce(expression, zone, after)
  return again === undefined ? next : Math.min(next ?? Infinity, again)
}

/** The first run, each time of the clock on the wall counted once. */
function nextOnce(expression: Expression, zone: Zone, after: number): number | undefined {
  let wall = zone.wall(after)
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = nextWall(expression, wall)
    if (found === undefined) return undefined
    const instant = zone.instant(found, after)
    if (instant !== undefined) return instant
    wall = found
  }
  return undefined
}

/**
 * Makes a timetable.
 *
 * @throws WireError `invalid_request` for an expression, a zone or a time that cannot be used.
 */
export function timetable(schedule: JobSchedule, defaultZone: string | undefined): Timetable {
  if ('at' in schedule) {
    const { at } = schedule
    if (!Number.isSafeInteger(at) || at < 0 || at > 8.64e15)
      throw new WireError('invalid_request', 'The time of a job must be milliseconds since the epoch', {
        details: [{ path: 'schedule.at', message: 'must be a time' }],
      })
    return { next: (after) => (at > after ? at : undefined), zone: undefined }
  }
  const zone = zoneOf(schedule.timezone ?? defaultZone ?? hostZone())
  const key = `${zone.name} ${schedule.cron}`
  const known = tables.get(key)
  if (known) return known
  const table = new CronTable(parseExpression(schedule.cron), zone)
  if (tables.size >= MAX_TABLES) tables.clear()
  tables.set(key, table)
  return table
}

/** What is told of an expression that has no run. */
export const neverComes = (expression: string): WireError =>
  new WireError('invalid_request', `The cron expression "${expression.slice(0, 80)}" never comes`, {
    details: [{ path: 'cronExpression', message: 'must have a next run' }],
  })

/** Timetables of the same words are one, so that what one job found the others know. */
const tables = new Map<string, Timetable>()
const MAX_TABLES = 4_096
/** Runs that a timetable remembers. */
const REMEMBERED = 32

class CronTable implements Timetable {
  readonly #expression: Expression
  readonly #zone: Zone
  /** All runs after `#from`, up to the last of them, in order. */
  #runs: number[] = []
  #from = 0

  constructor(expression: Expression, zone: Zone) {
    this.#expression = expression
    this.#zone = zone
  }

  get zone(): string {
    return this.#zone.name
  }

  next(after: number): number | undefined {
    const last = this.#runs.at(-1)
    if (last !== undefined && after >= this.#from && after < last) return this.#runs.find((run) => run > after)
    const found = nextRun(this.#expression, this.#zone, after)
    if (found === undefined) return undefined
    if (after !== last) {
      this.#from = after
      this.#runs = []
    } else if (this.#runs.length >= REMEMBERED) this.#from = this.#runs.shift() as number
    this.#runs.push(found)
    return found
  }
}

/** The next runs, at most `count`. */
export function nextRuns(table: Timetable, after: number, count: number): number[] {
  const runs: number[] = []
  for (let at = table.next(after); at !== undefined && runs.length < count; at = table.next(at)) runs.push(at)
  return runs
}
