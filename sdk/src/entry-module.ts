import { withTimeout, type Clock } from './clock.js'
import { EntryError } from './entry-types.js'
import { isRecord } from './errors.js'
import { obstacleOf, type Fetch } from './obstacle.js'

/** Time for finding out why a module did not load. */
const DIAGNOSIS_TIMEOUT_MS = 5000

/** Imports a module by its URL. */
export type ImportModule = (url: string) => Promise<unknown>

/** The browser's own import. */
export const importModule: ImportModule = (url) => import(/* @vite-ignore */ url)

type Register = (hostApi: unknown) => unknown

/** The exports of the module of an entry. */
export interface EntryModule {
  readonly register: Register
  /** URLs of its style sheets, as the build preset wrote them. */
  readonly styles: readonly string[]
}

/**
 * Imports the module of an entry.
 *
 * @throws EntryError that explains why it cannot be loaded
 */
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

/**
 * A failed import does not say whether the file is missing, forbidden or its host down, so the URL is fetched again.
 */
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
  const timeoutError = () => new EntryError('timeout', `${name} did not arrive in time`, cause)
  try {
    return await withTimeout(clock, DIAGNOSIS_TIMEOUT_MS, signal, timeoutError, async (both) => {
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

/** Returns the message of anything thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return isRecord(error) ? JSON.stringify(error) : String(error)
}

const nameOf = (url: string): string => new URL(url).pathname
