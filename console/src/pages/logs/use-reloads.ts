import { useEffect, useRef } from 'preact/hooks'
import { useNow } from '../../kit/use-now.js'
import type { Resource } from '../../lib/use-resource.js'

/** The shortest time between two counts. */
const STEP_MS = 5_000
const MINUTE_MS = 60_000

/** Counts again every few seconds in which lines came, and with each minute. `newest` is the id of the last line. */
export function useReloads(counts: Resource<unknown>, newest: string | undefined): void {
  const now = useNow(STEP_MS)
  const state = `${newest} ${Math.floor(now / MINUTE_MS)}`
  const counted = useRef(state)
  useEffect(() => {
    if (counted.current === state || counts.data === undefined || document.visibilityState !== 'visible') return
    counted.current = state
    counts.reload()
  }, [Math.floor(now / STEP_MS)])
}
