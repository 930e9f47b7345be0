// The entries of the connected host: loading, the API they are given, what became of each.
import type { ConsoleEntry } from '@mynah/contract/types'
import { loadConsoleEntries, type Client, type ConsoleEntries, type EntryState } from '@mynah/sdk'
import { currentLocale, t, type Locale } from '../lib/i18n.js'
import { matchPath } from '../lib/path.js'
import { navigate } from '../lib/router.js'
import { createStore } from '../lib/store.js'
import { pages } from '../pages/registry.js'
import { toast, type ToastTone } from '../app/toasts.js'
import { isElement } from './own.js'

/** What entries find in `hostApi` besides `addRoute`, `addPage` and `addTool`. */
export interface ConsoleHostApi {
  readonly client: Client
  readonly navigate: (path: string, options?: { replace?: boolean }) => void
  readonly toast: (text: string, tone?: ToastTone) => void
  /** Picks the text of the current language, English where that is missing. */
  readonly t: (texts: { readonly en: string } & Partial<Readonly<Record<Locale, string>>>) => string
  readonly locale: () => Locale
}

export const entries = createStore<readonly EntryState[]>([])
/** The list of entries has been read, or could not be. */
export const entriesReady = createStore(false)
/** Pages of entries that failed while they were shown, by entry id. */
export const pageFailures = createStore<Readonly<Record<string, string>>>({})

let current: { readonly loaded: Promise<ConsoleEntries> } | undefined

function hostApi(client: Client): ConsoleHostApi & { addRoute(route: { path: string }): void } {
  return {
    client,
    navigate,
    toast,
    t: (texts) => texts[currentLocale()] ?? texts.en,
    locale: currentLocale,
    addRoute({ path }) {
      const taken = path === '/' || path === '/login' || pages.some((page) => page.path === path || matchPath(page.path, path))
      if (taken) throw new TypeError(t('entry.taken', { path }))
    },
  }
}

/** Loads the entries of a host; what fails is told in a toast and kept with the entry. */
export function loadEntries(client: Client): () => void {
  const told = new Set<string>()
  pageFailures.set({})
  const loaded = loadConsoleEntries<object>({
    hostApi: hostApi(client),
    assetOrigin: client.base,
    isElement,
    onChange: (states) => {
      if (current?.loaded !== loaded) return
      entries.set(states)
      for (const { id, entry, error } of states) {
        const key = `${id} ${entry.resolvedModule} ${error?.message}`
        if (!error || told.has(key)) continue
        told.add(key)
        toast(t('entry.toast', { name: entry.meta.name, error: error.message }), 'err')
      }
    },
  })
  current = { loaded }
  void loaded.then((list) => {
    if (current?.loaded !== loaded) return
    entries.set(list.entries)
    entriesReady.set(true)
    if (list.error) toast(list.error.message, 'err')
  })
  return () => {
    if (current?.loaded === loaded) current = undefined
    entries.set([])
    entriesReady.set(false)
    void loaded.then((list) => list.dispose())
  }
}

/** Takes the list that the stream sent. */
export async function updateEntries(list: readonly ConsoleEntry[]): Promise<void> {
  const running = current
  const loaded = await running?.loaded
  if (running === current) await loaded?.update(list)
}
