import { WireError } from '@mynah/contract'
import { newId } from '@mynah/database-api'
import type { JobFields, StoredJob, StoredRun } from '../store/types.js'
import { failureText } from './failure.js'
import type { JobIndex } from './job-index.js'
import { NoticeSender, resultNotice } from './notice-sender.js'
import type { EngineOptions } from './options.js'
import type { RunWriter } from './run-writer.js'

interface Parts {
  readonly options: EngineOptions
  readonly index: JobIndex
  readonly writer: RunWriter
  readonly changeJob: (id: string, compute: (job: StoredJob) => JobFields | undefined) => Promise<unknown>
}

/** Sends results again that did not arrive. Only a person starts this, who knows whether the text is still wanted. */
export class UndeliveredResults {
  readonly #parts: Parts
  /** Runs whose result is being sent. */
  readonly #sending = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Sends the stored result of a run once more, and ends the run well when it arrives.
   *
   * @throws `not_found` without the run or its job, `conflict` where there is nothing to send or it is being sent,
   * `upstream_unavailable` with the reason when it did not arrive
   */
  async sendAgain(id: string): Promise<void> {
    const { options, index, writer } = this.#parts
    if (this.#sending.has(id)) throw new WireError('conflict', 'The result is being sent')
    this.#sending.add(id)
    try {
      const run = await writer.read(id)
      const job = run && index.get(run.jobId)
      if (!run || !job) throw new WireError('not_found', `There is no run "${id.slice(0, 100)}" of a job`)
      if (run.state !== 'undelivered' || run.stage !== 'ended' || !run.result)
        throw new WireError('conflict', 'This run has no result that did not arrive')
      await this.#send(job, run, run.result)
      options.log.info('delivered a result again', { job: job.id, run: id })
      await writer.change(run, { state: 'ok', error: null })
      await this.#parts.changeJob(job.id, (latest) => jobAfter(latest, run, options.clock.now()))
    } finally {
      this.#sending.delete(id)
    }
  }

  async #send(job: StoredJob, run: StoredRun, text: string): Promise<void> {
    const { options } = this.#parts
    try {
      // A key of its own: the channel knows that the first one failed.
      await new NoticeSender(options).send(job, run, resultNotice(job, text), `job/${run.id}/again/${newId()}`)
    } catch (error) {
      const reason = failureText(error, (message) => options.collaborators.redact(message))
      throw new WireError('upstream_unavailable', `The result did not arrive: ${reason}`, { cause: error })
    }
  }
}

/** Returns how a result that arrived after all changes its job. A later run counts for the status, not this one. */
function jobAfter({ recent, lastRunAt }: StoredJob, { slot, startedAt }: StoredRun, now: number): JobFields {
  const isLast = recent.at(-1)?.slot === slot && lastRunAt === startedAt
  return {
    recent: recent.map((known) => (known.slot === slot ? { slot, state: 'ok' as const } : known)),
    updatedAt: now,
    ...(isLast ? { lastStatus: 'ok' as const, lastError: null, failures: 0 } : {}),
  }
}
