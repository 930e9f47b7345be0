import { MINUTE_MS, omitUndefined, withTimeout } from '@mynah/kernel/util'
import type { Notice } from '../api.js'
import type { StoredJob, StoredRun } from '../store/types.js'
import { isTransient, RETRY_DELAYS_MS } from './failure.js'
import type { EngineOptions } from './options.js'
import { labelOf } from './outcome.js'

/** Longest delivery of a notice, in milliseconds. */
const TIMEOUT_MS = 10 * MINUTE_MS
/** Number of questions about a notice that waits, which cover a day. */
const MAX_WAITS = 288

/** Returns the result of a run as a notice: words of the agent are formatted, those of a function are literal. */
export const resultNotice = ({ action }: StoredJob, text: string): Pick<Notice, 'text' | 'format'> =>
  action.kind === 'agent' ? { text, format: 'markdown' } : { text }

/** Sends the notices of one run, and decides whether they are tried again. */
export class NoticeSender {
  readonly #options: EngineOptions
  #attempts = 0
  #waits = 0

  constructor(options: EngineOptions) {
    this.#options = options
  }

  /** @param key the channel takes the notice once for each key, if it can */
  async send(
    job: StoredJob,
    run: StoredRun,
    { text, format }: Pick<Notice, 'text' | 'format'>,
    key: string,
  ): Promise<void> {
    const { collaborators, signal: host, log, clock } = this.#options
    const notifier = collaborators.notifier(job.notify.channel)
    if (!notifier) throw new Error(`no plugin delivers results to "${job.notify.channel}"`)
    const notice = { jobId: job.id, runId: run.id, label: labelOf(job), text, ...omitUndefined({ format }), key, log }
    await withTimeout(clock, TIMEOUT_MS, (signal) => notifier.send(job.notify, { ...notice, signal }), {
      parent: host,
      message: 'it was not taken within 10 min',
    })
  }

  /** Returns the delay in milliseconds before a notice is tried again, or `undefined` when it is given up. */
  delayAfter(error: unknown): number | undefined {
    // Waiting is no attempt.
    if (error instanceof Error && error.name === 'NoticeWaits')
      return this.#waits < MAX_WAITS ? RETRY_DELAYS_MS[this.#waits++ === 0 ? 0 : 1] : undefined
    return isTransient(error) ? RETRY_DELAYS_MS[this.#attempts++] : undefined
  }
}
