// Several things in one line, with the marks of the language between them.
import { currentLocale } from '../lib/i18n.js'

const inChinese = (): boolean => currentLocale() === 'zh-CN'

/** Things of one kind: `alice, bob`; Chinese has a comma of its own for these. */
export const joinList = (items: readonly string[]): string => items.join(inChinese() ? '、' : ', ')

/** Facts one after the other, those that are empty left out: `5 tasks, 2 failed`. */
export const joinFacts = (...items: readonly string[]): string => items.filter(Boolean).join(inChinese() ? '，' : ', ')
