// Events from outside: who may send them, how many, and what they run.
import { createHash, randomUUID } from 'node:crypto'
import { WireError } from '@mynah/contract'
import type { AssistantAccepted, AssistantEvent, JobNotify } from '@mynah/contract/types'
import { normalizedNotify, type Jobs } from '@mynah/plugin-cron/api'
import type { Config } from './config.js'
import { RateLimit } from './rate-limit.js'

const MAX_PAYLOAD = 65_536

interface Deps {
  readonly jobs: Jobs
  readonly config: Config
  readonly now: () => number
  readonly defaultNotify: JobNotify | undefined
}

const bad = (path: string, message: string): never => {
  throw new WireError('invalid_request', `body.${path} ${message}`, { details: [{ path: `body.${path}`, message }] })
}

/** Takes events. What it gives has its row. */
export function eventIngress({
  jobs,
  config: { events },
  now,
  defaultNotify,
}: Deps): (event: AssistantEvent) => Promise<AssistantAccepted> {
  const limits = new RateLimit()
  const limit = (source: string): void => {
    const wait = limits.take(source, events.rateLimit, now())
    if (wait > 0)
      throw new WireError('rate_limited', `More than ${events.rateLimit} events a minute`, { retryAfter: wait })
  }
  const answer = (
    jobId: string,
    { runId, isDuplicate }: { readonly runId: string; readonly isDuplicate: boolean },
  ): AssistantAccepted => ({ jobId, runId, status: 'queued', ...(isDuplicate ? { deduplicated: true } : {}) })

  return async ({ jobId, source, type, payload, action, notify, eventId }) => {
    if (jobId !== undefined) {
      const other = Object.entries({ source, type, payload, action, notify }).find(([, value]) => value !== undefined)
      if (other) bad(other[0], 'may not stand beside jobId')
      limit(`job ${jobId}`)
      return answer(jobId, await jobs.run(jobId, eventId === undefined ? {} : { eventId }))
    }
    if (source === undefined) return bad('source', 'is needed without jobId')
    if (events.allowedSources && !events.allowedSources.includes(source))
      throw new WireError('forbidden', `Events of "${source.slice(0, 100)}" are not taken`)
    limit(`source ${source}`)
    if (action === undefined) return bad('action', 'is needed without jobId')
    if (action.kind !== 'agent')
      return bad('action.kind', 'must be agent: what comes from outside may not run a handler')
    if (payload !== undefined && Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD)
      throw new WireError('too_large', 'The payload is over 64 KB', {
        details: [{ path: 'body.payload', message: 'must be at most 65536 bytes as JSON' }],
      })
    const to = notify
      ? normalizedNotify(notify, 'body.notify')
      : (defaultNotify ?? bad('notify', 'is needed, since assistant.defaults.notify is not set'))
    const id = eventId ?? randomUUID()
    // One job a source and event, whatever its words: the first of them counts.
    const key = `event-${createHash('sha256')
      .update(JSON.stringify([source, id]))
      .digest('hex')
      .slice(0, 32)}`
    const accepted = await jobs.runOnce(
      {
        label: `${source}${type === undefined ? '' : `: ${type}`}`.slice(0, 256),
        trigger: {
          kind: 'event',
          source,
          ...(type === undefined ? {} : { type }),
          ...(payload === undefined ? {} : { payload }),
        },
        action,
        notify: to,
        creator: { kind: 'event', source },
      },
      id,
      key,
    )
    return answer(accepted.jobId, accepted)
  }
}
