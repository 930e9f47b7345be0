import { WireError } from '@mynah/contract'
import type { JobSchedule } from '@mynah/contract/types'
import { nextWallTime, parseExpression, type Expression } from './expression.js'
import { hostZone, zoneOf, type Zone } from './zone.js'

/** Computes the runs of a schedule. */
export interface Timetable {
  /** Returns the first run after an instant, or `undefined` when there is none. */
  next(after: number): number | undefined
  /** Zone of a cron schedule. */
  readonly zone: string | undefined
}

/** Wall times that a search tries. They cover a day of repeated seconds. */
const MAX_STEPS = 100_000

/** Returns the first run after an instant. In an hour that occurs twice, only expressions for every hour run twice. */
function nextRun(expression: Expression, zone: Zone, after: number): number | undefined {
  const fold = expression.everyHour ? zone.fold(after) : undefined
  if (!fold) return nextOnce(expression, zone, after)
  const isSecondPass = after >= fold.from
  const wall = nextWallTime(expression, isSecondPass ? after + fold.after : fold.from + fold.after - 1_000)
  const repeated = wall === undefined || wall >= fold.from + fold.before ? undefined : wall - fold.after
  if (isSecondPass && repeated !== undefined) return repeated
  const next = nextOnce(expression, zone, after)
  return repeated === undefined ? next : Math.min(next ?? Infinity, repeated)
}

/** Returns the first run, with each wall time counted once. */
function nextOnce(expression: Expression, zone: Zone, after: number): number | undefined {
  let wall = zone.wall(after)
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = nextWallTime(expression, wall)
    if (found === undefined) return undefined
    const instant = zone.instant(found, after)
    if (instant !== undefined) return instant
    wall = found
  }
  return undefined
}

/**
 * Returns the timetable of a schedule.
 *
 * @throws WireError `invalid_request` for an invalid expression, zone or time
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

/** Creates the error for an expression without any run. */
export const noNextRun = (expression: string): WireError =>
  new WireError('invalid_request', `The cron expression "${expression.slice(0, 80)}" has no next run`, {
    details: [{ path: 'cronExpression', message: 'must have a next run' }],
  })

/** Timetables by zone and expression, shared so that jobs with equal schedules compute their runs once. */
const tables = new Map<string, Timetable>()
const MAX_TABLES = 4_096
/** Runs that a timetable caches. */
const REMEMBERED = 32

class CronTable implements Timetable {
  readonly #expression: Expression
  readonly #zone: Zone
  /** Consecutive runs after `#from`, in order. */
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

/** Returns at most `count` runs after an instant. */
export function nextRuns(table: Timetable, after: number, count: number): number[] {
  const runs: number[] = []
  for (let at = table.next(after); at !== undefined && runs.length < count; at = table.next(at)) runs.push(at)
  return runs
}
