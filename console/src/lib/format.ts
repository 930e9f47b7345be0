// Numbers, durations and times as text.
import { dates, numbers, relative } from './intl.js'

/** `6d 04:12`, `04:12:33`, the word for days in the language. */
export function duration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number): string => String(value).padStart(2, '0')
  const days = Math.floor(whole / 86_400)
  const clock = `${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}`
  return days > 0 ? `${numbers(locale, { style: 'unit', unit: 'day', unitDisplay: 'narrow' }).format(days)} ${clock}` : `${clock}:${two(whole % 60)}`
}

/** Bytes with a unit, three figures. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let rest = value
  let unit = 0
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1024
    unit += 1
  }
  return `${unit === 0 ? rest : rest.toPrecision(3)} ${units[unit]}`
}

/** `12 s ago` in the language, relative to `now`. */
export function ago(time: number, now: number, locale: string): string {
  const seconds = Math.round((time - now) / 1000)
  const format = relative(locale)
  const size = Math.abs(seconds)
  if (size < 60) return format.format(seconds, 'second')
  if (size < 3600) return format.format(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return format.format(Math.round(seconds / 3600), 'hour')
  return format.format(Math.round(seconds / 86_400), 'day')
}

/** Date and time in the language. */
export function dateTime(time: number, locale: string): string {
  return dates(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
}

/** The time of day in the language. */
export function clockTime(time: number, locale: string): string {
  return dates(locale, { timeStyle: 'short' }).format(time)
}

const NAME_LENGTH = 60

/** The first line of a text as a name, cut at a word where it is long. */
export function brief(text: string): string {
  const [line = ''] = text.split('\n', 1)
  if (line.length <= NAME_LENGTH) return line
  const cut = line.slice(0, NAME_LENGTH)
  const space = cut.lastIndexOf(' ')
  return `${(space > NAME_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[,;:.]$/, '')}…`
}
