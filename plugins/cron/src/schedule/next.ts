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

/** The first run of an expression after an instant. */
export function nextRun(expression: Expression, zone: Zone, after: number): number | undefined {
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
    if (!Number.isSafeInteger(at) || at < 0 || at > 8.64e15) throw new WireError('invalid_request', 'The time of a job must be milliseconds since the epoch', { details: [{ path: 'schedule.at', message: 'must be a time' }] })
    return { next: (after) => (at > after ? at : undefined), zone: undefined }
  }
  const expression = parseExpression(schedule.cron)
  const zone = zoneOf(schedule.timezone ?? defaultZone ?? hostZone())
  return { next: (after) => nextRun(expression, zone, after), zone: zone.name }
}

/** The next runs, at most `count`. */
export function nextRuns(table: Timetable, after: number, count: number): number[] {
  const runs: number[] = []
  for (let at = table.next(after); at !== undefined && runs.length < count; at = table.next(at)) runs.push(at)
  return runs
}
