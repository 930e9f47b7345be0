// Calls into plugin code: every failure is reported to the plugin that owns the code.
import { toError } from './to-error.js'

/** A plugin or host that failures are attributed to. */
export interface Owner {
  readonly name: string
  /** Place in the configuration. Decides the order among equals. */
  readonly position: number
  /** Records and logs a failure; never throws. */
  report(error: Error): void
}

/** Handles an error; default: `owner.report`. */
type OnError = (error: Error) => void

/**
 * Takes a value that code of `owner` returned. This is the only place that looks for a `then`.
 *
 * @returns undefined when there is nothing to wait for, else a promise of the value that never rejects: after a failure
 *   it resolves to `undefined`, and `onError` has been called
 */
export function settle(
  owner: Owner,
  value: unknown,
  onError: OnError = (error) => owner.report(error),
): Promise<unknown> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    if (typeof (value as { then?: unknown }).then !== 'function') return undefined
  } catch (thrown) {
    onError(toError(thrown))
    return undefined
  }
  return end(value, onError)
}

async function end(value: unknown, onError: OnError): Promise<unknown> {
  try {
    return await value
  } catch (thrown) {
    onError(toError(thrown))
    return undefined
  }
}

/**
 * Calls code of `owner` and handles its failures, also those of a promise that it returns. Returns like {@link settle}.
 */
export function call(
  owner: Owner,
  callback: () => unknown,
  onError: OnError = (error) => owner.report(error),
): Promise<unknown> | undefined {
  try {
    return settle(owner, callback(), onError)
  } catch (thrown) {
    onError(toError(thrown))
    return undefined
  }
}
