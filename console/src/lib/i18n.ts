import { en, type MessageKey } from '../locales/en.js'
import { groupThousands } from './format.js'
import { readStored, writeStored } from './storage.js'
import { createStore } from './store.js'
import { useStore } from './use-store.js'

export type Locale = 'en' | 'zh-CN'
type Messages = Readonly<Record<MessageKey, string>>

const KEY = 'mynah_locale'
const loaded = createStore<{ locale: Locale; messages: Messages }>({ locale: 'en', messages: en })

/** Returns the text of `key` with `{name}` replaced. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(loaded.get().messages[key], values)
}

/** A number as the language writes it. */
export const formatNumber = groupThousands

/** Replaces `{name}`, and `{name:row|rows}` by the form for its number. A name without a value stays visible. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one !== undefined) return String(value) === '1' ? one : (many ?? '')
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

export const currentLocale = (): Locale => loaded.get().locale

/** Returns the language and renders again when it changes. */
export function useLocale(): Locale {
  return useStore(loaded).locale
}

export async function setLocale(locale: Locale): Promise<void> {
  const messages = locale === 'en' ? en : (await import('../locales/zh-CN.js')).zhCN
  loaded.set({ locale, messages })
  document.documentElement.lang = locale
  writeStored(KEY, locale)
}

/** Loads the stored language, else the browser's. */
export async function startLocale(): Promise<void> {
  const wanted = readStored(KEY) ?? navigator.language
  if (wanted.toLowerCase().startsWith('zh')) await setLocale('zh-CN')
}
