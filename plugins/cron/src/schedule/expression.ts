import { DAY_MS } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import { validateDetailed, type ParsedFields } from 'node-cron'
import { explainErrors, findSuspect } from './explain-errors.js'

/** A parsed cron expression. */
export interface Expression {
  readonly text: string
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: ReadonlySet<number>
  /** Whether the expression runs in every hour. It then also runs in both passes of an hour that occurs twice. */
  readonly everyHour: boolean
  /** Returns whether the expression includes a calendar day. `weekday` is 0 for Sunday. */
  matchesDay(year: number, month: number, day: number, weekday: number): boolean
}

const MAX_LENGTH = 256
const weekdayOf = (year: number, month: number, day: number): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay()
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Returns the working day nearest to a day, within its month. */
function nearestWeekday(year: number, month: number, day: number): number {
  const last = daysIn(year, month)
  const target = Math.min(day, last)
  const weekday = weekdayOf(year, month, target)
  if (weekday === 6) return target === 1 ? 3 : target - 1
  if (weekday === 0) return target === last ? target - 2 : target + 1
  return target
}

function isDayOfMonth(item: string, year: number, month: number, day: number): boolean {
  const last = daysIn(year, month)
  if (item === 'L') return day === last
  if (item === 'LW') return day === nearestWeekday(year, month, last)
  if (item.startsWith('L-')) return day === last - Number(item.slice(2))
  // `31W` never matches in a month of 30 days.
  const wanted = Number.parseInt(item, 10)
  return wanted <= last && day === nearestWeekday(year, month, wanted)
}

function isDayOfWeek(item: string, year: number, month: number, day: number, weekday: number): boolean {
  if (Number.parseInt(item, 10) % 7 !== weekday) return false
  if (item.endsWith('L')) return day + 7 > daysIn(year, month)
  return Math.ceil(day / 7) === Number(item.slice(item.indexOf('#') + 1))
}

const isOpen = (field: string | undefined): boolean => field === undefined || field.startsWith('*') || field === '?'
/** Splits the items of a day field into numbers and items that depend on the month, such as `L`. */
function daysOf(
  items: readonly (number | string)[],
  modulo: number,
): { readonly plain: ReadonlySet<number>; readonly special: readonly string[] } {
  return {
    plain: new Set(items.filter((item) => typeof item === 'number').map((item) => item % modulo)),
    special: items.filter((item) => typeof item === 'string'),
  }
}
const sorted = (values: readonly number[]): number[] => Array.from(new Set(values)).sort((a, b) => a - b)

/**
 * Parses an expression of five or six fields.
 *
 * @throws WireError `invalid_request` that names the invalid field and the allowed values
 */
export function parseExpression(text: string): Expression {
  const trimmed = text.trim()
  const bad = (why: string): never => {
    throw new WireError('invalid_request', `The cron expression "${trimmed.slice(0, 80)}" cannot be used: ${why}`, {
      details: [{ path: 'cronExpression', message: why }],
    })
  }
  if (trimmed.length > MAX_LENGTH) bad(`it is longer than ${MAX_LENGTH} characters`)
  // Control characters and non-ASCII spaces are rejected, because they are invisible on a page.
  if (!/^[\x20-\x7e\t]+$/.test(trimmed)) bad('it is empty or has invalid characters')
  const fields = trimmed.split(/[ \t]+/)
  const checked = validateDetailed(fields.join(' '))
  if (!checked.valid || !checked.fields) return bad(explainErrors(checked.errors, fields))
  const suspect = findSuspect(fields)
  if (suspect !== undefined) return bad(suspect)
  const { second, minute, hour, dayOfMonth, month, dayOfWeek }: ParsedFields = checked.fields
  const dayFields = fields.length === 6 ? fields.slice(3) : fields.slice(2)
  const hours = sorted(hour)
  const nickname = trimmed.startsWith('@')
  const anyDay = nickname ? dayOfMonth.length === 31 : isOpen(dayFields[0])
  const anyWeekday = nickname ? dayOfWeek.length === 7 : isOpen(dayFields[2])
  const [ofMonth, ofWeek] = [daysOf(dayOfMonth, 32), daysOf(dayOfWeek, 7)]
  return {
    text: trimmed,
    seconds: sorted(second),
    minutes: sorted(minute),
    hours,
    months: new Set(month),
    everyHour: hours.length === 24 || fields.at(-4)?.startsWith('*') === true,
    matchesDay(year, month, day, weekday) {
      const inMonth = ofMonth.plain.has(day) || ofMonth.special.some((item) => isDayOfMonth(item, year, month, day))
      const inWeek =
        ofWeek.plain.has(weekday) || ofWeek.special.some((item) => isDayOfWeek(item, year, month, day, weekday))
      // Standard cron: when both fields are restricted, either may match.
      return anyDay || anyWeekday ? inMonth && inWeek : inMonth || inWeek
    },
  }
}

/** Months that are searched for a run. They cover the longest gap, a given weekday on 29 February. */
const MAX_MONTHS = 12 * 50

/** Returns the first wall time after `wall` that matches. Wall times are written as if they were UTC. */
export function nextWallTime(expression: Expression, wall: number): number | undefined {
  const from = Math.floor(wall / 1_000) * 1_000 + 1_000
  const today = Math.floor(from / DAY_MS) * DAY_MS
  const date = new Date(today)
  let [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  for (let step = 0; step < MAX_MONTHS; step++, day = 1) {
    if (expression.months.has(month)) {
      const found = nextInMonth(expression, year, month, day, from, today)
      if (found !== undefined) return found
    }
    month = month === 12 ? 1 : month + 1
    if (month === 1) year++
  }
  return undefined
}

function nextInMonth(
  expression: Expression,
  year: number,
  month: number,
  first: number,
  from: number,
  today: number,
): number | undefined {
  const last = daysIn(year, month)
  let start = Date.UTC(year, month - 1, first)
  // The epoch was a Thursday.
  let weekday = (((start / DAY_MS + 4) % 7) + 7) % 7
  for (let day = first; day <= last; day++, start += DAY_MS, weekday = weekday === 6 ? 0 : weekday + 1) {
    if (!expression.matchesDay(year, month, day, weekday)) continue
    const second = nextInDay(expression, start === today ? (from - today) / 1_000 : 0)
    if (second !== undefined) return start + second * 1_000
  }
  return undefined
}

/** Returns the first matching second of a day from second `from`. */
function nextInDay({ hours, minutes, seconds }: Expression, from: number): number | undefined {
  const [hour, minute, second] = [Math.floor(from / 3_600), Math.floor(from / 60) % 60, from % 60]
  for (const h of hours) {
    if (h < hour) continue
    for (const m of minutes) {
      if (h === hour && m < minute) continue
      const s = h === hour && m === minute ? seconds.find((value) => value >= second) : seconds[0]
      if (s !== undefined) return h * 3_600 + m * 60 + s
    }
  }
  return undefined
}
