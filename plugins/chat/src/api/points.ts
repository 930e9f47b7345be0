// What plugins add to chat and hear from it: points, hooks, and the service behind which chat stands.
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
import type { Adapter, Capability, FetchLimits, InboundNotice, InboundRequest, ShownType } from './adapter.js'
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

/** Runs around everything that happens to a message; not calling `next` ends it. */
export interface Middleware {
  readonly name: string
  /** Higher runs first; default 0. */
  readonly priority?: number
  readonly handle: (message: Message, next: () => Promise<void>) => Promise<void> | void
}
export const middlewares = point<Middleware>({ id: 'chat.middlewares', key: (middleware) => middleware.name })

/** A reusable function that renders a rich reply; used by `Component(name, props)`. */
export interface MessageComponent {
  readonly name: string
  readonly description?: string
  readonly render: (props: Record<string, unknown>) => Content
}
export const components = point<MessageComponent>({
  id: 'chat.components',
  key: (component) => component.name,
  describe: (component) => ({
    name: component.name,
    ...(component.description ? { description: component.description } : {}),
  }),
})

/** The AI path of the dispatcher. */
export interface AiPath {
  readonly name: string
  /** Whether the AI answers this message; the reason stands in the trace either way. */
  readonly decide: (message: Message) => { readonly matches: boolean; readonly reason: string }
  /** Answers, or hands over ({@link Message.detach}): what takes long belongs to who is handed the message. */
  readonly handle: (message: Message, reply: (content: Content) => Promise<Receipt>) => Promise<void>
}
export const aiPaths = point<AiPath>({ id: 'chat.ai', key: (path) => path.name })

/** Something that waits for the answer of a person. */
export interface OpenRequest {
  readonly id: string
  /** What is asked; shown on one line, and cut. */
  readonly title: string
  /** Id of the message that asks, where there is one. */
  readonly messageId?: string | undefined
  /** Any words answer it, without a number too; else it is a yes or a no. */
  readonly isFree?: boolean
  /** Takes the words, which say yes or no by `approve`; gives what is said to that, unless somebody goes on with it. A wire error is told. */
  readonly answer: (message: Message, words: string, approve: boolean | undefined) => Promise<string | undefined>
}

/** Somebody who waits for people to answer. A plain yes or no goes to what it must mean; where several wait, they are told by number. */
export interface Awaiting {
  readonly name: string
  /** What waits for the sender of a message in its conversation, oldest first; at no cost. */
  readonly open: (message: Message) => readonly OpenRequest[]
}
export const awaiting = point<Awaiting>({ id: 'chat.awaiting', key: (waiting) => waiting.name })

/** Gives users roles beyond those that an endpoint's own configuration names. */
export interface RoleGrant {
  readonly name: string
  /** Roles of that user on that endpoint; asked for every message, so at no cost. */
  readonly roles: (adapter: string, endpoint: string, userId: string) => readonly Role[]
}
export const roleGrants = point<RoleGrant>({ id: 'chat.role-grants', key: (grant) => grant.name })

/** A message about to be sent; a listener passes on what is to be sent, or `undefined` to hold it back. */
export interface Outgoing {
  readonly adapter: string
  readonly endpoint: string
  readonly target: Target
  readonly segments: readonly Segment[]
}
/** Around every message that leaves, whoever sends it. */
export const beforeSendMessage = hook<Outgoing, Outgoing | undefined>('before.sendMessage')
/** After middleware and dispatcher have finished with an inbound message. */
export const messageReceive = hook<Message>('message.receive')
/** After the adapter has sent a message. */
export const messageSend = hook<Outgoing & Receipt>('message.send')
/** A friend or group request came in. */
export const requestReceive = hook<InboundRequest & { readonly adapter: string; readonly endpoint: string }>(
  'request.receive',
)
/** A platform notice came in. */
export const noticeReceive = hook<InboundNotice & { readonly adapter: string; readonly endpoint: string }>(
  'notice.receive',
)
/** An endpoint came online, went offline, was added or removed. */
export const endpointChanged = hook<{
  readonly adapter: string
  readonly endpoint: string
  readonly status: 'online' | 'offline' | 'pending' | 'removed'
}>('endpoint.changed')

/** What a polished reply knows of itself. */
export interface OutboundReply {
  readonly message: Message
  readonly source: 'command' | 'ai'
}
/** Changes the segments of replies that the dispatcher sends. */
export type OutboundPolish = (
  segments: readonly Segment[],
  reply: OutboundReply,
) => readonly Segment[] | Promise<readonly Segment[]>

/** The dispatcher as others use it. */
export interface Dispatcher {
  /** Adds a polish handler; the returned function removes it. */
  addOutboundPolish(handler: OutboundPolish): () => void
}

/** How a message is sent. */
export interface SendOptions {
  /**
   * Unique for the endpoint: a second send of a key sends nothing and gives the outcome of the first, as a receipt or as
   * the error that it ended with (`upstream_unavailable:unknown` where nobody knows).
   */
  readonly key?: string
  /** The message that this one answers; the dispatcher's polish and reply context are those of its `source`. */
  readonly answers?: Message
  /** Default `ai`. */
  readonly source?: OutboundReply['source']
}

/** An answer that grows in one message. Edits are sent at most once a second; the last text wins. */
export interface Draft {
  /** Id on the platform, once there is one. */
  readonly messageId: string | undefined
  /** Shows what there is by now. Resolves at once; a failure ends the draft, and {@link Draft.end} tells it. */
  update(content: Content): void
  /** Sends what the message says for good; polished and told as any sent message. */
  end(content: Content): Promise<Receipt>
}

/** Which messages of a conversation. */
export interface TranscriptQuery {
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
  /** Rows after, and before, this one. */
  readonly after?: string
  readonly before?: string
  /** Not older than this, milliseconds since the epoch. */
  readonly since?: number
  /** Contained in the text; case counts for nothing in ASCII. */
  readonly text?: string
  readonly limit: number
}

/** Where the owner of the bot is reached; see {@link Chat.ownerChannel}. */
export interface OwnerChannel {
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
}

/** Chat as others use it. */
export interface Chat {
  readonly dispatcher: Dispatcher
  /** What commands begin with. */
  readonly commandPrefix: string
  /** The language of what nobody asked for, such as a notice or the end of a task; a message tells its sender's. */
  readonly locale: Locale
  /**
   * Sends in the name of an endpoint, found by name when the message's turn comes. Its intent is stored before this
   * resolves; order within the channel is that of the calls. Throws `not_found` for an unknown endpoint and `not_ready` for
   * one that is offline, but a message with `key` or `answers` waits for its endpoint (5 minutes) and gives an empty
   * `messageId`; `invalid_request` where the platform refused it, `upstream_unavailable:unknown` where nobody knows.
   */
  send(adapter: string, endpoint: string, target: Target, content: Content, options?: SendOptions): Promise<Receipt>
  /**
   * Begins a message that may be edited, where the endpoint can (capability `edit`), else `undefined`. Under a key that
   * was begun before, a restart included, it goes on with that message.
   */
  draft(
    adapter: string,
    endpoint: string,
    target: Target,
    options: SendOptions & { readonly key: string },
  ): Promise<Draft | undefined>
  /** Shows that an answer is being written, where the platform can. */
  typing(adapter: string, endpoint: string, target: Target): void
  /** Whether the platform of an endpoint shows segments of a type. */
  shows(adapter: string, endpoint: string, type: ShownType): boolean
  /**
   * The bytes behind a segment that came in over an endpoint, where its adapter can fetch them (capability `fetchMedia`). Waits for an
   * account that is away; all of it takes 30 s at most.
   *
   * @throws WireError `not_found` for an unknown endpoint, `unsupported` where the platform has no such thing, `too_large`, and
   * `upstream_unavailable` where the bytes cannot be had
   */
  fetchMedia(adapter: string, endpoint: string, segment: Segment, limits: FetchLimits): Promise<Uint8Array>
  /** The inbound message of a row, with the roles that its sender has now. */
  message(row: string): Promise<Message | undefined>
  /** The newest messages of a conversation that match, oldest first. */
  transcript(query: TranscriptQuery): Promise<readonly MessageRow[]>
  /** Messages by the minute. */
  activity(minutes: number): Activity
  /** All endpoints, unread counts included. */
  list(): Promise<EndpointRow[]>
  info(adapter: string, endpoint: string): Promise<EndpointInfo>
  /** Endpoints without unread counts, at no cost. */
  endpoints(): readonly {
    readonly adapter: string
    readonly name: string
    readonly status: 'online' | 'offline' | 'pending'
  }[]
  /** Whether an account can do something; false where there is no such account. */
  can(adapter: string, endpoint: string, capability: Capability): boolean
  /** Whether this account is configured and not there yet: what comes for it has to be asked to come again. */
  isExpected(adapter: string, endpoint: string): boolean
  /** How many endpoints are online. */
  online(): number
  /** Every command with its pattern, such as `/note add <text…>`, by pattern; described in English unless told. */
  commands(locale?: Locale): readonly { readonly pattern: string; readonly desc: string; readonly plugin: string }[]
  /** Roles of a user for an endpoint, as configured. */
  rolesOf(adapter: string, endpoint: string, userId: string): ReadonlySet<Role>
  /**
   * Returns the private chat with the owner: the first `master` of the first endpoint that has one, in the order of the
   * configuration. `undefined` where no endpoint has a master.
   */
  ownerChannel(): OwnerChannel | undefined
  /** Returns the configured masters of an endpoint. */
  mastersOf(adapter: string, endpoint: string): readonly string[]
  traces(query: { limit: number; endpointId?: string; messageId?: string }): readonly Trace[]
  /** Messages in and out since the start. */
  readonly counters: {
    readonly received: number
    readonly sent: number
    readonly errors: number
    readonly duplicates: number
    readonly unsaved: number
    readonly failed: number
    readonly unknown: number
  }
}
export const Chat: Service<Chat> = service<Chat>('chat')
