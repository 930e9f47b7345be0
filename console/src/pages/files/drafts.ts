import { host } from '../../app/host.js'
import { createDraftStore } from '../../lib/draft-store.js'
import type { Store } from '../../lib/store.js'
import { movedPath, parseDrafts, type FileDraft } from './model.js'

type Drafts = Readonly<Record<string, FileDraft>>

const stores = new Map<string, Store<Drafts>>()

/** Returns the drafts for the connected host. */
export function draftsOf(): Store<Drafts> {
  const { base } = host()
  const known = stores.get(base)
  if (known) return known
  const store = createDraftStore<Drafts>({
    key: `mynah_files:${base}`,
    keeping: 'browser',
    parse: parseDrafts,
    format: JSON.stringify,
  })
  stores.set(base, store)
  return store
}

export function putDraft(path: string, draft: FileDraft | undefined): void {
  const store = draftsOf()
  const { [path]: _former, ...others } = store.get()
  store.set(draft === undefined || draft.text === draft.base ? others : { ...others, [path]: draft })
}

/** Keeps the drafts of what was moved. */
export function moveDrafts(from: string, to: string): void {
  const store = draftsOf()
  store.set(Object.fromEntries(Object.entries(store.get()).map(([path, draft]) => [movedPath(path, from, to), draft])))
}
