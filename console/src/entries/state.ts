// The entries of the connected host as the shell shows them; what loads them comes after the first screen.
import type { ConsoleEntries, EntryRoute, EntryState, EntryTool } from '@mynah/sdk'
import { currentLocale } from '../lib/i18n.js'
import { createStore } from '../lib/store.js'

export const entries = createStore<readonly EntryState[]>([])
/** The list of entries has been read, or could not be; their modules may still be on their way. */
export const entriesReady = createStore(false)
/** Why the list of entries could not be read. */
export const entriesFailure = createStore<string | undefined>(undefined)
/** Pages of entries that failed while they were shown, by entry id. */
export const pageFailures = createStore<Readonly<Record<string, string>>>({})
/** What loads them, while a host is connected. */
export const entryLoader = createStore<ConsoleEntries | undefined>(undefined)

/** Loads an entry whose module waits for a page of it to be opened. */
export function openEntry(id: string): void {
  void entryLoader.get()?.open(id)
}

/** The name of a page or tool in the language of the console: as its manifest has it, else as it was registered. */
export function nameOf(place: EntryRoute | EntryTool): string {
  const manifest = entries.get().find(({ id }) => id === place.entryId)?.entry.meta.manifest
  const declared =
    'element' in place
      ? manifest?.routes.find(({ path }) => path === place.path)
      : manifest?.tools.find((tool, index) => (tool.id ?? `${place.entryId}:${index + 1}`) === place.id)
  const name = declared?.name ?? place.name
  return typeof name === 'string' ? name : (name[currentLocale()] ?? name.en)
}
