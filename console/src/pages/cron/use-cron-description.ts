// An expression in words; the library comes when the first expression is shown.
import { useEffect, useState } from 'preact/hooks'
import { currentLocale } from '../../lib/i18n.js'

type ToWords = (expression: string, locale: string) => string | undefined

let loaded: ToWords | undefined
let loading: Promise<void> | undefined

async function load(): Promise<void> {
  const { describeCron } = await import('./describe-cron.js')
  loaded = describeCron
}

/** The words of `expression`, or nothing until they are there or where it has none. */
export function useCronDescription(): (expression: string) => string | undefined {
  const [, render] = useState(0)
  useEffect(() => {
    if (loaded) return
    let gone = false
    loading ??= load()
    // Without the words the expression itself says it.
    void loading.then(
      () => {
        if (!gone) render((count) => count + 1)
      },
      () => {
        loading = undefined
      },
    )
    return () => {
      gone = true
    }
  }, [])
  return (expression) => loaded?.(expression, currentLocale())
}
