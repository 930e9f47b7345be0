import type { ConsoleEntries, EntryRoute, EntryState, EntryTool } from '@mynah/sdk'
import { currentLocale } from '../lib/i18n.js'
import { createStore } from '../lib/store.js'

export const entries = createStore<readonly EntryState[]>([])
/** Whether the list of entries has loaded or failed. Modules may still be loading. */
export const entriesReady = createStore(false)
/** Why the list of entries failed to load. */
export const entriesFailure = createStore<string | undefined>(undefined)
/** Pages of entries that failed while they were shown, by entry id. */
export const pageFailures = createStore<Readonly<Record<string, string>>>({})
/** The loader of the entries while a host is connected. */
export const entryLoader = createStore<ConsoleEntries | undefined>(undefined)

/** Loads an entry whose module is deferred. */
export function openEntry(id: string): void {
  void entryLoader.get()?.open(id)
}

/** Returns the name of a page or tool in the current language, from its manifest or its registration. */
export function nameOf(place: EntryRoute | EntryTool): string {
  const manifest = entries.get().find(({ id }) => id === place.entryId)?.entry.meta.manifest
  const declared =
    'element' in place
      ? manifest?.routes.find(({ path }) => path === place.path)
      : manifest?.tools.find((tool, index) => (tool.id ?? `${place.entryId}:${index + 1}`) === place.id)
  const name = declared?.name ?? place.name
  return typeof name === 'string' ? name : (name[currentLocale()] ?? name.en)
}
