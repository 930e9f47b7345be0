// Waiting for something as long as somebody wants it.
import { ModelError } from './api/errors.js'

/** What `promise` gives, or `aborted` as soon as the caller gives up; the rest goes on for whoever wants it too. */
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
