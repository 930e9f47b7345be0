// A built-in page whose code is loaded when it is first shown.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../lib/i18n.js'
import type { BuiltInPage, PageProps } from '../pages/registry.js'
import { Button, EmptyState, Skeleton } from '../ui/index.js'

const loaded = new Map<string, ComponentType<PageProps>>()

export function LazyPage({ page, params }: { readonly page: BuiltInPage; readonly params: Readonly<Record<string, string>> }) {
  const [failure, setFailure] = useState<string>()
  const [, render] = useState(0)
  useEffect(() => {
    if (loaded.has(page.path)) return
    page.load().then(
      (component) => { loaded.set(page.path, component); render((count) => count + 1) },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [page])
  const Page = loaded.get(page.path)
  if (Page) return <Page params={params} />
  if (failure === undefined) return <Skeleton label={t('loading')} />
  return <div class="panel"><EmptyState title={t('page.chunk')} action={<Button onClick={() => location.reload()}>{t('page.reload')}</Button>}>{failure}</EmptyState></div>
}
