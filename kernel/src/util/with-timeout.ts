import type { Clock } from '../base/clock.js'

/** Thrown by {@link withTimeout} when the time is over. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
  readonly code = 'timeout'
}

/**
 * Runs `work` with a signal that aborts after `ms` milliseconds, or together with `parent`. The result does not wait
 * for work that ignores the signal: it rejects with the reason of the signal at once.
 *
 * Use it rather than `AbortSignal.any([parent, AbortSignal.timeout(ms)])`: on Node 20 nothing keeps the inner signal,
 * and the limit is lost once the signal was collected as garbage.
 *
 * @throws {TimeoutError} when the time is over
 */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  { parent, message = `timed out after ${ms} ms` }: { parent?: AbortSignal | undefined; message?: string } = {},
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(parent?.reason)
  const cancel = clock.setTimeout(() => controller.abort(new TimeoutError(message)), ms)
  if (parent?.aborted) abort()
  else parent?.addEventListener('abort', abort, { once: true })
  const { signal } = controller
  let reject: (reason: unknown) => void = () => undefined
  const aborted = new Promise<never>((_resolve, fail) => {
    reject = fail
  })
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work(signal), aborted])
  } finally {
    cancel()
    parent?.removeEventListener('abort', abort)
    signal.removeEventListener('abort', onAbort)
  }
}
