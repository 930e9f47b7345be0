// The ring of the last hour in the storage of this tab, one for each host.
import { parseRing, record, type Minute } from './ring.js'
import { createStore } from './store.js'

const key = (base: string): string => `mynah_minutes:${base}`
const rings = new Map<string, ReturnType<typeof createStore<readonly Minute[]>>>()

/** The ring of a host. */
export function minutes(base: string) {
  const known = rings.get(base)
  if (known) return known
  const store = createStore<readonly Minute[]>(parseRing(read(base)))
  rings.set(base, store)
  return store
}

function read(base: string): string | null {
  try {
    return sessionStorage.getItem(key(base))
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

function change(base: string, apply: (minute: Minute) => Minute): void {
  const store = minutes(base)
  store.set(record(store.get(), Date.now(), apply))
  try {
    sessionStorage.setItem(key(base), JSON.stringify(store.get()))
  } catch (error) {
    // Full or switched off: the ring then lasts as long as the page.
    if (!(error instanceof DOMException)) throw error
  }
}

export const countEvent = (base: string): void => change(base, (minute) => ({ ...minute, events: minute.events + 1 }))
export const markDown = (base: string): void => change(base, (minute) => ({ ...minute, down: true }))
export const sampleMemory = (base: string, memory: number): void => change(base, (minute) => ({ ...minute, memory }))
export const sampleEndpoints = (base: string, up: Readonly<Record<string, boolean>>): void =>
  change(base, (minute) => ({ ...minute, up }))
