import { host } from '../../app/host.js'
import { readStored, writeStored } from '../../lib/storage.js'
import { createStore, type Store } from '../../lib/store.js'
import { parseDrafts, type FileDraft } from './model.js'

type Drafts = Readonly<Record<string, FileDraft>>

const stores = new Map<string, Store<Drafts>>()
const WRITE_MS = 400

/** Returns the drafts for the connected host. */
export function draftsOf(): Store<Drafts> {
  const { base } = host()
  const known = stores.get(base)
  if (known) return known
  const key = `mynah_files:${base}`
  const store = createStore<Drafts>(parseDrafts(readStored(key)))
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    writeStored(key, JSON.stringify(store.get()))
  }
  store.subscribe(() => {
    timer ??= setTimeout(write, WRITE_MS)
  })
  addEventListener('pagehide', () => {
    if (timer !== undefined) write()
  })
  stores.set(base, store)
  return store
}

export function putDraft(path: string, draft: FileDraft | undefined): void {
  const store = draftsOf()
  const { [path]: _former, ...others } = store.get()
  store.set(draft === undefined || draft.text === draft.base ? others : { ...others, [path]: draft })
}
