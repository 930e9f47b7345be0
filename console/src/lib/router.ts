import { useMemo } from 'preact/hooks'
import { address } from './path.js'
import { createStore } from './store.js'
import { useStore } from './use-store.js'

export interface RouteLocation {
  readonly path: string
  readonly search: string
}

const read = (): RouteLocation => ({ path: location.pathname, search: location.search })

/** The current location. */
export const currentLocation = createStore<RouteLocation>(read())

/** Whether a navigation has happened since the page was loaded. Only then the heading is focused. */
export const hasNavigated = createStore(false)

/** Goes to `target`, a path with an optional query. */
export function navigate(target: string, options: { replace?: boolean } = {}): void {
  const before = currentLocation.get()
  const url = new URL(target, location.origin)
  if (url.origin !== location.origin) throw new Error(`navigate() takes a path of the console, not ${target}`)
  if (url.pathname === before.path && url.search === before.search) return
  history[options.replace ? 'replaceState' : 'pushState'](null, '', url.pathname + url.search)
  if (url.pathname !== before.path) {
    hasNavigated.set(true)
    scrollTo(0, 0)
  }
  currentLocation.set(read())
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (
    !(link instanceof HTMLAnchorElement) ||
    link.target ||
    link.hasAttribute('download') ||
    link.origin !== location.origin
  )
    return
  if (link.hash && link.pathname === location.pathname) return
  event.preventDefault()
  navigate(link.pathname + link.search)
}

/** Handles links and the back button. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    hasNavigated.set(true)
    currentLocation.set(read())
  })
  document.addEventListener('click', onClick)
}

export interface Query<T extends Record<string, string>> {
  readonly values: T
  /** Changes some values; `replace` while typing, so that the back button leaves the page. */
  readonly set: (changes: Partial<T>, options?: { replace?: boolean }) => void
  readonly reset: () => void
}

/** Returns the query of the address as values with defaults. */
export function useQuery<T extends Record<string, string>>(defaults: T): Query<T> {
  const { path, search } = useStore(currentLocation)
  const key = JSON.stringify(defaults)
  return useMemo(() => {
    const valuesOf = (given: URLSearchParams): T =>
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given.get(name) ?? value])) as T
    return {
      values: valuesOf(new URLSearchParams(search)),
      // Read the address again: it may have changed while a debounced input was pending.
      set: (changes, options) =>
        navigate(
          address(path, { ...valuesOf(new URLSearchParams(currentLocation.get().search)), ...changes } as T, defaults),
          options,
        ),
      reset: () => navigate(path),
    }
  }, [path, search, key])
}
