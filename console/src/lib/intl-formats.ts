const MOST = 200
const made = new Map<string, unknown>()

function cached<T>(kind: string, locale: string, options: object, make: () => T): T {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known !== undefined) return known as T
  // Time zones are typed by people, so the cache is bounded.
  if (made.size >= MOST) made.clear()
  const formatter = make()
  made.set(key, formatter)
  return formatter
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached('date', locale, options, () => new Intl.DateTimeFormat(locale, options))
/** Returns the format of `alice, bob and carol`. */
export const listFormat = (locale: string): Intl.ListFormat =>
  cached('list', locale, {}, () => new Intl.ListFormat(locale, { type: 'conjunction' }))
