// Cron expressions in the two languages of the console.
import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'

/** Nothing where the expression has no words. */
export function describeCron(expression: string, locale: string): string | undefined {
  try {
    return cronstrue.toString(expression, {
      locale: locale === 'zh-CN' ? 'zh_CN' : 'en',
      use24HourTimeFormat: true,
      throwExceptionOnParseError: true,
    })
  } catch (error) {
    // The library throws texts; the host says better what is wrong.
    if (typeof error === 'string' || error instanceof Error) return undefined
    throw error
  }
}
