// The assistant: all jobs, and events of other systems.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Json } from './common.js'
import { AssistantJob, JobAction, JobNotifyInput } from './jobs.js'

const Name = Type.String({ minLength: 1, maxLength: 256 })

/** An event from outside that may start jobs. */
export const AssistantEvent = Type.Object(
  {
    jobId: Type.Optional(Id),
    source: Type.Optional(Name),
    type: Type.Optional(Name),
    payload: Type.Optional(Json),
    action: Type.Optional(JobAction),
    notify: Type.Optional(JobNotifyInput),
    eventId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'A repeated event of the same source and id within 24 hours does not run again',
      }),
    ),
  },
  {
    examples: [
      {
        source: 'doorbell',
        type: 'ring',
        payload: { door: 'front' },
        action: { kind: 'agent', prompt: 'Tell me who is at the door' },
        notify: { channel: 'log' },
      },
      { jobId: 'morning' },
    ],
  },
)
export type AssistantEvent = Static<typeof AssistantEvent>

/** The answer to an event from outside that starts a job. */
export const AssistantAccepted = Type.Object({
  jobId: Id,
  runId: Id,
  status: Type.Literal('queued'),
  deduplicated: Type.Optional(Type.Boolean()),
})

export type AssistantAccepted = Static<typeof AssistantAccepted>

/** Operations of the assistant: events and jobs. */
export const assistant = contract({
  rest: {
    'GET /assistant/jobs': {
      summary: 'All jobs, newest first',
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
        before: Type.Optional(Id),
      }),
      data: Type.Object({
        jobs: Type.Array(AssistantJob),
        eventsActive: Type.Boolean(),
        nextBefore: Type.Optional(Id),
      }),
      errors: ['not_found'],
    },
    'POST /assistant/events': {
      summary:
        'Runs a job, or the action of an event, once. Exactly one of `jobId` and `source` with `action` is required',
      body: AssistantEvent,
      data: AssistantAccepted,
      status: 202,
      also: { status: 200, meaning: 'The source sent this `eventId` within 24 hours: the earlier run' },
      errors: ['not_found', 'conflict', 'rate_limited', 'too_large', 'not_ready'],
    },
  },
})
