// Time and timers behind an interface, so that tests need no sleep and timers go with their plugin.

/** Time and timers; cancelling a timer that fired or was cancelled does nothing. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  setTimeout(callback: () => void, ms: number): () => void
  /** A plugin's callback that returns a promise is not called again before that has settled. */
  setInterval(callback: () => void, ms: number): () => void
}

/** Beyond this a timer of Node fires at once. */
const LONGEST_MS = 2 ** 31 - 1

/** The real clock. Its timers do not keep the process alive: a host is kept alive by what it serves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    let left = ms
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const step = Math.min(left, LONGEST_MS)
      left -= step
      timer = setTimeout(() => (left > 0 ? arm() : callback()), step)
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
  setInterval(callback, ms) {
    const timer = setInterval(callback, Math.min(ms, LONGEST_MS))
    timer.unref()
    return () => clearInterval(timer)
  },
}
