import { useEffect, useState } from 'preact/hooks'
import { currentLocale } from '../../lib/i18n.js'

type ToWords = (expression: string, locale: string) => string | undefined

let loaded: ToWords | undefined
let loading: Promise<void> | undefined

async function load(): Promise<void> {
  const { describeCron } = await import('./describe-cron.js')
  loaded = describeCron
}

/** Returns a function that describes an expression, or returns undefined while the library loads. */
export function useCronDescription(): (expression: string) => string | undefined {
  const [, render] = useState(0)
  useEffect(() => {
    if (loaded) return
    let gone = false
    loading ??= load()
    // Without the library the expression itself is shown.
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
