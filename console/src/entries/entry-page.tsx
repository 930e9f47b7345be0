import type { ComponentType, VNode } from 'preact'
import { Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import type { EntryRoute } from '@mynah/sdk'
import { Boundary } from '../app/boundary.js'
import { currentLocale, t } from '../lib/i18n.js'
import { useStore } from '../lib/use-store.js'
import { Button } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/notice.js'
import { PageHead } from '../ui/page-head.js'
import { entries, nameOf, openEntry, pageFailures } from './state.js'
import { isForeignRuntime, renderElement } from './shared-runtime.js'

const textOf = (error: Error): string => (isForeignRuntime(error) ? t('entry.ownCopy') : error.message)

export function EntryPage({ route }: { readonly route: EntryRoute }) {
  const state = useStore(entries).find(({ id }) => id === route.entryId)
  const name = state?.entry.meta.name ?? route.entryId
  const element = route.element as VNode | ComponentType | undefined
  const title = nameOf(route)
  useEffect(() => {
    if (element === undefined) openEntry(route.entryId)
  }, [route.entryId, element === undefined])
  if (element === undefined)
    return (
      <Awaited title={title} name={name} failure={state?.error?.message} onRetry={() => openEntry(route.entryId)} />
    )
  const onError = (error: Error): void => pageFailures.set({ ...pageFailures.get(), [route.entryId]: textOf(error) })
  return (
    <Boundary
      key={route.path}
      onError={onError}
      fallback={(error, retry) => (
        <div class="panel culprit">
          <EmptyState
            title={t('entry.crashed', { name })}
            action={<Button onClick={retry}>{t('retry')}</Button>}
          >{`${name}: ${textOf(error)}`}</EmptyState>
        </div>
      )}
    >
      <Suspense fallback={<Skeleton label={t('loading')} />}>{renderElement(element, currentLocale())}</Suspense>
    </Boundary>
  )
}

interface AwaitedProps {
  readonly title: string
  readonly name: string
  readonly failure: string | undefined
  readonly onRetry: () => void
}

/** Replaces a page while its module loads, or after it failed. */
function Awaited({ title, name, failure, onRetry }: AwaitedProps) {
  if (failure === undefined) return <Skeleton label={t('loading')} />
  return (
    <>
      <PageHead title={title} />
      <div class="panel culprit">
        <EmptyState title={t('entry.notLoaded', { name })} action={<Button onClick={onRetry}>{t('retry')}</Button>}>
          {failure}
        </EmptyState>
      </div>
    </>
  )
}
