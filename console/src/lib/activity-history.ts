import { parseJson } from './parse-json.js'
import { readStored, writeStored } from './storage.js'
import { createStore } from './store.js'

export interface Minute {
  /** Minutes since the epoch. */
  readonly minute: number
  /** Number of events of the stream. */
  readonly events: number
  /** Resident memory in MB. */
  readonly memory?: number
  /** Whether the event stream was down at some time. */
  readonly down?: boolean
  /** Whether each endpoint was up at the last sample, by adapter and name. */
  readonly up?: Readonly<Record<string, boolean>>
}

const HISTORY_MINUTES = 60

/** Returns `history` with `change` applied to the minute of `now`, without minutes older than an hour. */
export function recordMinute(history: readonly Minute[], now: number, change: (minute: Minute) => Minute): Minute[] {
  const minute = Math.floor(now / 60_000)
  const kept = history.filter((item) => item.minute > minute - HISTORY_MINUTES && item.minute < minute)
  const current = history.find((item) => item.minute === minute) ?? { minute, events: 0 }
  return [...kept, change(current)]
}

/** Returns one slot per minute, oldest first. Minutes without a sample are undefined. */
export function minuteSlots(history: readonly Minute[], now: number): (Minute | undefined)[] {
  const last = Math.floor(now / 60_000)
  const byMinute = new Map(history.map((item) => [item.minute, item]))
  return Array.from({ length: HISTORY_MINUTES }, (_, index) => byMinute.get(last - HISTORY_MINUTES + 1 + index))
}

/** Parses a stored history. Invalid items are dropped. */
export function parseHistory(text: string | null): Minute[] {
  const value = parseJson(text)
  if (!Array.isArray(value)) return []
  return value.filter(
    (item): item is Minute =>
      typeof item === 'object' &&
      item !== null &&
      Number.isInteger((item as Minute).minute) &&
      Number.isFinite((item as Minute).events),
  )
}

const key = (base: string): string => `mynah_minutes:${base}`
const histories = new Map<string, ReturnType<typeof createStore<readonly Minute[]>>>()

/** Returns the activity of the last hour of a host, kept in the storage of this tab. */
export function activityHistory(base: string) {
  const known = histories.get(base)
  if (known) return known
  const store = createStore<readonly Minute[]>(parseHistory(readStored(key(base), 'tab')))
  histories.set(base, store)
  return store
}

function change(base: string, apply: (minute: Minute) => Minute): void {
  const store = activityHistory(base)
  store.set(recordMinute(store.get(), Date.now(), apply))
  writeStored(key(base), JSON.stringify(store.get()), 'tab')
}

export const countEvent = (base: string): void => change(base, (minute) => ({ ...minute, events: minute.events + 1 }))
export const markDown = (base: string): void => change(base, (minute) => ({ ...minute, down: true }))
export const sampleMemory = (base: string, memory: number): void => change(base, (minute) => ({ ...minute, memory }))
export const sampleEndpoints = (base: string, up: Readonly<Record<string, boolean>>): void =>
  change(base, (minute) => ({ ...minute, up }))
