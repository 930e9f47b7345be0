import { useEffect, useState } from 'preact/hooks'
import { entriesFailure } from '../entries/state.js'
import { t } from '../lib/i18n.js'
import { useStore } from '../lib/use-store.js'
import { Button } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/notice.js'
import { PageHead } from '../ui/page-head.js'

// One file for both: each costs a line in the list of the first screen.
export { PluginOff } from './plugin-off.js'

/** How long a page of an entry may be missing while modules load, before it counts as not found. */
const GRACE_MS = 400

interface NotFoundProps {
  readonly path: string
  readonly loading: readonly string[]
  readonly failed: readonly string[]
}

/** Reports that no entry has this page. Modules without a manifest may still add it. */
export function NotFound({ path, loading, failed }: NotFoundProps) {
  const [patient, setPatient] = useState(loading.length > 0)
  const listFailure = useStore(entriesFailure)
  useEffect(() => {
    if (!patient) return
    const timer = setTimeout(() => setPatient(false), GRACE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (patient && loading.length > 0) return <Skeleton label={t('loading')} />
  return (
    <>
      <PageHead title={t('page.notFound')} />
      <div class="panel">
        <EmptyState
          title={t('page.notFound.text', { path })}
          action={<Button href="/dashboard">{t('page.toDashboard')}</Button>}
        >
          {loading.length > 0 ? (
            <span role="status">{t('page.notFound.loading', { names: loading.join(', ') })} </span>
          ) : null}
          {failed.length > 0 || listFailure !== undefined ? (
            <span class="break">
              {t('page.notFound.failed', {
                said: [...failed, ...(listFailure === undefined ? [] : [listFailure])].join('; '),
              })}
            </span>
          ) : null}
        </EmptyState>
      </div>
    </>
  )
}
