import { createHash, randomUUID } from 'node:crypto'
import { omitUndefined } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { AssistantAccepted, AssistantEvent, JobAction, JobNotify } from '@mynah/contract/types'
import { normalizedNotify, type AcceptedRun, type Jobs } from '@mynah/plugin-cron/api'
import type { Config } from './config.js'
import { EventRateLimiter } from './event-rate-limiter.js'

const MAX_PAYLOAD_BYTES = 65_536

const invalid = (path: string, message: string): WireError =>
  new WireError('invalid_request', `body.${path} ${message}`, { details: [{ path: `body.${path}`, message }] })

const answer = (jobId: string, { runId, isDuplicate }: AcceptedRun): AssistantAccepted => ({
  jobId,
  runId,
  status: 'queued',
  ...(isDuplicate ? { deduplicated: true } : {}),
})

/** Accepts events from outside. An accepted event has a stored run. */
export class EventIngress {
  readonly #jobs: Jobs
  readonly #config: Config['events']
  readonly #defaultNotify: JobNotify | undefined
  readonly #now: () => number
  readonly #limiter = new EventRateLimiter()

  constructor(jobs: Jobs, config: Config['events'], defaultNotify: JobNotify | undefined, now: () => number) {
    this.#jobs = jobs
    this.#config = config
    this.#defaultNotify = defaultNotify
    this.#now = now
  }

  /**
   * Accepts an event, which either triggers a job by its id or creates a one-time job.
   *
   * @throws WireError `invalid_request`, `forbidden`, `rate_limited` or `too_large`
   */
  accept(event: AssistantEvent): Promise<AssistantAccepted> {
    return event.jobId === undefined ? this.#acceptNew(event) : this.#trigger(event.jobId, event)
  }

  async #trigger(jobId: string, event: AssistantEvent): Promise<AssistantAccepted> {
    const { source, type, payload, action, notify, eventId } = event
    const other = Object.entries({ source, type, payload, action, notify }).find(([, value]) => value !== undefined)
    if (other) throw invalid(other[0], 'may not be combined with jobId')
    this.#limit(`job ${jobId}`)
    return answer(jobId, await this.#jobs.run(jobId, omitUndefined({ eventId })))
  }

  async #acceptNew({ source, type, payload, action, notify, eventId }: AssistantEvent): Promise<AssistantAccepted> {
    if (source === undefined) throw invalid('source', 'is needed without jobId')
    const { allowedSources } = this.#config
    if (allowedSources && !allowedSources.includes(source))
      throw new WireError('forbidden', `Events of "${source.slice(0, 100)}" are not accepted`)
    this.#limit(`source ${source}`)
    const checkedAction = agentAction(action)
    checkPayload(payload)
    const id = eventId ?? randomUUID()
    const accepted = await this.#jobs.runOnce(
      {
        label: `${source}${type === undefined ? '' : `: ${type}`}`.slice(0, 256),
        trigger: omitUndefined({ kind: 'event' as const, source, type, payload }),
        action: checkedAction,
        notify: this.#notifyOf(notify),
        creator: { kind: 'event', source },
      },
      id,
      jobIdOf(source, id),
    )
    return answer(accepted.jobId, accepted)
  }

  #limit(key: string): void {
    const { rateLimit } = this.#config
    const seconds = this.#limiter.take(key, rateLimit, this.#now())
    if (seconds > 0)
      throw new WireError('rate_limited', `More than ${rateLimit} events a minute`, { retryAfter: seconds })
  }

  #notifyOf(notify: AssistantEvent['notify']): JobNotify {
    if (notify) return normalizedNotify(notify, 'body.notify')
    if (this.#defaultNotify) return this.#defaultNotify
    throw invalid('notify', 'is needed, since assistant.defaults.notify is not set')
  }
}

function agentAction(action: AssistantEvent['action']): JobAction {
  if (action === undefined) throw invalid('action', 'is needed without jobId')
  if (action.kind !== 'agent') throw invalid('action.kind', 'must be agent: events may not run a handler')
  return action
}

function checkPayload(payload: unknown): void {
  if (payload === undefined || Buffer.byteLength(JSON.stringify(payload)) <= MAX_PAYLOAD_BYTES) return
  throw new WireError('too_large', 'The payload is over 64 KB', {
    details: [{ path: 'body.payload', message: 'must be at most 65536 bytes as JSON' }],
  })
}

/** Derives the job id from source and event id, so that repeated events find the same job. */
function jobIdOf(source: string, eventId: string): string {
  const hash = createHash('sha256').update(JSON.stringify([source, eventId]))
  return `event-${hash.digest('hex').slice(0, 32)}`
}
