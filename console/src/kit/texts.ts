// The texts of one page in both languages; they come with the page and not with the first screen.
import { currentLocale, fill } from '../lib/i18n.js'

/** Gives the text of a key in the current language, with `{name}` replaced. */
export interface Texts<K extends string> {
  (key: K, values?: Readonly<Record<string, string | number>>): string
  readonly en: Readonly<Record<K, string>>
  readonly zhCN: Readonly<Record<K, string>>
}

/** Of `one | many` the form that `count` asks for. */
function formOf(text: string, count: unknown): string {
  const at = text.indexOf(' | ')
  return at < 0 ? text : count === 1 || count === '1' ? text.slice(0, at) : text.slice(at + 3)
}

/** Both dictionaries of a page; the type asks for the same keys in both. A text may be `one | many`, told apart by `count`. */
export function texts<K extends string>(
  en: Readonly<Record<K, string>>,
  zhCN: Readonly<Record<NoInfer<K>, string>>,
): Texts<K> {
  const read = (key: K, values: Readonly<Record<string, string | number>> = {}): string =>
    fill(formOf((currentLocale() === 'en' ? en : zhCN)[key], values['count']), values)
  return Object.assign(read, { en, zhCN })
}
