import type { Clock } from '@mynah/kernel'

/** Returns a throttled `run`: the first call runs at once, later calls within the interval run once at its end. */
export function throttle(clock: Clock, ms: number, run: () => void): () => void {
  let isPaused = false
  let isPending = false
  const pause = (): void => {
    isPaused = true
    clock.setTimeout(() => {
      isPaused = false
      if (!isPending) return
      isPending = false
      pause()
      run()
    }, ms)
  }
  return () => {
    if (isPaused) {
      isPending = true
      return
    }
    pause()
    run()
  }
}
