// A page whose code comes when it is first shown.
import type { ComponentType } from 'preact'
import { t } from '../lib/i18n.js'
import { hasNavigated } from '../lib/router.js'
import { useDeferredMount } from '../lib/use-deferred-mount.js'
import { useLazy } from '../lib/use-lazy.js'
import { Button } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/notice.js'

export interface LazyPageProps<P> {
  readonly load: () => Promise<ComponentType<P>>
  readonly props: P
}

export function LazyPage<P extends object>({ load, props }: LazyPageProps<P>) {
  const { loaded: Page, failure } = useLazy(load)
  // The page that was left goes in one task, the next one comes in another: together they are longer than a frame on a slow machine.
  const due = useDeferredMount(hasNavigated.get())
  if (Page && !due) return null
  if (Page) return <Page {...props} />
  if (failure === undefined) return <Skeleton label={t('loading')} />
  return (
    <div class="panel">
      <EmptyState
        title={t('page.chunk')}
        action={<Button onClick={() => location.reload()}>{t('page.reload')}</Button>}
      >
        {failure}
      </EmptyState>
    </div>
  )
}
