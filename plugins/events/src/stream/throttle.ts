// At most one call in an interval: the first at once, what comes meanwhile together at its end.
import type { Clock } from '@mynah/kernel'

/** Returns a function that asks for a call of `run`; without anybody asking nothing ever runs. */
export function throttle(clock: Clock, ms: number, run: () => void): () => void {
  let resting = false
  let asked = false
  const rest = (): void => {
    resting = true
    clock.setTimeout(() => {
      resting = false
      if (!asked) return
      asked = false
      rest()
      run()
    }, ms)
  }
  return () => {
    if (resting) {
      asked = true
      return
    }
    rest()
    run()
  }
}
