import type { AccessRules } from './access.js'
import { hook, point, service, type Service } from '@mynah/kernel'
import type {
  Activity,
  Channel,
  Content,
  EndpointInfo,
  EndpointRow,
  MessageRow,
  Segment,
  Trace,
} from '@mynah/contract/types'
import type { Adapter, Capability, FetchLimits, ShownType } from './adapter.js'
import type { InboundNotice, InboundReaction, InboundRequest } from './inbound.js'
import type { Command } from './command.js'
import { localized, type Locale } from './languages.js'
import type { Message, Receipt, Role, Target } from './message.js'

/** Chat platforms. */
export const adapters = point<Adapter>({
  id: 'chat.adapters',
  key: (adapter) => adapter.name,
  describe: (adapter) => ({ name: adapter.name, ...(adapter.platform ? { description: adapter.platform } : {}) }),
})

/** Commands of the bot. */
export const commands = point<Command>({
  id: 'chat.commands',
  key: (command) => command.name,
  describe: (command) => ({ name: command.name, description: localized(command.description, 'en') }),
})

/** Runs around the handling of each message. Without a call of `next` the handling ends. */
export interface Middleware {
  readonly name: string
  /** Middlewares with a higher priority run first; default 0. */
  readonly priority?: number
  readonly handle: (message: Message, next: () => Promise<void>) => Promise<void> | void
}
/** The point for functions around the handling of a message. */
export const middlewares = point<Middleware>({ id: 'chat.middlewares', key: (middleware) => middleware.name })

/** A function that renders a rich reply, used by `Component(name, props)`. */
export interface MessageComponent {
  readonly name: string
  readonly description?: string
  readonly render: (props: Record<string, unknown>) => Content
}
/** The point for functions that render rich replies by name. */
export const components = point<MessageComponent>({
  id: 'chat.components',
  key: (component) => component.name,
  describe: (component) => ({
    name: component.name,
    ...(component.description ? { description: component.description } : {}),
  }),
})

/** Answers messages with AI. */
export interface AiPath {
  readonly name: string
  /** Decides whether the AI answers a message. The trace has the reason in both cases. */
  readonly decide: (message: Message) => { readonly matches: boolean; readonly reason: string }
  /** Returns whether it answers to the command that a message begins with, so that no similar one is suggested. */
  readonly hasCommand?: (message: Message) => boolean
  /** Answers the message, or detaches it ({@link Message.detach}) for answers that take long. */
  readonly handle: (message: Message, reply: (content: Content) => Promise<Receipt>) => Promise<void>
}
/** The point for what answers messages that are no commands, such as the agent. */
export const aiPaths = point<AiPath>({ id: 'chat.ai', key: (path) => path.name })

/** A request that waits for the answer of a person. */
export interface OpenRequest {
  readonly id: string
  /** The question, shown on one line and cut. */
  readonly title: string
  /** Id of the message with the question, where there is one. */
  readonly messageId?: string | undefined
  /** Whether any words are an answer. Otherwise it is a yes or a no. */
  readonly isFree?: boolean
  /**
   * Receives the answer. `approve` is set where the words say yes or no. Returns the text to reply with, if any. The
   * user is shown the message of a `WireError`.
   */
  readonly answer: (message: Message, words: string, approve: boolean | undefined) => Promise<string | undefined>
}

/**
 * A source of requests that wait for people. A plain yes or no goes to the only request. Where several wait, they
 * are listed by number.
 */
export interface Awaiting {
  readonly name: string
  /**
   * Resolves when the requests of before a start are known again. A message that came earlier may be an answer to one
   * of them.
   */
  readonly ready?: () => Promise<void>
  /** Returns the requests that wait for the sender of a message, oldest first. Must be fast. */
  readonly open: (message: Message) => readonly OpenRequest[]
}
/** The point for open questions, so that a plain answer finds the one that it is for. */
export const awaiting = point<Awaiting>({ id: 'chat.awaiting', key: (waiting) => waiting.name })

/** Grants roles to users besides those of the configuration. */
export interface RoleGrant {
  readonly name: string
  /** Returns the roles of a user for an endpoint. Must be fast, since it is called for every message. */
  readonly roles: (adapter: string, endpoint: string, userId: string) => readonly Role[]
}
/** The point for functions that give users further roles. */
export const roleGrants = point<RoleGrant>({ id: 'chat.role-grants', key: (grant) => grant.name })

/** A message before it is sent. A listener returns the message to send, or `undefined` to hold it back. */
export interface Outgoing {
  readonly adapter: string
  readonly endpoint: string
  readonly target: Target
  readonly segments: readonly Segment[]
}
/** Called around every message that is sent by any plugin. */
export const beforeSendMessage = hook<Outgoing, Outgoing | undefined>('before.sendMessage')
/** Called after middlewares and dispatcher have handled an inbound message. */
export const messageReceive = hook<Message>('message.receive')
/** Called after an adapter has sent a message. */
export const messageSend = hook<Outgoing & Receipt>('message.send')
/** Called when a friend or group request was received. */
export const requestReceive = hook<InboundRequest & { readonly adapter: string; readonly endpoint: string }>(
  'request.receive',
)
/** Called when a person has added a reaction to a message or taken it away. */
export const reactionReceive = hook<InboundReaction & { readonly adapter: string; readonly endpoint: string }>(
  'reaction.receive',
)
/** Called when a notice of the platform was received, also of a message that was edited or deleted. */
export const noticeReceive = hook<InboundNotice & { readonly adapter: string; readonly endpoint: string }>(
  'notice.receive',
)
/** Called when an endpoint came online, went offline, was added or removed. */
export const endpointChanged = hook<{
  readonly adapter: string
  readonly endpoint: string
  readonly status: 'online' | 'offline' | 'pending' | 'removed'
}>('endpoint.changed')

/** A reply that is being post-processed. */
export interface OutboundReply {
  readonly message: Message
  readonly source: 'command' | 'ai'
}
/** A handler that changes the segments of replies before they are sent. */
export type OutboundPolish = (
  segments: readonly Segment[],
  reply: OutboundReply,
) => readonly Segment[] | Promise<readonly Segment[]>

/** The dispatcher, as other plugins use it. */
export interface Dispatcher {
  /** Adds a handler that post-processes replies. The returned function removes it. */
  addOutboundPolish(handler: OutboundPolish): () => void
}

/** How a message is sent. */
export interface SendOptions {
  /**
   * Unique for the endpoint. A second send with the same key sends nothing. It returns the outcome of the first as a
   * receipt, or throws the error of the first (`upstream_unavailable:unknown` where its outcome is unknown).
   */
  readonly key?: string
  /** The message that this one answers. The message is post-processed as a reply of its `source`. */
  readonly answers?: Message
  /** Default: `ai`. */
  readonly source?: OutboundReply['source']
}

/** A message that is edited while its text grows, at most once a second. The last text wins. */
export interface Draft {
  /** Id on the platform, once there is one. */
  readonly messageId: string | undefined
  /** Shows the text so far. Returns at once. A failure stops the updates, and {@link Draft.end} reports it. */
  update(content: Content): void
  /** Shows the final text. Post-processed and announced as any sent message. */
  end(content: Content): Promise<Receipt>
}

/** Selects messages of a conversation. */
export interface TranscriptQuery {
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
  /** Only rows after, and before, these. */
  readonly after?: string
  readonly before?: string
  /** Not older than this, in milliseconds since the epoch. */
  readonly since?: number
  /** Text that the messages contain, in any case of ASCII letters. */
  readonly text?: string
  readonly limit: number
}

/** Where the owner of the bot is reached; see {@link Chat.ownerChannel}. */
export interface OwnerChannel {
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
}

/** Chat, as other plugins use it. */
export interface Chat {
  readonly dispatcher: Dispatcher
  /** The prefix of commands. */
  readonly commandPrefix: string
  /** The language of texts that answer no message, such as notices. A message has the language of its sender. */
  readonly locale: Locale
  /**
   * Sends a message through an endpoint, which is found by name when it is the turn of the message. The intent is
   * stored before this resolves. Messages of one channel are sent in the order of the calls. Throws `not_found` for
   * an unknown endpoint, `not_ready` for one that is offline, `invalid_request` where the platform refused the
   * message, and `upstream_unavailable:unknown` where the outcome is unknown. A message with `key` or `answers`
   * waits for an offline endpoint for 5 minutes, and has an empty `messageId` then.
   */
  send(adapter: string, endpoint: string, target: Target, content: Content, options?: SendOptions): Promise<Receipt>
  /**
   * Starts a message that can be edited, where the endpoint has the capability `edit`, else returns `undefined`. A
   * draft with the key of an earlier one continues that message, also after a restart.
   */
  draft(
    adapter: string,
    endpoint: string,
    target: Target,
    options: SendOptions & { readonly key: string },
  ): Promise<Draft | undefined>
  /**
   * Replaces a message that was sent with a text, and with it its buttons, where the platform can. Waits for an
   * endpoint that is offline, for 5 minutes.
   *
   * @returns whether the platform shows the text now
   */
  edit(adapter: string, endpoint: string, target: Target, messageId: string, text: string): Promise<boolean>
  /**
   * Ends a message that waits, so that it is never sent. One that is being sent is awaited.
   *
   * @param row of the message, from {@link Chat.transcript}
   * @returns the id of the message where the platform shows it, to edit it; else `undefined`
   * @throws WireError `not_ready` while the store is unavailable
   */
  withdraw(row: string): Promise<string | undefined>
  /**
   * Adds a reaction of the bot to a message, or takes it away.
   *
   * @throws WireError `not_found` for an unknown endpoint, `not_ready` for one that is offline, `unsupported` where the
   * platform has no reactions, or the refusal of the platform
   */
  react(
    adapter: string,
    endpoint: string,
    target: Target,
    messageId: string,
    emoji: string,
    isOn?: boolean,
  ): Promise<void>
  /** Shows that an answer is being written, where the platform can. */
  typing(adapter: string, endpoint: string, target: Target): void
  /** Returns whether the platform of an endpoint shows segments of a type. */
  shows(adapter: string, endpoint: string, type: ShownType): boolean
  /**
   * Returns the bytes of a segment that an endpoint received, where it has the capability `fetchMedia`. Waits for an
   * endpoint that is offline, for 30 seconds in all.
   *
   * @throws WireError `not_found` for an unknown endpoint, `unsupported` where the platform has no such thing,
   * `too_large`, and
   * `upstream_unavailable` where the bytes cannot be had
   */
  fetchMedia(adapter: string, endpoint: string, segment: Segment, limits: FetchLimits): Promise<Uint8Array>
  /** Returns the inbound message of a row, with the current roles of its sender. */
  message(row: string): Promise<Message | undefined>
  /** Returns the newest messages that match, oldest first. */
  transcript(query: TranscriptQuery): Promise<readonly MessageRow[]>
  /**
   * Returns the counts of messages.
   *
   * @param minutes up to a week; more than a day comes by whole hours
   * @param step minutes that each figure covers; default 1
   */
  activity(minutes: number, adapter?: string, step?: number): Activity
  /** Returns all endpoints with their unread counts. */
  list(): Promise<EndpointRow[]>
  info(adapter: string, endpoint: string): Promise<EndpointInfo>
  /** Returns all endpoints from memory, without unread counts. */
  endpoints(): readonly {
    readonly adapter: string
    readonly name: string
    readonly status: 'online' | 'offline' | 'pending'
  }[]
  /** Returns whether an account has a capability; false for an unknown account. */
  can(adapter: string, endpoint: string, capability: Capability): boolean
  /**
   * Returns whether an account may exist soon: before the start, or while it is being replaced. Messages for it
   * should be delivered again.
   */
  isExpected(adapter: string, endpoint: string): boolean
  /** Returns how many endpoints are online. */
  online(): number
  /**
   * Returns every command with its pattern, such as `/note add <text…>`, sorted by pattern. `locale` is the language
   * of the descriptions, by default English.
   */
  commands(locale?: Locale): readonly { readonly pattern: string; readonly desc: string; readonly plugin: string }[]
  /** Returns the roles of a user for an endpoint. */
  rolesOf(adapter: string, endpoint: string, userId: string): ReadonlySet<Role>
  /**
   * Returns the private chat with the owner: the first `master` of the first endpoint that has one, in the order of the
   * configuration. `undefined` where no endpoint has a master.
   */
  ownerChannel(): OwnerChannel | undefined
  /** Returns who may talk to the agent on an endpoint, where that differs from `ai.access`. */
  accessOf(adapter: string, endpoint: string): AccessRules | undefined
  /** Returns the configured masters of an endpoint. */
  mastersOf(adapter: string, endpoint: string): readonly string[]
  traces(query: { limit: number; endpointId?: string; messageId?: string }): readonly Trace[]
  /** Counts since the start: of messages, and of lost connections. */
  readonly counters: {
    readonly received: number
    readonly sent: number
    readonly errors: number
    readonly duplicates: number
    readonly unsaved: number
    readonly failed: number
    readonly unknown: number
    /** Messages whose handling a stop interrupted. */
    readonly interrupted: number
    readonly lost: number
  }
}
export const Chat: Service<Chat> = service<Chat>('chat', { plugin: 'chat' })
