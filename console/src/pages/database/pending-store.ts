import { host } from '../../app/host.js'
import { createDraftStore } from '../../lib/draft-store.js'
import type { Store } from '../../lib/store.js'
import { countOf, NOTHING, parsePending, type Pending } from './model.js'

const stores = new Map<string, Store<Pending>>()

/** Returns the changes that wait for a table. They outlast the page and a reload, and end with the tab. */
export function pendingOf(table: string): Store<Pending> {
  const key = `${host().base} ${table}`
  const known = stores.get(key)
  if (known) return known
  const store = createDraftStore<Pending>({
    key: `mynah_table:${key}`,
    keeping: 'tab',
    parse: (text) => parsePending(text) ?? NOTHING,
    format: (pending) => (countOf(pending) > 0 ? JSON.stringify(pending) : ''),
  })
  stores.set(key, store)
  return store
}
