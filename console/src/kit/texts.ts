import { currentLocale, fill, t } from '../lib/i18n.js'
import type { MessageKey } from '../locales/en.js'

type Values = Readonly<Record<string, string | number>>

/** Returns the text of a key in the current language, with `{name}` replaced. Keys that the page lacks are the shell's. */
export interface Texts<K extends string> {
  (key: K | MessageKey, values?: Values): string
  readonly en: Readonly<Record<K, string>>
  readonly zhCN: Readonly<Record<K, string>>
}

/** Picks from `one | many` the form for `count`. */
function pluralForm(text: string, count: unknown): string {
  const separator = text.indexOf(' | ')
  if (separator < 0) return text
  return count === 1 || count === '1' ? text.slice(0, separator) : text.slice(separator + 3)
}

/**
 * Makes the text function of a page from its two dictionaries, which the type requires to have the same keys.
 * A text may be `one | many`, chosen by `count`. The texts load with the page, not with the first screen.
 */
export function defineTexts<K extends string>(
  en: Readonly<Record<K, string>>,
  zhCN: Readonly<Record<NoInfer<K>, string>>,
): Texts<K> {
  const read = (key: K | MessageKey, values: Values = {}): string => {
    const page: Readonly<Record<string, string>> = currentLocale() === 'en' ? en : zhCN
    const text = page[key]
    return text === undefined ? t(key as MessageKey, values) : fill(pluralForm(text, values['count']), values)
  }
  return Object.assign(read, { en, zhCN })
}
