// Calls into plugin code: every failure is reported to the plugin that owns the code.
import { toError } from './to-error.js'

/** Something that failures are attributed to. */
export interface Owner {
  readonly name: string
  /** Place in the configuration; decides order among equals. */
  readonly position: number
  /** Records and logs a failure; never throws. */
  report(error: Error): void
}

/** What becomes of a failure; by default its owner is told. */
type Failed = (error: Error) => void

/**
 * Takes what code of `owner` returned: the only place that looks for a `then`. Undefined where there is nothing to wait
 * for; else a promise that never rejects, of the value, or of `undefined` after `failed` was told why.
 */
export function settle(
  owner: Owner,
  value: unknown,
  failed: Failed = (error) => owner.report(error),
): Promise<unknown> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    if (typeof (value as { then?: unknown }).then !== 'function') return undefined
  } catch (thrown) {
    failed(toError(thrown))
    return undefined
  }
  return end(value, failed)
}

async function end(value: unknown, failed: Failed): Promise<unknown> {
  try {
    return await value
  } catch (thrown) {
    failed(toError(thrown))
    return undefined
  }
}

/** Calls into what belongs to `owner`: the border at which its failures, also later ones, become ours. As of {@link settle}. */
export function call(
  owner: Owner,
  callback: () => unknown,
  failed: Failed = (error) => owner.report(error),
): Promise<unknown> | undefined {
  try {
    return settle(owner, callback(), failed)
  } catch (thrown) {
    failed(toError(thrown))
    return undefined
  }
}
