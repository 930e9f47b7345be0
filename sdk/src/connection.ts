// Which host a browser talks to: base and token in local storage, each token only for the base it was entered for.
import { STORAGE_KEYS } from '@mynah/contract/wire'
import { isBase, normalizeBase } from './address.js'

/** Names the base that the stored token belongs to. */
const TOKEN_BASE = `${STORAGE_KEYS.token}_base`
/** Tokens of the hosts that are not the current one, by base. */
const OTHERS = `${STORAGE_KEYS.token}s`
const MAX_OTHERS = 10
const LINK_PARAMETER = 'apiBaseUrl'

/** The part of `localStorage` that is used. */
export type ConnectionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Where to connect, as far as known. */
export interface Connection {
  readonly base?: string
  readonly token?: string
}

/** `localStorage` where a page has it; a browser that blocks it is the same as none. */
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
 * What is stored. `linkBase` is the base of a link: it wins, and the stored token goes with it only if it was entered for it.
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

/** The current token and whose it is. A client that knows two keys only writes both at once, so its base is the token's. */
function currentToken(storage: ConnectionStorage): { readonly base: string; readonly token: string } | undefined {
  const token = storage.getItem(STORAGE_KEYS.token)
  const base = canonical(storage.getItem(TOKEN_BASE)) ?? canonical(storage.getItem(STORAGE_KEYS.base))
  return token && base ? { base, token } : undefined
}

function tokenOf(base: string, storage: ConnectionStorage): string | undefined {
  const current = currentToken(storage)
  return current?.base === base ? current.token : others(storage).get(base)
}

/** Whatever stands there: somebody else may have written it. */
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

/** Makes a host the current one, with the token given or the one that was stored for it; the token of the former host is kept for that host. */
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

/** Forgets the token of the current host and keeps its base. */
export function clearToken(storage = defaultStorage()): void {
  storage?.removeItem(STORAGE_KEYS.token)
  storage?.removeItem(TOKEN_BASE)
}

/** Forgets the token of one host, whether or not it is the current one. */
export function forgetToken(base: string, storage = defaultStorage()): void {
  if (!storage) return
  const canonicalBase = normalizeBase(base)
  if (currentToken(storage)?.base === canonicalBase) clearToken(storage)
  const rest = others(storage)
  if (rest.delete(canonicalBase)) keepOthers(rest, storage)
}

/**
 * Reads the base that a link prefills, and gives the address without it, for `history.replaceState`.
 * A base that is none is left out of the answer and removed all the same.
 */
export function readLink(href: string): { readonly base?: string; readonly href: string } {
  const url = new URL(href)
  const base = canonical(url.searchParams.get(LINK_PARAMETER))
  url.searchParams.delete(LINK_PARAMETER)
  return base ? { base, href: url.href } : { href: url.href }
}

const canonical = (text: string | null | undefined): string | undefined =>
  text && isBase(text) ? normalizeBase(text) : undefined
