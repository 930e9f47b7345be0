import { parseHosts, type KnownHost } from './hosts.js'
import { readStored, writeStored } from './storage.js'
import { createStore, type Store } from './store.js'

export type Theme = 'system' | 'light' | 'dark'

function stored<T>(key: string, read: (text: string | null) => T, write: (value: T) => string): Store<T> {
  const store = createStore<T>(read(readStored(key)))
  store.subscribe(() => writeStored(key, write(store.get())))
  return store
}

const oneOf =
  <T extends string>(choices: readonly T[], fallback: T) =>
  (text: string | null): T =>
    choices.find((choice) => choice === text) ?? fallback
const asText = <T extends string>(value: T): string => value
const flag =
  (fallback: boolean) =>
  (text: string | null): boolean =>
    text === null ? fallback : text === 'on'
const asFlag = (value: boolean): string => (value ? 'on' : 'off')

export const theme = stored<Theme>('mynah_theme', oneOf(['system', 'light', 'dark'], 'system'), asText)
export const shortcutsOn = stored('mynah_shortcuts', flag(true), asFlag)
export const railCollapsed = stored('mynah_rail', flag(false), asFlag)
export const hosts = stored<KnownHost[]>('mynah_hosts', parseHosts, (value) => JSON.stringify(value))
