import { currentLocale } from '../lib/i18n.js'

const inChinese = (): boolean => currentLocale() === 'zh-CN'

/** Joins items of one kind, as `alice, bob`. Chinese uses its enumeration comma. */
export const joinList = (items: readonly string[]): string => items.join(inChinese() ? '、' : ', ')

/** Joins facts without empty ones, as `5 tasks, 2 failed`. */
export const joinFacts = (...items: readonly string[]): string => items.filter(Boolean).join(inChinese() ? '，' : ', ')
