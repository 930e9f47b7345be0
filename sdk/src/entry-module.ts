// Brings the module of an entry in, and finds out why where it does not come.
import { withTimeout, type Clock } from './clock.js'
import { EntryError } from './entry-types.js'
import { isRecord } from './errors.js'
import { obstacleOf, type Fetch } from './obstacle.js'

const SECOND_LOOK_MS = 5000

/** Imports a module by its address. */
export type ImportModule = (url: string) => Promise<unknown>

/** The browser's own import. */
export const importModule: ImportModule = (url) => import(/* @vite-ignore */ url)

export type Register = (hostApi: unknown) => unknown

/** What the module of an entry gives. */
export interface EntryModule {
  readonly register: Register
  /** Addresses of its style sheets, as the preset wrote them. */
  readonly styles: readonly string[]
}

/** The module at `url`, once it is here. */
export async function entryModule(
  url: string,
  options: {
    importModule: ImportModule
    fetch: Fetch
    fetchInit: RequestInit | undefined
    clock: Clock
    signal: AbortSignal
  },
): Promise<EntryModule> {
  let module: unknown
  try {
    module = await options.importModule(url)
  } catch (error) {
    options.signal.throwIfAborted()
    throw await explain(error, url, options)
  }
  const register = exported(module, 'register') ?? exported(exported(module, 'default'), 'register')
  if (typeof register !== 'function')
    throw new EntryError('no-register', `${nameOf(url)} exports no register(hostApi), nor default.register`)
  const styles = exported(module, 'mynahStyles')
  return {
    register: register as Register,
    styles: Array.isArray(styles) ? styles.filter((href): href is string => typeof href === 'string') : [],
  }
}

const exported = (holder: unknown, name: string): unknown =>
  (typeof holder === 'object' && holder !== null) || typeof holder === 'function'
    ? (holder as Record<string, unknown>)[name]
    : undefined

/** A failed import says the same for a missing file, a forbidden one and an absent host, so the address is asked again. */
async function explain(
  cause: unknown,
  url: string,
  {
    fetch,
    fetchInit,
    clock,
    signal,
  }: { fetch: Fetch; fetchInit: RequestInit | undefined; clock: Clock; signal: AbortSignal },
): Promise<EntryError> {
  const name = nameOf(url)
  const late = () => new EntryError('timeout', `${name} did not come in time`, cause)
  try {
    return await withTimeout(clock, SECOND_LOOK_MS, signal, late, async (both) => {
      let response: Response
      try {
        response = await fetch(url, {
          cache: 'no-store',
          credentials: 'omit',
          redirect: 'error',
          ...fetchInit,
          signal: both,
        })
      } catch {
        both.throwIfAborted()
        const obstacle = await obstacleOf(url, fetch, both)
        return new EntryError(
          obstacle,
          obstacle === 'cors'
            ? `The host does not let this page load ${name}; add its origin to http.corsOrigins`
            : `${name} cannot be reached (${obstacle})`,
          cause,
        )
      }
      await response.body?.cancel()
      if (response.status === 404) return new EntryError('not-found', `The host has no ${name}`, cause)
      if (!response.ok) return new EntryError('http', `The host answers ${response.status} for ${name}`, cause)
      return new EntryError('threw', `${name} failed while it was loaded: ${messageOf(cause)}`, cause)
    })
  } catch (error) {
    if (error instanceof EntryError) return error
    throw error
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : isRecord(error) ? JSON.stringify(error) : String(error)

const nameOf = (url: string): string => new URL(url).pathname
