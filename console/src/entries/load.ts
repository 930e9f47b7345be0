// Loads the entries of the connected host and gives them their API.
import type { ConsoleEntry } from '@mynah/contract/types'
import { startConsoleEntries, type Client, type ConsoleEntries } from '@mynah/sdk'
import { toast, type ToastTone } from '../app/toasts.js'
import { currentLocale, t, type Locale } from '../lib/i18n.js'
import { pages } from '../lib/pages.js'
import { matchPath } from '../lib/path.js'
import { navigate } from '../lib/router.js'
import { isElement } from './shared-runtime.js'
import { entries, entriesFailure, entriesReady, entryLoader, pageFailures } from './state.js'

/** What entries find in `hostApi` besides `addRoute`, `addPage` and `addTool`. */
export interface ConsoleHostApi {
  readonly client: Client
  readonly navigate: (path: string, options?: { replace?: boolean }) => void
  readonly toast: (text: string, tone?: ToastTone) => void
  /** Picks the text of the current language, English where that is missing. */
  readonly t: (texts: { readonly en: string } & Partial<Readonly<Record<Locale, string>>>) => string
  readonly locale: () => Locale
}

function hostApi(client: Client): ConsoleHostApi & { addRoute(route: { path: string }): void } {
  return {
    client,
    navigate,
    toast,
    t: (texts) => texts[currentLocale()] ?? texts.en,
    locale: currentLocale,
    addRoute({ path }) {
      const taken =
        path === '/' || path === '/login' || pages().some((page) => page.path === path || matchPath(page.path, path))
      if (taken) throw new TypeError(t('entry.taken', { path }))
    },
  }
}

/**
 * Loads the entries of a host; those with a manifest when one of their pages is opened. What fails stays with the entry: the
 * rail marks it, the dashboard and the plugin's page say why.
 */
export function loadEntries(client: Client): () => void {
  pageFailures.set({})
  entriesFailure.set(undefined)
  const loader: ConsoleEntries = startConsoleEntries<object>({
    hostApi: hostApi(client),
    assetOrigin: client.base,
    isElement,
    defer: () => true,
    watch: (update) =>
      client.events.on('sync', ({ key, value }) => {
        if (key === 'entries' && Array.isArray(value)) update(value as ConsoleEntry[])
      }),
    onChange: (states) => {
      if (entryLoader.get() !== loader) return
      entries.set(states)
      entriesReady.set(true)
      entriesFailure.set(loader.error?.message)
    },
  })
  entryLoader.set(loader)
  return () => {
    if (entryLoader.get() === loader) entryLoader.set(undefined)
    entries.set([])
    entriesReady.set(false)
    loader.dispose()
  }
}
