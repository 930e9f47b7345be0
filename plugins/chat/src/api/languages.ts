/** Languages of the framework's own texts. */
export const LOCALES = ['en', 'zh-CN'] as const
/** A language of Mynah. */
export type Locale = (typeof LOCALES)[number]

/** A short text of a declaration, in English or in English and other languages. */
export type Localized = string | (Readonly<Partial<Record<Locale, string>>> & { readonly en: string })

/** Returns a short text in a language, or in English where it has no other. */
export const localized = (text: Localized, locale: Locale): string =>
  typeof text === 'string' ? text : (text[locale] ?? text.en)

/**
 * Makes a function that returns the texts of a plugin for a language. No language can be left out. The default is
 * English.
 *
 * @example
 * const textsFor = inLanguages({ en: { done: 'Done.' }, 'zh-CN': { done: '完成。' } })
 * textsFor(message.locale).done
 */
export function inLanguages<T>(tables: Readonly<Record<Locale, T>>): (locale: Locale | undefined) => T {
  return (locale) => tables[locale ?? 'en']
}
