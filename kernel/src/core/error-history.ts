import { omitUndefined } from '../util/omit-undefined.js'
import { RingBuffer } from '../util/ring-buffer.js'

/** Failures that are kept for each plugin. */
const MAX_RECORDED_ERRORS = 10

/** A failure that is kept for the plugin's page. */
export interface RecordedError {
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly code?: string
  readonly message: string
}

/** The last failures of a plugin. */
export class ErrorHistory {
  readonly #errors = new RingBuffer<RecordedError>(MAX_RECORDED_ERRORS)

  record(error: Error, time: number): void {
    const { code } = error as { code?: unknown }
    this.#errors.push(
      omitUndefined({ time, code: typeof code === 'string' ? code : undefined, message: error.message }),
    )
  }

  /** Returns them, the oldest first. */
  toArray(): RecordedError[] {
    return this.#errors.toArray()
  }
}
