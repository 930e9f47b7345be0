import { readStored, writeStored, type Keeping } from './storage.js'
import { createStore, type Store } from './store.js'

const WRITE_MS = 400

export interface DraftStoreOptions<T> {
  readonly key: string
  readonly keeping: Keeping
  /** Reads what was written before, which may be anything. */
  readonly parse: (text: string | null) => T
  readonly format: (value: T) => string
}

/** Returns a store of drafts that outlast a reload: written a moment after a change, and when the page goes. */
export function createDraftStore<T>({ key, keeping, parse, format }: DraftStoreOptions<T>): Store<T> {
  const store = createStore<T>(parse(readStored(key, keeping)))
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    writeStored(key, format(store.get()), keeping)
  }
  store.subscribe(() => {
    timer ??= setTimeout(write, WRITE_MS)
  })
  addEventListener('pagehide', () => {
    if (timer !== undefined) write()
  })
  return store
}
