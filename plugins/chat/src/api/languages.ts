// The languages that the framework speaks, and texts in each of them.

/** Languages that the framework's own replies come in. */
export const LOCALES = ['en', 'zh-CN'] as const
export type Locale = (typeof LOCALES)[number]

/** A short text of a declaration: English, or one that has English and may have others. */
export type Localized = string | (Readonly<Partial<Record<Locale, string>>> & { readonly en: string })

/** A short text in a language, else in English. */
export const localized = (text: Localized, locale: Locale): string =>
  typeof text === 'string' ? text : (text[locale] ?? text.en)

/**
 * What a plugin says to people: one table a language, of which none can be left out. Where nobody's language is known it is English.
 *
 * @example
 * const textsFor = inLanguages({ en: { done: 'Done.' }, 'zh-CN': { done: '完成。' } })
 * textsFor(message.locale).done
 */
export function inLanguages<T>(tables: Readonly<Record<Locale, T>>): (locale: Locale | undefined) => T {
  return (locale) => tables[locale ?? 'en']
}
