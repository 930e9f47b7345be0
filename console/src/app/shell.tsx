// The shell of a signed-in console: rail, bar, page, and what lies over them.
import { useEffect } from 'preact/hooks'
import type { Client } from '@mynah/sdk'
import { EntryPage } from '../entries/entry-page.js'
import { entries, entriesReady, loadEntries } from '../entries/load.js'
import { t } from '../lib/i18n.js'
import { findRoute } from '../lib/path.js'
import { railCollapsed } from '../lib/preferences.js'
import { staleFailure } from '../lib/resources.js'
import { navigate, place } from '../lib/router.js'
import { useStore } from '../lib/use-store.js'
import { pages } from '../pages/registry.js'
import { Button, EmptyState, PageHead, Skeleton } from '../ui/index.js'
import { Boundary } from './boundary.js'
import { LazyPage } from './lazy-page.js'
import { follow, restarting } from './live.js'
import { Overlays } from './overlay.js'
import { Rail } from './rail.js'
import { startShortcuts } from './shortcuts.js'
import { toast } from './toasts.js'
import { TopBar, type Crumb } from './topbar.js'

export function Shell({ client }: { readonly client: Client }) {
  const collapsed = useStore(railCollapsed)
  const down = useStore(restarting)
  const { path } = useStore(place)
  useEffect(() => {
    const ends = [loadEntries(client), follow(client), startShortcuts(), staleFailure.subscribe(tellFailure)]
    return () => { for (const end of ends) end() }
  }, [client])
  useEffect(() => {
    if (path === '/' || path === '/login') navigate('/dashboard', { replace: true })
  }, [path])
  const view = useView(path)
  return (
    <>
      <a class="skip" href="#main">{t('skip')}</a>
      <div class={collapsed ? 'shell collapsed' : 'shell'}>
        <Rail />
        <div class="column">
          <TopBar crumbs={view.crumbs} />
          {down ? <div class="banner" role="alert">{t('restart.banner')}</div> : null}
          <main id="main" tabIndex={-1} class={view.fullWidth ? 'full' : undefined}>
            <div class="page" key={path}>
              <Boundary fallback={(error, retry) => (
                <div class="panel"><EmptyState title={t('page.failed')} action={<Button onClick={retry}>{t('retry')}</Button>}>{error.message}</EmptyState></div>
              )}>{view.content}</Boundary>
            </div>
          </main>
        </div>
      </div>
      <Overlays />
    </>
  )
}

function tellFailure(): void {
  const failure = staleFailure.get()
  if (failure) toast(`${failure.call ?? ''}: ${failure.text}`, failure.kind === 'not-ready' ? 'warn' : 'err')
}

function useView(path: string): { content: preact.ComponentChildren; crumbs: readonly Crumb[]; fullWidth: boolean } {
  const states = useStore(entries)
  const ready = useStore(entriesReady)
  const builtIn = findRoute(pages, path)
  if (builtIn) {
    const { route, params } = builtIn
    const above = pages.find((page) => page.path === route.above)
    const own = Object.values(params)[0]
    const crumbs = above ? [{ name: t(above.name), path: above.path }, { name: own ?? t(route.name) }] : [{ name: t(route.name) }]
    return { content: <LazyPage key={route.path} load={route.load} props={{ params }} />, crumbs, fullWidth: route.fullWidth ?? false }
  }
  const found = findRoute(states.flatMap((state) => state.routes), path)
  if (found) return { content: <EntryPage route={found.route} />, crumbs: [{ name: found.route.name }], fullWidth: found.route.meta?.fullWidth ?? false }
  if (path === '/' || !ready || states.some((state) => state.status === 'loading')) return { content: <Skeleton label={t('loading')} />, crumbs: [], fullWidth: false }
  return {
    content: <>
      <PageHead title={t('page.notFound')} />
      <div class="panel"><EmptyState title={t('page.notFound')} action={<Button href="/dashboard">{t('page.toDashboard')}</Button>}>{t('page.notFound.text', { path })}</EmptyState></div>
    </>,
    crumbs: [{ name: t('page.notFound') }],
    fullWidth: false,
  }
}
