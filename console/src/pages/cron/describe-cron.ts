import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'

/** Returns undefined for an expression that cannot be described. */
export function describeCron(expression: string, locale: string): string | undefined {
  try {
    return cronstrue.toString(expression, {
      locale: locale === 'zh-CN' ? 'zh_CN' : 'en',
      use24HourTimeFormat: true,
      throwExceptionOnParseError: true,
    })
  } catch (error) {
    // The library throws strings. The host reports the problem.
    if (typeof error === 'string' || error instanceof Error) return undefined
    throw error
  }
}
