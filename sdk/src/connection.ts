// The host that a browser talks to: base and token in local storage. A token is only used for the base that it was
// entered for.
import { STORAGE_KEYS } from '@mynah/contract/wire'
import { isBase, normalizeBase } from './address.js'

/** Key of the base that the stored token belongs to. */
const TOKEN_BASE = `${STORAGE_KEYS.token}_base`
/** Key of the tokens of other hosts, by base. */
const OTHERS = `${STORAGE_KEYS.token}s`
const MAX_OTHERS = 10
const LINK_PARAMETER = 'apiBaseUrl'

/** The part of `localStorage` that is used. */
export type ConnectionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The stored host, as far as known. */
export interface Connection {
  readonly base?: string
  readonly token?: string
}

/** Returns `localStorage`, or undefined when there is none or the browser blocks it. */
export function defaultStorage(): ConnectionStorage | undefined {
  if (typeof document === 'undefined') return undefined
  try {
    return globalThis.localStorage
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/**
 * Returns the stored connection.
 *
 * @param options.linkBase base of a link, which replaces the stored one; the token is returned only if it belongs to it
 */
export function loadConnection(
  options: { readonly storage?: ConnectionStorage; readonly linkBase?: string } = {},
): Connection {
  const storage = options.storage ?? defaultStorage()
  const stored = canonical(storage?.getItem(STORAGE_KEYS.base))
  const base = options.linkBase === undefined ? stored : normalizeBase(options.linkBase)
  if (!base) return {}
  const token = storage ? tokenOf(base, storage) : undefined
  return token ? { base, token } : { base }
}

/** Returns the current token and its base. Older clients store no base of the token, but always both keys together. */
function currentToken(storage: ConnectionStorage): { readonly base: string; readonly token: string } | undefined {
  const token = storage.getItem(STORAGE_KEYS.token)
  const base = canonical(storage.getItem(TOKEN_BASE)) ?? canonical(storage.getItem(STORAGE_KEYS.base))
  return token && base ? { base, token } : undefined
}

function tokenOf(base: string, storage: ConnectionStorage): string | undefined {
  const current = currentToken(storage)
  return current?.base === base ? current.token : others(storage).get(base)
}

/** Returns the tokens of other hosts. Other programs may write the key, so its value is checked. */
function others(storage: ConnectionStorage): Map<string, string> {
  const text = storage.getItem(OTHERS)
  if (!text) return new Map()
  try {
    const value: unknown = JSON.parse(text)
    const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return new Map(pairs.filter((pair): pair is [string, string] => isBase(pair[0]) && typeof pair[1] === 'string'))
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}

function keepOthers(tokens: ReadonlyMap<string, string>, storage: ConnectionStorage): void {
  if (tokens.size === 0) storage.removeItem(OTHERS)
  else storage.setItem(OTHERS, JSON.stringify(Object.fromEntries([...tokens].slice(-MAX_OTHERS))))
}

/** Makes a host the current one, with the given token or the one stored for it. Keeps the token of the former host. */
export function saveConnection(
  connection: { readonly base: string; readonly token?: string },
  storage = defaultStorage(),
): void {
  if (!storage) return
  const base = normalizeBase(connection.base)
  const token = connection.token || tokenOf(base, storage)
  const former = currentToken(storage)
  const rest = others(storage)
  rest.delete(base)
  if (former && former.base !== base) rest.set(former.base, former.token)
  keepOthers(rest, storage)
  storage.setItem(STORAGE_KEYS.base, base)
  if (token) {
    storage.setItem(STORAGE_KEYS.token, token)
    storage.setItem(TOKEN_BASE, base)
  } else clearToken(storage)
}

/** Removes the token of the current host and keeps its base. */
export function clearToken(storage = defaultStorage()): void {
  storage?.removeItem(STORAGE_KEYS.token)
  storage?.removeItem(TOKEN_BASE)
}

/** Removes the token of one host, current or not. */
export function forgetToken(base: string, storage = defaultStorage()): void {
  if (!storage) return
  const canonicalBase = normalizeBase(base)
  if (currentToken(storage)?.base === canonicalBase) clearToken(storage)
  const rest = others(storage)
  if (rest.delete(canonicalBase)) keepOthers(rest, storage)
}

/**
 * Reads the base that a link names. Returns it with the address without it, for `history.replaceState`. An invalid base
 * is removed too.
 */
export function readLink(href: string): { readonly base?: string; readonly href: string } {
  const url = new URL(href)
  const base = canonical(url.searchParams.get(LINK_PARAMETER))
  url.searchParams.delete(LINK_PARAMETER)
  return base ? { base, href: url.href } : { href: url.href }
}

const canonical = (text: string | null | undefined): string | undefined =>
  text && isBase(text) ? normalizeBase(text) : undefined
