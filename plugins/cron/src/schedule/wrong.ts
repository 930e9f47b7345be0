// What is wrong with a cron expression, in words: which field, and what is allowed there.
import type { CronFieldError } from 'node-cron'

interface Field {
  readonly name: string
  readonly allowed: string
  /** How many values it has. */
  readonly size: number
  readonly last: number
  /** Whether people speak of ranges over its end: a night, a winter, a weekend. */
  readonly goesRound: boolean
}

const days = '1-31, L, L-3, LW or 15W'
const FIELDS: readonly Field[] = [
  { name: 'second', allowed: '0-59', size: 60, last: 59, goesRound: false },
  { name: 'minute', allowed: '0-59', size: 60, last: 59, goesRound: false },
  { name: 'hour', allowed: '0-23', size: 24, last: 23, goesRound: true },
  { name: 'day of month', allowed: days, size: 31, last: 31, goesRound: false },
  { name: 'month', allowed: '1-12 or jan-dec', size: 12, last: 12, goesRound: true },
  { name: 'day of week', allowed: '0-7 or sun-sat, 5L or 5#2', size: 7, last: 7, goesRound: true },
]
const NICKNAMES = '@yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly'
/** What stands in fields; names are words. */
const KNOWN = /^[0-9A-Za-z*,/#?-]+$/
const WORDS: Readonly<Record<string, string>> = {
  dayofmonth: 'day of month',
  dayofweek: 'day of week',
  weekday: 'day of week',
}

/** The fields of an expression, each with what stands in it. */
const fieldsOf = (texts: readonly string[]): readonly { readonly field: Field; readonly text: string }[] =>
  (texts.length === 5 || texts.length === 6 ? texts : []).map((text, index) => ({
    field: FIELDS[index + 6 - texts.length] as Field,
    text,
  }))

const wrong = ({ name, allowed }: Field, text: string | undefined, more = ''): string =>
  `the field "${name}"${text === undefined ? '' : ` "${text.slice(0, 40)}"`} is wrong: allowed are ${allowed}, *, lists, ranges and steps${more}`

/** Why an expression was not understood. */
export function explain(errors: readonly CronFieldError[], texts: readonly string[]): string {
  const [first] = errors
  if (!first) return 'it is not understood'
  if (texts[0]?.startsWith('@')) return `of names there are ${NICKNAMES}`
  if (/^(?:CRON_)?TZ=/i.test(texts[0] ?? ''))
    return 'a time zone does not stand in the expression, but beside it as timezone'
  const key = first.field.toLowerCase().replace(/[^a-z]/g, '')
  const known = FIELDS.find(({ name }) => name === (WORDS[key] ?? key))
  if (known) return wrong(known, first.value, /impossible/.test(first.message) ? ' (no such day in that month)' : '')
  const foreign = fieldsOf(texts).find(({ text }) => !KNOWN.test(text))
  if (foreign) return wrong(foreign.field, foreign.text)
  return `it has ${texts.length} ${texts.length === 1 ? 'field' : 'fields'}; five are minute, hour, day of month, month and day of week, six begin with second`
}

/** What is understood and yet means something else than it seems: a range backwards, a step beyond the field. */
export function suspectIn(texts: readonly string[]): string | undefined {
  for (const { field, text } of fieldsOf(texts)) {
    for (const part of text.split(',')) {
      const [, from, to, step] = /^(?:\*|(\d{1,4})(?:-(\d{1,4}))?|[^/]{1,40})(?:\/(\d{1,9}))?$/.exec(part) ?? []
      if (step !== undefined && Number(step) > field.size)
        return wrong(field, part, `; a step goes up to ${field.size}, since it begins anew with the field`)
      if (from === undefined || to === undefined || field.goesRound || Number(from) <= Number(to)) continue
      return wrong(
        field,
        part,
        `; a range does not go backwards here: write ${from}-${field.last},${field.last === 31 ? 1 : 0}-${to} for one over the end`,
      )
    }
  }
  return undefined
}
