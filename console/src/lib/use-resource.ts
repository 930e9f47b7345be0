import { useEffect, useRef, useState } from 'preact/hooks'
import { hasInvalidatingEvent } from './invalidation.js'
import { resources } from './resources.js'
import type { Load, Snapshot } from './resource-cache.js'

export interface Resource<T> extends Snapshot<T> {
  readonly reload: () => void
}

/**
 * Watches `key` while the component is mounted. `call` names the request in errors.
 * While the key changes, the data of the former key stays, so that a list does not flash between two pages.
 */
export function useResource<T>(key: string, load: Load<T>, call: string = key): Resource<T> {
  const [, render] = useState<object>()
  const latest = useRef(load)
  latest.current = load
  const former = useRef<T | undefined>(undefined)
  const snapshot = resources.read<T>(key)
  const renderAgain = (): void => render({})
  useEffect(() => {
    const end = resources.watch<T>(key, (signal) => latest.current(signal), renderAgain, call)
    // Effects run after the frame. This listener missed what another component loaded meanwhile.
    if (snapshot !== resources.read(key)) renderAgain()
    return () => {
      end()
      if (!hasInvalidatingEvent(key)) resources.markStale(key)
    }
  }, [key, call])
  useEffect(() => {
    if (snapshot.data !== undefined) former.current = snapshot.data
  })
  const first = snapshot.data === undefined && !snapshot.failure
  const data = snapshot.data ?? (first ? former.current : undefined)
  return {
    ...snapshot,
    ...(data === undefined ? {} : { data }),
    loading: snapshot.loading || first,
    reload: () => resources.reload(key),
  }
}
