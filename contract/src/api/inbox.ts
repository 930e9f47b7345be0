// Rows of the inbox: messages, requests and notices, and the contacts of an account.
import { Type, type Static } from '@mynah/contract/type'
import { Channel, Content, Id, Json, Person, Time } from './common.js'

/** How far the handling or the sending of a message is. */
export const MessageState = Type.Enum(
  ['received', 'handling', 'handled', 'interrupted', 'draft', 'intent', 'sending', 'sent', 'failed', 'unknown'],
  {
    description:
      'In: received, handling, handled, or interrupted by a stop. Out: draft while it is written, intent, sending, ' +
      'sent, failed, or unknown, which is never repeated',
  },
)
export type MessageState = Static<typeof MessageState>

/** A reaction of a person to a message. */
export const Reaction = Type.Object({
  emoji: Type.String({
    maxLength: 128,
    description: 'The emoji itself, or its name on the platform',
    examples: ['👍'],
  }),
  sender: Person,
})
export type Reaction = Static<typeof Reaction>

/** A stored message of a conversation. */
export const MessageRow = Type.Object({
  id: Id,
  messageId: Type.String(),
  sender: Type.Object({ id: Type.String(), name: Type.String() }),
  channel: Channel,
  content: Content,
  text: Type.String(),
  direction: Type.Enum(['in', 'out']),
  state: MessageState,
  error: Type.Optional(Type.String({ description: 'Why the delivery failed or is unknown' })),
  answers: Type.Optional(Type.String({ description: 'Row of the message that this one answers' })),
  read: Type.Boolean(),
  timestamp: Time,
  editedAt: Type.Optional(
    Type.Integer({ description: 'When its content was last changed on the platform, milliseconds since the epoch' }),
  ),
  deletedAt: Type.Optional(
    Type.Integer({
      description: 'When it was deleted on the platform, milliseconds since the epoch. The row has its last content',
    }),
  ),
  reactions: Type.Optional(
    Type.Array(Reaction, { maxItems: 100, description: 'The newest reactions that it has, oldest first' }),
  ),
})
export type MessageRow = Static<typeof MessageRow>

/** The kind of a request to a bot: friendship, or to join a group. */
export const RequestKind = Type.Enum(['friend', 'group-join', 'group-invite'])
/** A request of a platform that waits for an answer. */
export const RequestRow = Type.Object({
  id: Id,
  requestId: Type.String(),
  kind: RequestKind,
  sender: Person,
  channel: Type.Optional(Channel),
  comment: Type.Optional(Type.String()),
  status: Type.Enum(['pending', 'approved', 'rejected', 'expired']),
  canAct: Type.Boolean({ description: 'Whether the request can be approved or rejected now' }),
  read: Type.Boolean(),
  timestamp: Time,
})
export type RequestRow = Static<typeof RequestRow>

/** A notice of a platform, such as a new member. */
export const NoticeRow = Type.Object({
  id: Id,
  noticeId: Type.String(),
  kind: Type.String(),
  channel: Type.Optional(Channel),
  operator: Type.Optional(Person),
  target: Type.Optional(Person),
  payload: Json,
  read: Type.Boolean(),
  timestamp: Time,
})
export type NoticeRow = Static<typeof NoticeRow>

/** A contact of a bot. */
export const Friend = Type.Object({
  id: Id,
  name: Type.String(),
  remark: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
})
export type Friend = Static<typeof Friend>
/** A group that a bot is in. */
export const Group = Type.Object({
  id: Id,
  name: Type.String(),
  memberCount: Type.Optional(Type.Integer()),
  avatar: Type.Optional(Type.String()),
})
export type Group = Static<typeof Group>
/** A guild channel that a bot sees. */
export const ChannelItem = Type.Object({
  id: Id,
  name: Type.Optional(Type.String()),
  parent: Type.Optional(Type.Object({ type: Type.Enum(['guild']), id: Id, name: Type.Optional(Type.String()) })),
})
export type ChannelItem = Static<typeof ChannelItem>
/** A member of a group. */
export const Member = Type.Object({
  id: Id,
  name: Type.String(),
  card: Type.Optional(Type.String()),
  role: Type.Enum(['owner', 'admin', 'member']),
  title: Type.Optional(Type.String()),
  mutedUntil: Type.Optional(Time),
})
export type Member = Static<typeof Member>
