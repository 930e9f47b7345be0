/** Time and timers, replaceable in tests. */
export interface Clock {
  now(): number
  /** Calls back once after `ms` milliseconds. The returned function cancels the timer. */
  setTimeout(callback: () => void, ms: number): () => void
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Runs `work` with a signal that aborts together with `signal`, or after `ms` milliseconds with `timeoutError()` as its
 * reason. Rejects at once when the signal aborts.
 */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  timeoutError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  const cancel = clock.setTimeout(() => controller.abort(timeoutError()), ms)
  const ended = new Promise<never>((_, reject) =>
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true }),
  )
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    cancel()
    signal?.removeEventListener('abort', follow)
  }
}
