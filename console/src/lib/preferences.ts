// What a person has chosen in this browser: theme, language, rail, shortcuts, hosts.
import { createStore, type Store } from './store.js'

export type Theme = 'system' | 'light' | 'dark'

/** A host that was used here; never with its token. */
export interface KnownHost { readonly base: string; readonly label?: string; readonly colour?: string }

/** Storage that may be switched off in the browser; then choices last as long as the page. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function stored<T>(key: string, read: (text: string | null) => T, write: (value: T) => string): Store<T> {
  const store = createStore<T>(read(readStored(key)))
  store.subscribe(() => writeStored(key, write(store.get())))
  return store
}

const oneOf = <T extends string>(choices: readonly T[], fallback: T) => (text: string | null): T => choices.find((choice) => choice === text) ?? fallback
const asText = <T extends string>(value: T): string => value
const flag = (fallback: boolean) => (text: string | null): boolean => (text === null ? fallback : text === 'on')
const asFlag = (value: boolean): string => (value ? 'on' : 'off')

/** Hosts from storage, whatever stands there. */
export function parseHosts(text: string | null): KnownHost[] {
  if (!text) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
  if (!Array.isArray(value)) return []
  return value
    .filter((item): item is KnownHost => typeof item === 'object' && item !== null && typeof (item as KnownHost).base === 'string')
    .map(({ base, label, colour }) => ({
      base,
      ...(typeof label === 'string' && label ? { label: label.slice(0, 40) } : {}),
      ...(typeof colour === 'string' && /^#[0-9a-f]{6}$/.test(colour) ? { colour } : {}),
    }))
    .slice(0, 10)
}

/** `hosts` with `change` first; what was known of that base stays. */
export function rememberHost(hosts: readonly KnownHost[], change: KnownHost): KnownHost[] {
  const former = hosts.find((host) => host.base === change.base)
  return [{ ...former, ...change }, ...hosts.filter((host) => host.base !== change.base)].slice(0, 10)
}

export const theme = stored<Theme>('mynah_theme', oneOf(['system', 'light', 'dark'], 'system'), asText)
export const shortcutsOn = stored('mynah_shortcuts', flag(true), asFlag)
export const railCollapsed = stored('mynah_rail', flag(false), asFlag)
export const hosts = stored<KnownHost[]>('mynah_hosts', parseHosts, (value) => JSON.stringify(value))
