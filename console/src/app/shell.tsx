import { useEffect } from 'preact/hooks'
import type { Client } from '@mynah/sdk'
import { DemoStripe } from '../demo/stripe.js'
import { EntryPage } from '../entries/entry-page.js'
import { entries, entriesFailure, entriesReady, nameOf } from '../entries/state.js'
import { failureOf } from '../lib/failure.js'
import { t } from '../lib/i18n.js'
import { findRoute } from '../lib/path.js'
import { railCollapsed } from '../lib/preferences.js'
import { staleFailure } from '../lib/resources.js'
import { navigate, currentLocation } from '../lib/router.js'
import { useStore } from '../lib/use-store.js'
import { pages, startPage, type BuiltInPage } from '../lib/pages.js'
import { Button } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/notice.js'
import { Boundary } from './boundary.js'
import { useCatalogue } from './catalogue.js'
import { HostNotice } from './host-notice.js'
import { LazyPage } from './lazy-page.js'
import { followEvents, restarting } from './event-stream.js'
import { Overlays } from './overlay.js'
import { Rail } from './rail.js'
import { startShortcuts } from './shortcuts.js'
import { toast } from './toasts.js'
import { TopBar, type Crumb } from './topbar.js'

const loadPluginOff = () => import('./not-found.js').then((module) => module.PluginOff)
const loadNotFound = () => import('./not-found.js').then((module) => module.NotFound)

export function Shell({ client }: { readonly client: Client }) {
  const collapsed = useStore(railCollapsed)
  const down = useStore(restarting)
  const { path } = useStore(currentLocation)
  useEffect(() => {
    const ends = [loadLater(client), followEvents(client), startShortcuts(), staleFailure.subscribe(tellFailure)]
    return () => {
      for (const end of ends) end()
    }
  }, [client])
  useEffect(() => {
    if (path === '/' || path === '/login') navigate(startPage, { replace: true })
  }, [path])
  const view = useView(path)
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <div class={collapsed ? 'shell collapsed' : 'shell'}>
        <Rail />
        <div class="column">
          {__DEMO__ ? <DemoStripe /> : null}
          <TopBar crumbs={view.crumbs} own={view.own} />
          <HostNotice restarting={down} />
          <main id="main" tabIndex={-1} class={view.fullWidth ? 'full' : undefined}>
            <div class="page" key={path}>
              <Boundary
                fallback={(error, retry) => (
                  <div class="panel">
                    <EmptyState title={t('page.failed')} action={<Button onClick={retry}>{t('retry')}</Button>}>
                      {error.message}
                    </EmptyState>
                  </div>
                )}
              >
                {view.content}
              </Boundary>
            </div>
          </main>
        </div>
      </div>
      <Overlays />
    </>
  )
}

/** Loads what the first screen does not wait for, after the shell is mounted. */
function loadLater(client: Client): () => void {
  let end: (() => void) | undefined
  let left = false
  import('./later.js').then(
    ({ startLater }) => {
      if (!left) end = startLater(client)
    },
    (error: unknown) => {
      entriesFailure.set(failureOf(error).text)
      entriesReady.set(true)
    },
  )
  return () => {
    left = true
    end?.()
  }
}

function tellFailure(): void {
  const failure = staleFailure.get()
  if (failure) toast(`${failure.call ?? ''}: ${failure.text}`, failure.kind === 'not-ready' ? 'warn' : 'err')
}

interface View {
  readonly content: preact.ComponentChildren
  readonly crumbs: readonly Crumb[]
  readonly own?: string | undefined
  readonly fullWidth: boolean
}

/** Returns the page of the rail that stands for a page, if the host does not provide what it needs. */
function useOffPage(): (page: BuiltInPage) => BuiltInPage | undefined {
  const { known, has } = useCatalogue()
  // A second page of the same name needs the same.
  return ({ name }) => pages().find(({ name: own, menu }) => known && own === name && menu?.needs && !has(menu.needs))
}

function useView(path: string): View {
  const states = useStore(entries)
  const ready = useStore(entriesReady)
  const offPage = useOffPage()
  const builtIn = findRoute(pages(), path)
  if (builtIn) {
    const { route, params } = builtIn
    const above = pages().find((page) => page.path === route.above)
    const page = above ?? route
    const off = offPage(page)
    return {
      content: off ? (
        <LazyPage key={`off${path}`} load={loadPluginOff} props={{ page: off }} />
      ) : (
        <LazyPage key={route.path} load={route.load} props={{ params }} />
      ),
      crumbs: [{ name: t(page.name), path: page.path }],
      // A page whose name is that of the page above shows one object of it, and is called as this.
      own: above && (above.name === route.name ? Object.values(params).at(-1) : t(route.name)),
      fullWidth: route.fullWidth ?? false,
    }
  }
  const found = findRoute(
    states.flatMap((state) => state.routes),
    path,
  )
  if (found)
    return {
      content: <EntryPage route={found.route} />,
      crumbs: [{ name: nameOf(found.route) }],
      fullWidth: found.route.meta?.fullWidth ?? false,
    }
  const loading = states.filter((state) => state.status === 'loading').map((state) => state.entry.meta.name)
  if (path === '/' || !ready) return { content: <Skeleton label={t('loading')} />, crumbs: [], fullWidth: false }
  const failed = states.filter((state) => state.status === 'failed')
  return {
    content: (
      <LazyPage
        key={path}
        load={loadNotFound}
        props={{
          path,
          loading,
          failed: failed.map(({ entry, error }) => `${entry.meta.name}: ${error?.message ?? ''}`),
        }}
      />
    ),
    crumbs: [{ name: t('page.notFound') }],
    fullWidth: false,
  }
}
