// Formats times of messages. Formatters are reused, since a long scene has hundreds of times.

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}

export const shortTime = (time: Date, locale: string): string =>
  formatter(locale, { hour: '2-digit', minute: '2-digit', hour12: false }).format(time)
export const longTime = (time: Date, locale: string): string =>
  formatter(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
export const dateAndTime = (time: Date, locale: string): string =>
  formatter(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(time)
export const fullDate = (time: Date, locale: string): string => formatter(locale, { dateStyle: 'full' }).format(time)
