import { host } from '../../app/host.js'
import { createStore, type Store } from '../../lib/store.js'
import { NOTHING, type Pending } from './model.js'

const stores = new Map<string, Store<Pending>>()

export function pendingOf(table: string): Store<Pending> {
  const key = `${host().base} ${table}`
  const known = stores.get(key)
  if (known) return known
  const store = createStore<Pending>(NOTHING)
  stores.set(key, store)
  return store
}
