// Time as the stream and the limits use it, so that tests can move it.

/** The present, and what happens later. */
export interface Clock {
  now(): number
  /** Calls back once after `ms`; the answer cancels it. */
  setTimeout(callback: () => void, ms: number): () => void
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Runs `work` with a signal that ends with the caller's, or with `late()` as its reason after `ms`. */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', follow, { once: true })
  const cancel = clock.setTimeout(() => controller.abort(late()), ms)
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
