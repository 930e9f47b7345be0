import { contract, HostName } from '@mynah/contract'
import { Type, type Static } from '@mynah/contract/type'

const Time = Type.Integer({ description: 'Milliseconds since the epoch' })
const Key = Type.String({ minLength: 1, maxLength: 1024 })
const Id = Type.String({ minLength: 1, maxLength: 128 })
/** A number that a database can hold. */
const EntryId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Limit = (most: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: 50 }))

const UsageView = Type.Object({
  input: Type.Integer(),
  cachedInput: Type.Integer(),
  output: Type.Integer(),
  cost: Type.Optional(Type.Number()),
})

export const SessionRow = Type.Object({
  sessionKey: Type.String(),
  sessionId: Type.String(),
  state: Type.Enum(['active', 'archived']),
  title: Type.Optional(Type.String({ description: 'Name of the channel, the person or the job' })),
  subject: Type.Optional(
    Type.String({ description: 'Its subject: the name of its job, or the first words of a person in it' }),
  ),
  adapter: Type.String(),
  endpointId: Type.String(),
  channel: Type.Optional(
    Type.Object({
      type: Type.String(),
      id: Type.String(),
      name: Type.Optional(Type.String()),
      parent: Type.Optional(Type.Object({ type: Type.String(), id: Type.String() })),
    }),
  ),
  messages: Type.Integer(),
  lastActiveAt: Time,
  usage: UsageView,
  model: Type.Optional(Type.String({ description: 'The model that was chosen for it, as `alias:model`' })),
  thinking: Type.Optional(
    Type.Enum(['off', 'low', 'high'], { description: 'How much the model thinks, where that was chosen' }),
  ),
  host: Type.Optional(HostName),
})
export type SessionRow = Static<typeof SessionRow>

const EntryPart = Type.Object({
  type: Type.Enum(['text', 'image', 'tool-call', 'tool-result', 'file']),
  text: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  input: Type.Optional(Type.Unknown()),
  output: Type.Optional(Type.String()),
  isError: Type.Optional(Type.Boolean()),
  mediaType: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String()),
})
export const EntryView = Type.Object({
  id: Type.Integer(),
  parentId: Type.Union([Type.Integer(), Type.Null()]),
  kind: Type.String(),
  role: Type.Optional(Type.String()),
  sender: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
  content: Type.Union([Type.String(), Type.Array(EntryPart)]),
  turnId: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  usage: Type.Optional(UsageView),
  timestamp: Time,
})
export type EntryView = Static<typeof EntryView>

export const TurnRow = Type.Object({
  id: Type.String(),
  sessionKey: Type.String(),
  state: Type.Enum(['queued', 'running', 'waiting', 'delivering', 'done', 'failed', 'interrupted', 'stopped']),
  stage: Type.String(),
  step: Type.Integer(),
  model: Type.Optional(Type.String()),
  text: Type.String({ description: 'The words that it answers, cut at 4,000 characters' }),
  entryId: Type.Optional(Type.Integer({ description: 'Its newest entry: the `leaf` of the path that leads there' })),
  startedAt: Time,
  endedAt: Type.Optional(Time),
  waitingFor: Type.Optional(
    Type.Object({
      kind: Type.String(),
      id: Type.String(),
      call: Type.Optional(Type.String({ description: 'Id of the tool call that waits' })),
      text: Type.Optional(Type.String()),
      choices: Type.Optional(Type.Array(Type.String())),
      expiresAt: Type.Optional(Time),
    }),
  ),
  error: Type.Optional(Type.String()),
})
export type TurnRow = Static<typeof TurnRow>

const FoundRow = Type.Object({
  sessionKey: Type.String(),
  sessionId: Type.String(),
  state: Type.Enum(['active', 'archived']),
  title: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  entryId: Type.Integer({ description: 'The message: the `leaf` of a path that leads to it' }),
  role: Type.Enum(['user', 'assistant']),
  sender: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
  timestamp: Time,
  before: Type.String({ description: 'The text before the match' }),
  match: Type.String(),
  after: Type.String(),
})
export type FoundRow = Static<typeof FoundRow>

const bySession = { sessionKey: Key, sessionId: Type.Optional(Id) }

export const agent = contract({
  rpc: {
    'agent:sessions': {
      summary: 'Sessions, the last active first',
      reads: true,
      params: Type.Object({
        filter: Type.Optional(Type.String({ maxLength: 256 })),
        state: Type.Optional(Type.Enum(['active', 'archived'])),
        host: Type.Optional(HostName),
        limit: Limit(200),
        before: Type.Optional(Id),
      }),
      data: Type.Object({
        sessions: Type.Array(SessionRow),
        total: Type.Integer(),
        nextBefore: Type.Optional(Type.String()),
      }),
      errors: ['not_ready'],
    },
    'agent:session': {
      summary: 'A session’s path, newest first; `leaf` shows another branch',
      reads: true,
      params: Type.Object({
        ...bySession,
        leaf: Type.Optional(EntryId),
        limit: Limit(500),
        before: Type.Optional(EntryId),
      }),
      data: Type.Object({
        sessionKey: Type.String(),
        sessionId: Type.String(),
        activeLeafMessageId: Type.Union([Type.Integer(), Type.Null()]),
        entries: Type.Array(EntryView),
        nextBefore: Type.Optional(Type.Integer()),
      }),
      errors: ['not_found', 'not_ready'],
    },
    'agent:search': {
      summary: 'Messages that contain all words, of the last active sessions first',
      reads: true,
      params: Type.Object({
        text: Type.String({ minLength: 1, maxLength: 256, pattern: '\\S' }),
        limit: Limit(100),
        before: Type.Optional(Type.String({ maxLength: 160, description: '`nextBefore` of the call before' })),
      }),
      data: Type.Object({
        found: Type.Array(FoundRow),
        nextBefore: Type.Optional(
          Type.String({ description: 'There are sessions that this call has not searched, or more matches' }),
        ),
      }),
      errors: ['not_ready', 'invalid_request'],
    },
    'agent:branches': {
      summary: 'The ends of all branches, newest first',
      reads: true,
      params: Type.Object(bySession),
      data: Type.Object({
        leaves: Type.Array(
          Type.Object({ id: Type.Integer(), preview: Type.String(), timestamp: Time, active: Type.Boolean() }),
        ),
      }),
      errors: ['not_found', 'not_ready'],
    },
    'agent:turns': {
      summary: 'Turns, newest first',
      reads: true,
      params: Type.Object({ active: Type.Optional(Type.Boolean()), limit: Limit(500) }),
      data: Type.Object({ turns: Type.Array(TurnRow) }),
      errors: ['not_ready'],
    },
    'agent:stop': {
      summary: 'Ends a turn',
      params: Type.Object({ turnId: Id }),
      data: Type.Object({ success: Type.Boolean() }),
      errors: ['not_found'],
    },
    'agent:answer': {
      summary: 'Answers a question of the agent',
      params: Type.Object({ id: Id, text: Type.String({ minLength: 1, maxLength: 16_384 }) }),
      data: Type.Object({ success: Type.Boolean() }),
      errors: ['not_found', 'conflict'],
    },
    'agent:export': {
      summary: 'A session’s path with its heads, without secrets',
      reads: true,
      params: Type.Object(bySession),
      data: Type.Object({ sessionKey: Type.String(), sessionId: Type.String(), entries: Type.Array(Type.Unknown()) }),
      errors: ['not_found', 'not_ready'],
    },
    'agent:usage': {
      summary: 'Usage of models by day',
      reads: true,
      params: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30 })) }),
      data: Type.Object({
        days: Type.Array(
          Type.Object({
            date: Type.String(),
            provider: Type.String(),
            model: Type.String(),
            calls: Type.Integer(),
            input: Type.Integer(),
            cachedInput: Type.Integer(),
            output: Type.Integer(),
            cost: Type.Optional(Type.Number()),
          }),
        ),
      }),
    },
  },
  events: {
    'agent:turn': { summary: 'A turn has changed', data: TurnRow },
    'agent:session': {
      summary: 'A session began, was compacted, switched or archived, or what answers in it was chosen',
      data: Type.Object({
        sessionKey: Type.String(),
        sessionId: Type.String(),
        what: Type.Enum(['new', 'compact', 'leaf', 'choice', 'archived']),
      }),
    },
  },
})
