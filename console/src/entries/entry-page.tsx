// A page of an entry, kept from harming the shell, with the culprit named when it fails.
import type { ComponentType, VNode } from 'preact'
import { Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import type { EntryRoute } from '@mynah/sdk'
import { Boundary } from '../app/boundary.js'
import { toast } from '../app/toasts.js'
import { currentLocale, t } from '../lib/i18n.js'
import { Button, EmptyState, Skeleton } from '../ui/index.js'
import { entries, pageFailures } from './load.js'
import { isOwnCopy, renderElement } from './own.js'

const textOf = (error: Error): string => (isOwnCopy(error) ? t('entry.ownCopy') : error.message)

export function EntryPage({ route }: { readonly route: EntryRoute }) {
  const name = entries.get().find((state) => state.id === route.entryId)?.entry.meta.name ?? route.entryId
  const element = route.element as VNode | ComponentType
  useEffect(() => { document.title = `${route.name} · Mynah` }, [route.name])
  const onError = (error: Error): void => {
    const text = textOf(error)
    pageFailures.set({ ...pageFailures.get(), [route.entryId]: text })
    toast(t('entry.toast', { name, error: text }), 'err')
  }
  return (
    <Boundary key={route.path} onError={onError} fallback={(error, retry) => (
      <div class="panel culprit">
        <EmptyState title={t('entry.crashed', { name })} action={<Button onClick={retry}>{t('retry')}</Button>}>{`${name}: ${textOf(error)}`}</EmptyState>
      </div>
    )}>
      <Suspense fallback={<Skeleton label={t('loading')} />}>{renderElement(element, currentLocale())}</Suspense>
    </Boundary>
  )
}
