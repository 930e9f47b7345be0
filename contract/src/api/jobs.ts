// Jobs and their runs: triggers, actions, and destinations of the results.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { ChannelType, HostName, Id, Json, Time } from './common.js'

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Address = {
  platform: Name,
  endpointId: Name,
  sceneId: Type.String({ minLength: 1, maxLength: 1_024, description: '`guild/channel` for a channel with a parent' }),
}

/** The destination of a result. */
export const JobNotify = Type.Union([
  Type.Object({ channel: Type.Literal('im'), ...Address, scope: ChannelType }),
  Type.Object({ channel: Type.Literal('ha'), service: Name, target: Type.Optional(Json) }),
  Type.Object({ channel: Type.Literal('silent') }),
  Type.Object({ channel: Type.Literal('log') }),
])
export type JobNotify = Static<typeof JobNotify>

/** The destination of a result, as requests give it: the address of `im` flat, or nested in `target`. */
export const JobNotifyInput = Type.Object(
  {
    channel: Type.Enum(['im', 'ha', 'silent', 'log'], {
      description: 'A chat, a service of the home, nowhere, or the log',
    }),
    platform: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'For `im`: name of the adapter' }),
    ),
    endpointId: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'For `im`: the endpoint' })),
    sceneId: Type.Optional(Address.sceneId),
    scope: Type.Optional(
      Type.Enum(['private', 'group', 'channel'], { description: 'For `im`: type of the channel, default `private`' }),
    ),
    service: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'For `ha`: such as `notify.phone`' }),
    ),
    target: Type.Optional(
      Type.Unknown({
        description: 'For `ha`: further fields of the service. For `im`: also the four fields of its address',
      }),
    ),
  },
  { examples: [{ channel: 'im', platform: 'sandbox', endpointId: 'sandbox', sceneId: 'user', scope: 'private' }] },
)
export type JobNotifyInput = Static<typeof JobNotifyInput>

/** When a job runs: at a time, in an interval or by a cron expression. */
export const JobSchedule = Type.Union([
  Type.Object({
    cron: Type.String({ minLength: 1, maxLength: 256 }),
    timezone: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  Type.Object({ at: Time }),
])
export type JobSchedule = Static<typeof JobSchedule>

/** The start of a job: by a schedule, an event or a person. */
export const JobTrigger = Type.Union([
  Type.Object({ kind: Type.Literal('im') }),
  Type.Object({ kind: Type.Literal('schedule'), schedule: JobSchedule }),
  Type.Object({ kind: Type.Literal('event'), source: Name, type: Type.Optional(Name), payload: Type.Optional(Json) }),
  Type.Object({ kind: Type.Literal('heartbeat') }),
])
export type JobTrigger = Static<typeof JobTrigger>

/** The action of a job: ask the agent, send a message, call a handler or control a home. */
export const JobAction = Type.Union([
  Type.Object({
    kind: Type.Literal('agent'),
    prompt: Type.String({ minLength: 1, maxLength: 32_768 }),
    agent: Type.Optional(Name),
    binding: Type.Optional(Name),
  }),
  Type.Object({ kind: Type.Literal('handler'), handler: Name, args: Type.Optional(Json) }),
])
export type JobAction = Static<typeof JobAction>

/** The conditions of each run of a job. */
export const JobPolicy = Type.Object({
  requiresMaster: Type.Optional(
    Type.Boolean({ description: 'Skips a run when the creator of the job is no longer a master' }),
  ),
  approval: Type.Optional(Type.Boolean({ description: 'Each run waits for the owner before it starts' })),
})
export type JobPolicy = Static<typeof JobPolicy>

/** The handling of slots that passed while the host was down. */
export const JobMissed = Type.Enum(['once', 'skip'], {
  description:
    'How to handle slots that passed while the host was down. Default: one run if the last slot is less than an hour old',
})

/** How the last run of a job has ended. */
export const JobLastStatus = Type.Enum(['ok', 'error', 'undelivered', 'skipped', 'interrupted'], {
  description:
    'How a run ended. `undelivered`: the action succeeded and its result did not arrive. `interrupted`: a stop of the ' +
    'host or of a plugin, a pause or a removal ended it. `error` and `undelivered` count as failures',
})
export type JobLastStatus = Static<typeof JobLastStatus>
/** The state of a run. */
export const JobRunState = Type.Enum(['queued', 'running', 'ok', 'error', 'undelivered', 'skipped', 'interrupted'], {
  description: 'The states after `running` tell how a run ended, see `lastStatus` of a job',
})
export type JobRunState = Static<typeof JobRunState>

/** The last runs, oldest first. */
export const JobRecent = Type.Array(Type.Object({ slot: Type.String(), state: JobRunState }))

/** A job as clients see it. */
export const AssistantJob = Type.Object({
  id: Id,
  label: Type.Optional(Type.String()),
  enabled: Type.Boolean(),
  trigger: JobTrigger,
  action: JobAction,
  notify: JobNotify,
  policy: Type.Optional(JobPolicy),
  state: Type.Object({
    lastRunAt: Type.Optional(Time),
    lastStatus: Type.Optional(JobLastStatus),
    lastError: Type.Optional(Type.String()),
    retryCount: Type.Optional(Type.Integer()),
    lastHost: Type.Optional(HostName),
  }),
  createdAt: Time,
  nextRun: Type.Optional(Time),
  recent: JobRecent,
  failures: Type.Integer({ description: 'Failed slots in a row' }),
})
export type AssistantJob = Static<typeof AssistantJob>

/** One run of a job. */
export const JobRun = Type.Object({
  id: Id,
  jobId: Id,
  slot: Type.String({
    description:
      'Identifies the cause of the run: the due time in milliseconds, the id of an event, or `manual:` with ' +
      'the id of the run',
  }),
  state: JobRunState,
  attempt: Type.Integer(),
  startedAt: Type.Optional(Time),
  finishedAt: Type.Optional(Time),
  error: Type.Optional(Type.String()),
  result: Type.Optional(Type.String({ description: 'At most 8,192 UTF-16 code units, with `…` in place of the rest' })),
  turnId: Type.Optional(Id),
  host: Type.Optional(HostName),
  waiting: Type.Optional(Type.Boolean({ description: 'It waits for a person. Only in `jobs:runs`' })),
  inputChanged: Type.Optional(
    Type.Boolean({
      description:
        'Its job does something else now, or it is not known whether it does, so that `jobs:repeat` refuses the run. ' +
        'Only in `jobs:runs`',
    }),
  ),
})
export type JobRun = Static<typeof JobRun>

/** Methods for jobs and their runs. */
export const jobs = contract({
  rpc: {
    'jobs:runs': {
      summary: 'Runs of a job, newest first',
      reads: true,
      params: Type.Object({
        id: Id,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        before: Type.Optional(Id),
      }),
      data: Type.Object({ runs: Type.Array(JobRun), nextBefore: Type.Optional(Id) }),
      errors: ['not_found'],
    },
    'jobs:resend': {
      summary: 'Sends the result of an `undelivered` run once more, at most 8,192 UTF-16 code units of it',
      params: Type.Object({ runId: Id }),
      data: Type.Object({ success: Type.Boolean() }),
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'jobs:repeat': {
      summary: 'Runs the job of a run that has ended once more, with the input that this one had',
      params: Type.Object({ runId: Id }),
      data: Type.Object({ runId: Id }),
      errors: ['not_found', 'conflict'],
    },
    'jobs:run': {
      summary: 'Runs a job now, in addition to its schedule',
      params: Type.Object({ id: Id }),
      data: Type.Object({ runId: Id }),
      errors: ['not_found'],
    },
  },
  events: {
    'job:run': { summary: 'A run of a job was queued, started or ended', data: JobRun },
  },
})
