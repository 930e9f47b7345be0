import type { CronFieldError } from 'node-cron'

interface Field {
  readonly name: string
  readonly allowed: string
  /** Number of values. */
  readonly size: number
  readonly last: number
  /** Whether ranges may wrap, as in a night, a winter or a weekend. */
  readonly wraps: boolean
}

const days = '1-31, L, L-3, LW or 15W'
const FIELDS: readonly Field[] = [
  { name: 'second', allowed: '0-59', size: 60, last: 59, wraps: false },
  { name: 'minute', allowed: '0-59', size: 60, last: 59, wraps: false },
  { name: 'hour', allowed: '0-23', size: 24, last: 23, wraps: true },
  { name: 'day of month', allowed: days, size: 31, last: 31, wraps: false },
  { name: 'month', allowed: '1-12 or jan-dec', size: 12, last: 12, wraps: true },
  { name: 'day of week', allowed: '0-7 or sun-sat, 5L or 5#2', size: 7, last: 7, wraps: true },
]
const NICKNAMES = '@yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly'
/** Characters of fields and names. */
const VALID_CHARACTERS = /^[0-9A-Za-z*,/#?-]+$/
const WORDS: Readonly<Record<string, string>> = {
  dayofmonth: 'day of month',
  dayofweek: 'day of week',
  weekday: 'day of week',
}

/** Pairs the fields of an expression with their texts. */
const fieldsOf = (texts: readonly string[]): readonly { readonly field: Field; readonly text: string }[] =>
  (texts.length === 5 || texts.length === 6 ? texts : []).map((text, index) => ({
    field: FIELDS[index + 6 - texts.length] as Field,
    text,
  }))

function invalidField({ name, allowed }: Field, text: string | undefined, more = ''): string {
  const quoted = text === undefined ? '' : ` "${text.slice(0, 40)}"`
  return `the field "${name}"${quoted} is wrong: allowed are ${allowed}, *, lists, ranges and steps${more}`
}

/** Explains why node-cron rejected an expression. */
export function explainErrors(errors: readonly CronFieldError[], texts: readonly string[]): string {
  const [first] = errors
  if (!first) return 'it cannot be parsed'
  if (texts[0]?.startsWith('@')) return `the known names are ${NICKNAMES}`
  if (/^(?:CRON_)?TZ=/i.test(texts[0] ?? '')) return 'set the time zone as timezone, not in the expression'
  const key = first.field.toLowerCase().replace(/[^a-z]/g, '')
  const known = FIELDS.find(({ name }) => name === (WORDS[key] ?? key))
  if (known)
    return invalidField(known, first.value, /impossible/.test(first.message) ? ' (no such day in that month)' : '')
  const foreign = fieldsOf(texts).find(({ text }) => !VALID_CHARACTERS.test(text))
  if (foreign) return invalidField(foreign.field, foreign.text)
  const count = `it has ${texts.length} ${texts.length === 1 ? 'field' : 'fields'}`
  return `${count}; five are minute, hour, day of month, month and day of week, six begin with second`
}

/** Finds valid parts with a misleading meaning: backward ranges, and steps beyond the field. */
export function findSuspect(texts: readonly string[]): string | undefined {
  for (const { field, text } of fieldsOf(texts)) {
    for (const part of text.split(',')) {
      const [, from, to, step] = /^(?:\*|(\d{1,4})(?:-(\d{1,4}))?|[^/]{1,40})(?:\/(\d{1,9}))?$/.exec(part) ?? []
      if (step !== undefined && Number(step) > field.size)
        return invalidField(field, part, `; a step goes up to ${field.size}, because it restarts with the field`)
      if (from === undefined || to === undefined || field.wraps || Number(from) <= Number(to)) continue
      const wrapped = `${from}-${field.last},${field.last === 31 ? 1 : 0}-${to}`
      return invalidField(field, part, `; a range does not go backwards here: write ${wrapped} for one over the end`)
    }
  }
  return undefined
}
