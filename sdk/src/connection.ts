// Which host a browser talks to: base and token in local storage, the token only for the base it was entered for.
import { STORAGE_KEYS } from '@mynah/contract/wire'
import { isBase, normalizeBase } from './address.js'

/** Names the base that the stored token belongs to. */
const TOKEN_BASE = `${STORAGE_KEYS.token}_base`
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
export function loadConnection(options: { readonly storage?: ConnectionStorage; readonly linkBase?: string } = {}): Connection {
  const storage = options.storage ?? defaultStorage()
  const stored = canonical(storage?.getItem(STORAGE_KEYS.base))
  const base = options.linkBase === undefined ? stored : normalizeBase(options.linkBase)
  if (!base) return {}
  const token = storage?.getItem(STORAGE_KEYS.token)
  // A client that knows two keys only writes both at once, so its base is the token's.
  const tokenBase = canonical(storage?.getItem(TOKEN_BASE)) ?? stored
  return token && tokenBase === base ? { base, token } : { base }
}

/** Stores base and token; without a token, the one of another base is forgotten. */
export function saveConnection(connection: { readonly base: string; readonly token?: string }, storage = defaultStorage()): void {
  const base = normalizeBase(connection.base)
  storage?.setItem(STORAGE_KEYS.base, base)
  if (connection.token) {
    storage?.setItem(STORAGE_KEYS.token, connection.token)
    storage?.setItem(TOKEN_BASE, base)
  } else if (loadConnection(storage ? { storage } : {}).token === undefined) clearToken(storage)
}

/** Forgets the token and keeps the base. */
export function clearToken(storage = defaultStorage()): void {
  storage?.removeItem(STORAGE_KEYS.token)
  storage?.removeItem(TOKEN_BASE)
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

const canonical = (text: string | null | undefined): string | undefined => text && isBase(text) ? normalizeBase(text) : undefined
