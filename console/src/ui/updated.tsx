import { useEffect, useState } from 'preact/hooks'
import { ago } from '../lib/format.js'
import { currentLocale, t } from '../lib/i18n.js'

const STEP_MS = 5000

export function Updated({ at }: { readonly at: number | undefined }) {
  const [, render] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => render((count) => count + 1), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === undefined) return null
  return <span class="muted">{t('list.updated', { ago: ago(at, Date.now(), currentLocale()) })}</span>
}
