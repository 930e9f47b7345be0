import { useMemo, useState } from 'preact/hooks'
import { host } from '../app/host.js'
import { createDraftStore } from '../lib/draft-store.js'
import { parseJson } from '../lib/parse-json.js'
import { createStore, type Store } from '../lib/store.js'
import { setUnsaved } from '../lib/unsaved.js'
import { useStore } from '../lib/use-store.js'

export interface Draft<T> {
  readonly value: T
  /** Takes a value, or what makes it of the latest one: several may come before one render. */
  readonly set: (next: T | ((now: T) => T)) => void
  /** Forgets what was typed, as after it was sent or saved. */
  readonly clear: () => void
  /** Whether something of an earlier visit was found. */
  readonly isKept: boolean
}

export interface DraftOptions {
  /** Never written to a storage: the page alone keeps it, and the browser asks before it is reloaded. */
  readonly secret?: boolean
}

const stores = new Map<string, Store<unknown>>()

/**
 * Keeps what a person types below `name`, which says where it was typed: another page, another row or a closed dialog
 * lose nothing, and neither does a reload. It ends with the tab, by `clear`, or by typing what was there at first.
 */
export function useDraft<T>(name: string, initial: T, { secret = false }: DraftOptions = {}): Draft<T> {
  const { base } = host()
  const store = useMemo(() => storeOf(`${base}:${name}`, secret), [base, name, secret])
  const found = useStore(store)
  const [kept, setKept] = useState({ store, isKept: found !== undefined })
  // Another name is another visit.
  if (kept.store !== store) setKept({ store, isKept: found !== undefined })
  const valueOf = (stored: unknown): T =>
    stored !== undefined && (secret || fits(stored, initial)) ? (stored as T) : initial
  return {
    value: valueOf(found),
    set: (change) => {
      const next = typeof change === 'function' ? (change as (now: T) => T)(valueOf(store.get())) : change
      store.set(JSON.stringify(next) === JSON.stringify(initial) ? undefined : next)
    },
    clear: () => {
      store.set(undefined)
      setKept({ store, isKept: false })
    },
    isKept: kept.isKept && found !== undefined,
  }
}

function storeOf(key: string, secret: boolean): Store<unknown> {
  const known = stores.get(key)
  if (known) return known
  const store = secret ? secretStore(key) : tabStore(key)
  stores.set(key, store)
  return store
}

const tabStore = (key: string): Store<unknown> =>
  createDraftStore<unknown>({
    key: `mynah_draft:${key}`,
    keeping: 'tab',
    parse: parseJson,
    format: (value) => (value === undefined ? '' : JSON.stringify(value)),
  })

function secretStore(key: string): Store<unknown> {
  const store = createStore<unknown>(undefined)
  store.subscribe(() => setUnsaved(key, store.get() !== undefined))
  return store
}

/** Returns whether a stored value has the form of `initial`. Another version of the console may have written it. */
function fits(found: unknown, initial: unknown): boolean {
  if (typeof found !== typeof initial || found === null) return false
  if (typeof initial !== 'object' || initial === null) return true
  return Object.entries(initial).every(
    ([key, value]) => typeof (found as Record<string, unknown>)[key] === typeof value,
  )
}
