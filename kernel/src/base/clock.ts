/** Time and timers. The functions that set a timer return one that cancels it, any number of times. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
  setTimeout(callback: () => void, ms: number): () => void
  /** In the clock of a plugin, a callback that returned a promise is not called again before that has settled. */
  setInterval(callback: () => void, ms: number): () => void
}

/** Node fires timers beyond this at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The real clock. Its timers do not keep the process alive: its connections and servers do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    let left = ms
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const step = Math.min(left, MAX_TIMER_MS)
      left -= step
      timer = setTimeout(() => (left > 0 ? arm() : callback()), step)
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
  setInterval(callback, ms) {
    const timer = setInterval(callback, Math.min(ms, MAX_TIMER_MS))
    timer.unref()
    return () => clearInterval(timer)
  },
}
