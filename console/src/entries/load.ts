import type { ConsoleEntry } from '@mynah/contract/types'
import { startConsoleEntries, type Client, type ConsoleEntries } from '@mynah/sdk'
import { toast, type ToastTone } from '../app/toasts.js'
import { defineTexts } from '../kit/texts.js'
import { currentLocale, type Locale } from '../lib/i18n.js'
import { pages } from '../lib/pages.js'
import { matchPath } from '../lib/path.js'
import { navigate } from '../lib/router.js'
import { isElement } from './shared-runtime.js'
import { entries, entriesFailure, entriesReady, entryLoader, pageFailures } from './state.js'

const t = defineTexts({ taken: 'route {path} belongs to the console' }, { taken: '路由 {path} 属于控制台' })

/** Members of `hostApi` besides `addRoute`, `addPage` and `addTool`. */
export interface ConsoleHostApi {
  readonly client: Client
  readonly navigate: (path: string, options?: { replace?: boolean }) => void
  readonly toast: (text: string, tone?: ToastTone) => void
  /** Picks the text of the current language, or English. */
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
      if (taken) throw new TypeError(t('taken', { path }))
    },
  }
}

/**
 * Loads the entries of a host. Those with a manifest load when one of their pages is opened. A failure affects only
 * its entry: the
 * rail marks it, and the dashboard and the plugin's page show the reason.
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
