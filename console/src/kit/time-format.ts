// Times in the zone of the browser are formatted by hand: creating the first Intl formatter takes longer than
// rendering a page.
import { dateFormat } from '../lib/intl-formats.js'

const of = (locale: string, options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat =>
  dateFormat(locale, { ...options, timeZone })

const two = (value: number): string => String(value).padStart(2, '0')

/** Formats as `14:05`. */
export function clock(time: number, locale: string, timeZone?: string): string {
  if (timeZone !== undefined)
    return of(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timeZone).format(time)
  const date = new Date(time)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Formats as `14:05:09`. */
export const clockSeconds = (time: number, locale: string): string =>
  `${clock(time, locale)}:${two(new Date(time).getSeconds())}`

/** Formats as `14:05:09.123`. */
export const clockMillis = (time: number, locale: string): string =>
  `${clockSeconds(time, locale)}.${String(time % 1000).padStart(3, '0')}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats as `Nov 21`. */
export function dayOf(time: number, locale: string, timeZone?: string): string {
  if (timeZone !== undefined) return of(locale, { day: 'numeric', month: 'short' }, timeZone).format(time)
  const date = new Date(time)
  return locale === 'zh-CN'
    ? `${date.getMonth() + 1}月${date.getDate()}日`
    : `${MONTHS[date.getMonth()]} ${date.getDate()}`
}

/** Formats as `Nov 21, 2026 14:05:09`. */
export function dateTime(time: number, locale: string): string {
  const year = new Date(time).getFullYear()
  return locale === 'zh-CN'
    ? `${year}年${dayOf(time, locale)} ${clockSeconds(time, locale)}`
    : `${dayOf(time, locale)}, ${year} ${clockSeconds(time, locale)}`
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Formats as `Sat`. */
export function weekday(time: number, locale: string, timeZone?: string): string {
  if (timeZone !== undefined) return of(locale, { weekday: 'short' }, timeZone).format(time)
  const day = new Date(time).getDay()
  return locale === 'zh-CN' ? `周${'日一二三四五六'[day]}` : (DAYS[day] ?? '')
}

/** Formats as `Sat 14:05`. */
export const weekdayClock = (time: number, locale: string, timeZone?: string): string =>
  `${weekday(time, locale, timeZone)} ${clock(time, locale, timeZone)}`

/** Returns whether both are on one day of this browser. */
export function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString()
}

/** Returns the clock time for today, else the day. */
export const clockOrDay = (time: number, now: number, locale: string): string =>
  sameDay(time, now) ? clock(time, locale) : dayOf(time, locale)

/** Formats as `1:42`, `24:18` or `3:04:05`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  return hours > 0
    ? `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}

/** Formats as `12 ms`, `4.82 s` or `5 min 34 s`. */
export function elapsed(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  // Rounding to three digits would make 60.0 s of more.
  if (ms < 59_950) return `${(ms / 1000).toPrecision(3)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Formats numbers of tokens as `1.2k`, `400k` or `1.0M`. */
export function compactNumber(value: number): string {
  if (value < 1000) return String(value)
  if (value < 999_500) return `${value < 100_000 ? (value / 1000).toFixed(1) : Math.round(value / 1000)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}
