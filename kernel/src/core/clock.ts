// Time and timers behind an interface, so that tests need no sleep and timers go with their plugin.

/** Time and timers; cancelling a timer that fired or was cancelled does nothing. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  setTimeout(callback: () => void, ms: number): () => void
  setInterval(callback: () => void, ms: number): () => void
}

/** The real clock. Its timers do not keep the process alive: a host is kept alive by what it serves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  setInterval(callback, ms) {
    const timer = setInterval(callback, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
