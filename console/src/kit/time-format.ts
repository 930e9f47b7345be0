// Times in the zone of the browser are formatted by hand: creating the first Intl formatter takes longer than
// rendering a page.
import { currentLocale } from '../lib/i18n.js'
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

/** Formats a day as all pages do: `Nov 21` of this year, `Nov 21, 2025` of another. */
function dayWithin(time: number, now: number, locale: string): string {
  const year = new Date(time).getFullYear()
  const day = dayOf(time, locale)
  if (year === new Date(now).getFullYear()) return day
  return locale === 'zh-CN' ? `${year}年${day}` : `${day}, ${year}`
}

const momentOf = (time: number, now: number, locale: string, text: string): string =>
  sameDay(time, now) ? text : `${dayWithin(time, now, locale)} ${text}`

/** Formats a moment as all pages do: `14:05` today, `Nov 21 14:05` on another day, with the year of another one. */
export const moment = (time: number, now: number, locale: string): string =>
  momentOf(time, now, locale, clock(time, locale))

/** Formats a moment with seconds, for what follows closely: `14:05:09` today, `Nov 21 14:05:09` on another day. */
export const momentSeconds = (time: number, now: number, locale: string): string =>
  momentOf(time, now, locale, clockSeconds(time, locale))

/** Formats as `1:42`, `24:18` or `3:04:05`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  return hours > 0
    ? `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}

const LENGTHS = { ms: 'ms', s: 's', min: 'min', h: 'h' } as const
const CHINESE = { ms: '毫秒', s: '秒', min: '分钟', h: '小时' } as const

/** Formats as `12 ms`, `4.82 s` or `5 min 34 s`. */
export function elapsed(ms: number, locale: string = currentLocale()): string {
  const unit = locale === 'zh-CN' ? CHINESE : LENGTHS
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ${unit.ms}`
  // Rounding to three digits would make 60.0 s of more.
  if (ms < 59_950) return `${(ms / 1000).toPrecision(3)} ${unit.s}`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} ${unit.h} ${minutes % 60} ${unit.min}`
  return seconds % 60 === 0 ? `${minutes} ${unit.min}` : `${minutes} ${unit.min} ${seconds % 60} ${unit.s}`
}

/** Formats numbers of tokens as `1.2k`, `400k` or `1.0M`. */
export function compactNumber(value: number): string {
  if (value < 1000) return String(value)
  if (value < 999_500) return `${value < 100_000 ? (value / 1000).toFixed(1) : Math.round(value / 1000)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}
