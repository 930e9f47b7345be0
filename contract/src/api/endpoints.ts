// Accounts of bots on platforms: lists, sending, social methods and the inbox.
import { Type, type Static, type TProperties } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Channel, ChannelType, Content, Id, JsonObject, Parent, Success, Time } from './common.js'
import { Reaction, MessageRow, RequestRow, NoticeRow, Friend, Group, ChannelItem, Member } from './inbox.js'

/** An endpoint in a list. */
export const EndpointItem = Type.Object({
  name: Type.String({ examples: ['sandbox'] }),
  adapter: Type.String({ examples: ['sandbox'] }),
  connected: Type.Boolean(),
  status: Type.Enum(['online', 'offline']),
})
export type EndpointItem = Static<typeof EndpointItem>

const row = {
  name: Type.String(),
  adapter: Type.String(),
  connected: Type.Boolean(),
  status: Type.Enum(['online', 'offline', 'pending']),
  platform: Type.Optional(Type.String()),
  selfId: Type.Optional(Type.String()),
  selfName: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
  capabilities: Type.Array(Type.String({ examples: ['friends', 'groups', 'groupKick'] })),
  unread: Type.Object({ messages: Type.Integer(), requests: Type.Integer(), notices: Type.Integer() }),
  error: Type.Optional(Type.String()),
  since: Type.Integer({
    description:
      'Since when it is online, or since when it is not: attempts to connect again change nothing. ' +
      'Milliseconds since the epoch',
  }),
}

/** An endpoint as REST clients see it. */
export const EndpointRow = Type.Object(row)
export type EndpointRow = Static<typeof EndpointRow>

/** A change of the state of an endpoint, with the reason. */
export const EndpointChange = Type.Object({
  at: Time,
  status: Type.Enum(['online', 'offline', 'pending']),
  reason: Type.Optional(Type.String()),
})
export type EndpointChange = Static<typeof EndpointChange>

/** An endpoint with its state, capabilities and counts. */
export const EndpointInfo = Type.Object({
  ...row,
  config: JsonObject,
  stats: Type.Object(
    {
      received: Type.Integer(),
      sent: Type.Integer({ description: 'Messages that the platform took' }),
      notSent: Type.Integer({ description: 'Messages that failed or are unknown' }),
      lost: Type.Integer({ description: 'Lost connections' }),
      errors: Type.Integer({ description: 'Messages not sent, lost connections and failed attempts to connect' }),
    },
    { description: 'Counts since the start' },
  ),
  lastError: Type.Optional(Type.String()),
  lastMessageAt: Type.Optional(
    Type.Integer({
      description: 'When the last message was received or sent since the start, milliseconds since the epoch',
    }),
  ),
  changes: Type.Array(EndpointChange, { description: 'The last 100 changes of the status, newest first' }),
  nextTryAt: Type.Optional(
    Type.Integer({ description: 'When the next attempt to connect begins, milliseconds since the epoch' }),
  ),
})
export type EndpointInfo = Static<typeof EndpointInfo>

/** An adapter, with the schema of its accounts. */
export const AdapterItem = Type.Object({
  name: Type.String({ examples: ['irc'] }),
  platform: Type.String({ description: 'Name for people' }),
  schema: Type.Unknown({ description: 'JSON Schema of an account: an item of `endpoints`' }),
  probes: Type.Boolean({ description: 'Whether an account can be tested while an endpoint uses it' }),
  guide: Type.Optional(
    Type.Object(
      { en: Type.String(), 'zh-CN': Type.Optional(Type.String()) },
      { description: 'The steps on the platform itself, in Markdown, by language' },
    ),
  ),
})
export type AdapterItem = Static<typeof AdapterItem>

/** The result of a test of an account that is not saved yet. */
export const EndpointTest = Type.Object({
  ok: Type.Boolean(),
  message: Type.String({ description: 'The words of the platform. No secret is in them' }),
  selfId: Type.Optional(Type.String()),
  selfName: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Mistakes of the account that were found without asking the platform',
    }),
  ),
  missing: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Permissions and the like that the account lacks, and where to grant them. It works without',
    }),
  ),
  ms: Type.Integer({ description: 'Duration in milliseconds' }),
})
export type EndpointTest = Static<typeof EndpointTest>

const address = { adapter: Id, endpointId: Id }
const at = <P extends TProperties>(fields: P) => Type.Object({ ...address, ...fields })
const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  before: Type.Optional(Id),
}
const unreadOnly = { unreadOnly: Type.Optional(Type.Boolean({ default: false })) }
const consume = at({ id: Type.Optional(Id), ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000 })) })
const Consumed = Type.Object({ success: Type.Boolean(), consumed: Type.Integer() })
const total = Type.Integer()
const nextBefore = Type.Optional(Id)
const event = <P extends TProperties>(fields: P) =>
  Type.Object({ adapter: Type.String(), endpoint_id: Type.String(), endpointId: Type.String(), ...fields })
const social = ['not_found', 'not_ready', 'unsupported'] as const

/** The receipt of a message that was sent. */
export const SendReceipt = Type.Object({ messageId: Type.String(), timestamp: Time })
export type SendReceipt = Static<typeof SendReceipt>

/** Operations and methods for accounts, their contacts and their messages. */
export const endpoints = contract({
  rest: {
    'GET /endpoints': { summary: 'All endpoints', data: Type.Array(EndpointItem), scope: 'demo' },
    'POST /message/send': {
      summary: 'Sends a message. `context` is the adapter',
      body: Type.Object(
        { context: Id, endpoint: Id, id: Id, type: ChannelType, content: Content, parent: Type.Optional(Parent) },
        {
          examples: [{ context: 'sandbox', endpoint: 'sandbox', id: 'alice', type: 'private', content: 'hello' }],
        },
      ),
      data: SendReceipt,
      errors: ['not_found', 'not_ready', 'upstream_unavailable', 'unsupported'],
    },
  },
  rpc: {
    'endpoint:list': {
      summary: 'All endpoints with capabilities and unread counts',
      reads: true,
      params: Type.Object({}),
      nested: true,
      data: Type.Object({ endpoints: Type.Array(EndpointRow) }),
      scope: 'demo',
    },
    'endpoint:info': {
      summary: 'One endpoint',
      reads: true,
      params: at({}),
      nested: true,
      data: EndpointInfo,
      errors: ['not_found'],
    },
    'endpoint:adapters': {
      summary: 'Platforms for which an account can be added now, each with the schema of an account',
      reads: true,
      params: Type.Object({}),
      nested: true,
      data: Type.Object({ adapters: Type.Array(AdapterItem) }),
    },
    'endpoint:test': {
      summary:
        'Connects an account and leaves again. Nothing is saved or received, and endpoints that run are not touched. ' +
        'A masked secret stands for the stored one of the account with this adapter and id. At most two run at a time',
      params: Type.Object({ account: JsonObject }),
      nested: true,
      data: EndpointTest,
      errors: ['not_found', 'rate_limited'],
    },
    'endpoint:sendMessage': {
      summary: 'Sends a message. A sub-channel needs its guild as `parent`',
      params: at({ id: Id, type: ChannelType, content: Content, parent: Type.Optional(Parent) }),
      nested: true,
      data: Type.Object({ messageId: Type.String() }),
      errors: social,
    },
    'endpoint:friends': {
      summary: 'Friends',
      reads: true,
      params: at({}),
      nested: true,
      data: Type.Object({ friends: Type.Array(Friend), total }),
      errors: social,
    },
    'endpoint:groups': {
      summary: 'Groups',
      reads: true,
      params: at({}),
      nested: true,
      data: Type.Object({ groups: Type.Array(Group), total }),
      errors: social,
    },
    'endpoint:channels': {
      summary: 'Channels, of one guild or all',
      reads: true,
      params: at({ guildId: Type.Optional(Id) }),
      nested: true,
      data: Type.Object({ channels: Type.Array(ChannelItem), total }),
      errors: social,
    },
    'endpoint:groupMembers': {
      summary: 'Members of a group',
      reads: true,
      params: at({ groupId: Id }),
      nested: true,
      data: Type.Object({ members: Type.Array(Member), total }),
      errors: social,
    },
    'endpoint:groupKick': {
      summary: 'Removes a member from a group',
      params: at({ groupId: Id, userId: Id }),
      nested: true,
      data: Success,
      errors: social,
    },
    'endpoint:groupMute': {
      summary: 'Mutes a member for `duration` seconds. 0 unmutes',
      params: at({ groupId: Id, userId: Id, duration: Type.Integer({ minimum: 0, maximum: 31_536_000 }) }),
      nested: true,
      data: Success,
      errors: social,
    },
    'endpoint:groupAdmin': {
      summary: 'Appoints or dismisses an administrator',
      params: at({ groupId: Id, userId: Id, enable: Type.Boolean() }),
      nested: true,
      data: Success,
      errors: social,
    },
    'endpoint:deleteFriend': {
      summary: 'Removes a friend',
      params: at({ userId: Id }),
      nested: true,
      data: Success,
      errors: social,
    },
    'endpoint:requests': {
      summary: 'Pending requests',
      reads: true,
      params: at(page),
      nested: true,
      data: Type.Object({ requests: Type.Array(RequestRow), total, nextBefore }),
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:requestApprove': {
      summary: 'Approves a request',
      params: at({ requestId: Id, remark: Type.Optional(Type.String({ maxLength: 512 })) }),
      nested: true,
      data: Success,
      errors: [...social, 'conflict'],
    },
    'endpoint:requestReject': {
      summary: 'Rejects a request',
      params: at({ requestId: Id, reason: Type.Optional(Type.String({ maxLength: 512 })) }),
      nested: true,
      data: Success,
      errors: [...social, 'conflict'],
    },
    'endpoint:requestConsumed': {
      summary: 'Marks requests as read',
      params: consume,
      nested: true,
      data: Consumed,
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:noticeConsumed': {
      summary: 'Marks notices as read',
      params: consume,
      nested: true,
      data: Consumed,
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:messageConsumed': {
      summary: 'Marks messages as read',
      params: consume,
      nested: true,
      data: Consumed,
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:inboxMessages': {
      summary: 'Messages, newest first',
      reads: true,
      params: at({
        channel: Type.Optional(Type.Object({ type: ChannelType, id: Id })),
        parent: Type.Optional(Type.Object({ type: Type.Enum(['group', 'guild']), id: Id })),
        ...page,
        ...unreadOnly,
      }),
      nested: true,
      data: Type.Object({ messages: Type.Array(MessageRow), total, nextBefore }),
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:unsentMessages': {
      summary:
        'Messages that were not sent (`failed`) or may not have arrived (`unknown`), newest first, each with its ' +
        'reason. Those that were sent again are left out',
      reads: true,
      params: at(page),
      nested: true,
      data: Type.Object({ messages: Type.Array(MessageRow), total, nextBefore }),
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:resendMessage': {
      summary:
        'Sends one of the `endpoint:unsentMessages` again, once, as a new message. One that may have arrived needs ' +
        '`mayHaveArrived`. The `messageId` is empty where the message waits for its endpoint',
      params: at({ id: Id, mayHaveArrived: Type.Optional(Type.Boolean({ default: false })) }),
      nested: true,
      data: Type.Object({ messageId: Type.String() }),
      errors: [...social, 'conflict', 'upstream_unavailable'],
    },
    'endpoint:inboxRequests': {
      summary: 'Requests, newest first',
      reads: true,
      params: at({ ...page, ...unreadOnly }),
      nested: true,
      data: Type.Object({ requests: Type.Array(RequestRow), total, nextBefore }),
      errors: ['not_found', 'not_ready'],
    },
    'endpoint:inboxNotices': {
      summary: 'Notices, newest first',
      reads: true,
      params: at({ ...page, ...unreadOnly }),
      nested: true,
      data: Type.Object({ notices: Type.Array(NoticeRow), total, nextBefore }),
      errors: ['not_found', 'not_ready'],
    },
  },
  events: {
    'endpoint:message': {
      summary: 'A message was received, or the delivery status of a sent one changed',
      data: event(MessageRow.properties),
    },
    'endpoint:messageChanged': {
      summary: 'A stored message was edited or deleted on the platform, or its reactions changed',
      data: event(MessageRow.properties),
    },
    'endpoint:reaction': {
      summary: 'A person added a reaction to a message or took it away. The message may not be stored',
      data: event({
        messageId: Type.String(),
        channel: Channel,
        ...Reaction.properties,
        added: Type.Boolean(),
        timestamp: Time,
      }),
    },
    'endpoint:request': { summary: 'A friend or group request', data: event(RequestRow.properties) },
    'endpoint:notice': { summary: 'A platform notice', data: event(NoticeRow.properties) },
  },
})
