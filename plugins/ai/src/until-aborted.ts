import { ModelError } from './api/errors.js'

/**
 * Resolves as `promise`, or rejects with `aborted` as soon as the signal aborts. The work continues for other callers.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  let stop = (): void => {}
  const given = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ModelError('aborted', 'The caller gave up'))
  })
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([promise, given])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
