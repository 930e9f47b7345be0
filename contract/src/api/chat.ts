// Traces of messages, and the sandbox platform.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Channel, ChannelType, Content, HostName, Id, Json, Parent, Person, Success, Time } from './common.js'
import { Reaction, RequestKind } from './inbox.js'

/** One decision about a message. */
export const TraceStep = Type.Object({
  stage: Type.String(),
  name: Type.String(),
  outcome: Type.String(),
  reason: Type.Optional(Type.String()),
  ms: Type.Number({ description: 'The end of the step in milliseconds since the message was received' }),
  durationMs: Type.Optional(
    Type.Number({ description: 'Milliseconds that it took. Absent: the time since the end of the step before' }),
  ),
  waitedMs: Type.Optional(Type.Number({ description: 'The part of its duration that was spent waiting' })),
  id: Type.Optional(Type.String({ description: 'Id within the trace, where other steps may be parts of it' })),
  parent: Type.Optional(
    Type.String({ description: 'Id of the step that it is a part of, which is recorded when that ends' }),
  ),
})
export type TraceStep = Static<typeof TraceStep>

/** The decisions that were made for one message. */
export const Trace = Type.Object({
  messageId: Type.String(),
  endpointId: Type.String(),
  adapter: Type.String(),
  channel: Channel,
  sender: Person,
  text: Type.String(),
  startedAt: Time,
  durationMs: Type.Number(),
  endedAt: Type.Optional(
    Type.Integer({
      description: 'End of the trace, milliseconds since the epoch. Absent while the message is handled',
    }),
  ),
  steps: Type.Array(TraceStep),
  replies: Type.Integer(),
  host: Type.Optional(HostName),
})
export type Trace = Static<typeof Trace>

const SandboxChannel = Type.Object({
  type: ChannelType,
  id: Id,
  name: Type.Optional(Type.String({ maxLength: 512 })),
  parent: Type.Optional(Parent),
})
const endpointId = Id

/** A message that a visitor of the sandbox says. */
export const SandboxMessage = Type.Object({
  endpoint_id: Type.String(),
  channel: Channel,
  messageId: Type.String(),
  content: Content,
  text: Type.String(),
  replyTo: Type.Optional(Type.String()),
  edited: Type.Optional(
    Type.Boolean({ description: 'Replaces the earlier text of the message with this `messageId`' }),
  ),
  timestamp: Time,
})
export type SandboxMessage = Static<typeof SandboxMessage>

/** A message of the sandbox. */
export const SandboxHistoryItem = Type.Object({
  ...SandboxMessage.properties,
  direction: Type.Enum(['in', 'out']),
  sender: Person,
  deletedAt: Type.Optional(Time),
  reactions: Type.Optional(Type.Array(Reaction)),
})
export type SandboxHistoryItem = Static<typeof SandboxHistoryItem>

const perStep = Type.Array(Type.Integer())
/** The messages and states of one endpoint by the minute. */
export const EndpointActivity = Type.Object({
  adapter: Type.String(),
  endpointId: Type.String(),
  received: perStep,
  sent: perStep,
  failed: perStep,
  status: Type.String({
    description: 'One letter per figure, of its worst state: `o` online, `p` pending, `x` offline, `-` unknown',
  }),
})
export type EndpointActivity = Static<typeof EndpointActivity>

/** The messages of the last minutes by endpoint, and how long answers took. */
export const Activity = Type.Object({
  from: Time,
  step: Type.Integer({ description: 'Milliseconds that each figure covers' }),
  endpoints: Type.Array(EndpointActivity),
  answers: Type.Object({ count: Type.Integer(), medianMs: Type.Number() }),
})
export type Activity = Static<typeof Activity>

/** Methods that observe messages: activity and traces. */
export const chat = contract({
  rpc: {
    'chat:activity': {
      summary: 'Messages over time since the start of the host. Tokens of demo scope see the sandbox only',
      reads: true,
      params: Type.Object({
        minutes: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 10_080,
            default: 60,
            description: 'How far back; more than 1,440 comes by whole hours',
          }),
        ),
        step: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1440, default: 1, description: 'Minutes that each figure covers' }),
        ),
      }),
      data: Activity,
      scope: 'demo',
    },
    'chat:traces': {
      summary: 'Traces of the last messages: each decision about them. Those of other hosts come from these',
      reads: true,
      params: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
        endpointId: Type.Optional(Id),
        messageId: Type.Optional(Id),
        host: Type.Optional(HostName),
      }),
      data: Type.Object({
        traces: Type.Array(Trace),
        unanswered: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Names of the hosts that did not answer, whose traces are missing',
          }),
        ),
      }),
    },
  },
})

/** A message of a scene, and the user who does something with it. */
const ownMessage = { endpointId, channel: SandboxChannel, messageId: Id, sender: Person }

/** Methods of the sandbox, a chat platform inside the console. */
export const sandbox = contract({
  rpc: {
    'sandbox:send': {
      summary: 'Sends a message to the bot as a fake user',
      params: Type.Object({
        endpointId,
        channel: SandboxChannel,
        sender: Person,
        content: Content,
        messageId: Type.Optional(Id),
      }),
      nested: true,
      data: Type.Object({ messageId: Type.String() }),
      scope: 'demo',
      errors: ['not_found'],
    },
    'sandbox:edit': {
      summary: 'Changes a message as the fake user who has sent it',
      params: Type.Object({ ...ownMessage, content: Content }),
      nested: true,
      data: Success,
      scope: 'demo',
      errors: ['not_found', 'forbidden'],
    },
    'sandbox:delete': {
      summary: 'Deletes a message as the fake user who has sent it',
      params: Type.Object(ownMessage),
      nested: true,
      data: Success,
      scope: 'demo',
      errors: ['not_found', 'forbidden'],
    },
    'sandbox:react': {
      summary: 'Adds a reaction of a fake user to a message, or takes it away',
      params: Type.Object({ ...ownMessage, emoji: Reaction.properties.emoji, added: Type.Boolean() }),
      nested: true,
      data: Success,
      scope: 'demo',
      errors: ['not_found', 'forbidden'],
    },
    'sandbox:roles': {
      summary: 'Users whom the configuration gives a role. None for a token of demo scope',
      reads: true,
      params: Type.Object({ endpointId }),
      nested: true,
      data: Type.Object({ master: Type.Array(Type.String()), trusted: Type.Array(Type.String()) }),
      scope: 'demo',
      errors: ['not_found'],
    },
    'sandbox:history': {
      summary: 'The last messages of a scene, oldest first',
      reads: true,
      params: Type.Object({
        endpointId,
        channel: SandboxChannel,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      }),
      nested: true,
      data: Type.Object({ messages: Type.Array(SandboxHistoryItem), startedAt: Type.Optional(Time) }),
      scope: 'demo',
      errors: ['not_found'],
    },
    'sandbox:request': {
      summary: 'Injects a friend or group request',
      params: Type.Object({
        endpointId,
        kind: RequestKind,
        sender: Person,
        channel: Type.Optional(SandboxChannel),
        comment: Type.Optional(Type.String({ maxLength: 2048 })),
      }),
      nested: true,
      data: Type.Object({ id: Type.String() }),
      scope: 'demo',
      errors: ['not_found'],
    },
    'sandbox:notice': {
      summary: 'Injects a platform notice',
      params: Type.Object({
        endpointId,
        kind: Type.String({ minLength: 1, maxLength: 64 }),
        channel: Type.Optional(SandboxChannel),
        operator: Type.Optional(Person),
        target: Type.Optional(Person),
        payload: Json,
      }),
      nested: true,
      data: Type.Object({ id: Type.String() }),
      scope: 'demo',
      errors: ['not_found'],
    },
  },
  events: {
    'sandbox:message': { summary: 'The bot sent a message in the sandbox', data: SandboxMessage },
  },
})
