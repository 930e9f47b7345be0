import type { ChannelItem, Content, Friend, Group, Member, Parent, RequestRow, Segment } from '@mynah/contract/types'
import type { Clock, Logger } from '@mynah/kernel'
import type { Static, TObject } from '@mynah/contract/type'
import type { FormattedText, MarkdownTree } from './formatting/formatted-text.js'
import type { Locale } from './languages.js'
import type { Channel, Person, Target } from './message.js'

/** A message that an adapter received. */
export interface InboundMessage {
  /** Id on the platform, or one made by the adapter where the platform gives none. */
  readonly id: string
  readonly channel: Channel
  readonly sender: Person & {
    /** Role of the sender in this group, as the platform reports it. */
    readonly role?: 'owner' | 'admin' | 'member'
    readonly locale?: Locale
  }
  readonly content: Content
  /** Whether the bot is mentioned. Private messages always count as mentions. */
  readonly mentioned?: boolean
  readonly replyTo?: string
  /** When the platform took it, in milliseconds since the epoch; default now. */
  readonly timestamp?: number
  /** Whether it comes from the history of the platform. It is only stored if it is older than five minutes. */
  readonly late?: boolean
}

/** A friend or group request that an adapter received. */
export interface InboundRequest {
  /** Id on the platform. */
  readonly id: string
  readonly kind: RequestRow['kind']
  readonly sender: Person
  readonly channel?: Channel
  readonly comment?: string
  readonly timestamp?: number
}

/** A notice of the platform, such as a user who joined or a message that was recalled. */
export interface InboundNotice {
  readonly id: string
  readonly kind: string
  readonly channel?: Channel
  readonly operator?: Person
  readonly target?: Person
  readonly payload: unknown
  readonly timestamp?: number
}

/** The account of the bot on the platform. */
export interface Self {
  readonly id?: string
  readonly name?: string
  readonly avatar?: string
}

/** The host's side of one account: the adapter reports through it what the platform delivers. */
export interface EndpointHandle<Config = Record<string, unknown>> {
  readonly id: string
  readonly adapter: string
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** Aborts when the endpoint stops for good. */
  readonly signal: AbortSignal
  /**
   * Passes a message on. Resolves once it is accepted, so that the adapter may acknowledge it. Rejects where an
   * adapter that acknowledges after the store must not. A message that was received before resolves and is not
   * handled again.
   */
  receive(message: InboundMessage): Promise<void>
  request(request: InboundRequest): Promise<void>
  notice(notice: InboundNotice): Promise<void>
  /**
   * Ties work to the connection, such as a loop that polls for updates. If it ends before the endpoint disconnects,
   * the connection counts as lost.
   */
  during(work: Promise<unknown>): void
  /** Reports that the connection is lost. The endpoint disconnects and connects again with a growing delay. */
  lost(reason: unknown): void
  /** Reports changes of the account while connected. */
  self(self: Self): void
}

/** A message as the adapter sends it. */
export interface OutboundMessage {
  readonly segments: readonly Segment[]
  /** The segments as plain text. */
  readonly text: string
  readonly replyTo?: string
  /** The same at each attempt to send this message, and unique among all messages of the host. */
  readonly key: string
}

/** Bounds of {@link Bot.fetchMedia}. */
export interface FetchLimits {
  readonly maxBytes: number
  /** Aborts when the bytes are not needed any more. */
  readonly signal: AbortSignal
}

/**
 * One account on one platform. `connect` resolves when the account can receive and send. The optional methods are
 * its capabilities, and the console shows controls for them.
 */
export interface Bot {
  connect(): Promise<Self | void>
  disconnect(): Promise<void>
  /** Sends a message and returns the platform's id of it. See {@link SendError} for what to throw. */
  send(target: Target, message: OutboundMessage): Promise<{ messageId?: string } | void>
  friends?(): Promise<Friend[]>
  groups?(): Promise<Group[]>
  channels?(guildId?: string): Promise<ChannelItem[]>
  groupMembers?(groupId: string): Promise<Member[]>
  groupKick?(groupId: string, userId: string): Promise<void>
  groupMute?(groupId: string, userId: string, seconds: number): Promise<void>
  groupAdmin?(groupId: string, userId: string, enable: boolean): Promise<void>
  deleteFriend?(userId: string): Promise<void>
  /** Replaces a message that was sent. Throws as {@link Bot.send} does. */
  edit?(target: Target, messageId: string, message: OutboundMessage): Promise<void>
  /** Deletes a message that was sent. Throws where the platform cannot. */
  recall?(target: Target, messageId: string): Promise<void>
  /** Shows for a few seconds that an answer is being written. */
  typing?(target: Target): Promise<void>
  /**
   * Returns the bytes of a segment that this account received, for platforms whose media have an id and no public
   * address. Stops at the limits. Throws a `WireError` whose message holds no secret.
   */
  fetchMedia?(segment: Segment, limits: FetchLimits): Promise<Uint8Array>
  requestApprove?(requestId: string, remark?: string): Promise<void>
  requestReject?(requestId: string, reason?: string): Promise<void>
}

/** Names of the optional methods of {@link Bot}. */
export const CAPABILITIES = [
  'friends',
  'groups',
  'channels',
  'groupMembers',
  'groupKick',
  'groupMute',
  'groupAdmin',
  'deleteFriend',
  'edit',
  'recall',
  'typing',
  'fetchMedia',
  'requestApprove',
  'requestReject',
] as const
/** A capability of an account: a method of its bot, or a declaration of its adapter. */
export type Capability = (typeof CAPABILITIES)[number] | 'buttons'

/** A rate of sending: up to `burst` messages at once, then `perSecond`. */
export interface Pacing {
  readonly burst: number
  readonly perSecond: number
  /** The unit that the rate is counted for; default `endpoint`. */
  readonly per?: 'endpoint' | 'channel'
}

/** An account to try, as its adapter gets it. */
export interface AccountProbe<Config = Record<string, unknown>> {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** Aborts when the time for the test is over. The connection must be closed then. */
  readonly signal: AbortSignal
}

/** A platform. Contributed to the point `adapters`. */
export interface Adapter<S extends TObject = TObject> {
  /** Name in `endpoints[].adapter` and in lists. */
  readonly name: string
  /** Name for people; default `name`. */
  readonly platform?: string
  /**
   * Schema of one item of `endpoints`, beyond `adapter`, `id`, `master`, `trusted`, `enabled`, `outboundMedia`. Forms
   * for a new account ask for what is required, and for options that have `basic: true`.
   */
  readonly schema?: S
  /** `after-store`: the platform is acknowledged after the message is stored, and delivers again what was not. */
  readonly acknowledges: 'after-store' | 'never'
  /** Whether channels belong to guilds. A channel message needs its `parent` then. */
  readonly guilds?: boolean
  /**
   * Whether cards show buttons. A pressed button is received as a message with its command, sent by the user who
   * pressed it.
   */
  readonly buttons?: boolean
  /** Beginning of messages that programs of the platform keep to themselves, so that a bot never gets them. */
  readonly reservedPrefix?: string
  /** Limits the rate of sending. Default: no limit. */
  readonly pacing?: Pacing | ((config: Static<S>) => Pacing | undefined)
  /**
   * Types of segments that the platform shows besides text; default {@link SHOWN}. Other HTML and Markdown is sent
   * as pictures, or as text where the platform shows no images.
   */
  readonly shows?: readonly ShownType[]
  /**
   * Formats text in Markdown, such as a model writes. The segment of text that is sent has its `text` and `entities`.
   * {@link formatEntities} does it for platforms with entities. Default: plain text.
   */
  readonly format?: (tree: MarkdownTree) => FormattedText
  create(endpoint: EndpointHandle<Static<S>>): Bot
  /**
   * Tries an account that may not be saved yet: logs in and leaves again. It must neither receive anything nor disturb
   * an endpoint of the same account. Without it, a test connects a bot of {@link Adapter.create} with an id of its own.
   */
  probe?(account: AccountProbe<Static<S>>): Promise<Self | void>
}

/** A type in {@link Adapter.shows}. */
export type ShownType = 'image' | 'audio' | 'video' | 'file' | 'html' | 'markdown'
/** The default of {@link Adapter.shows}. */
export const SHOWN: readonly ShownType[] = ['image', 'audio', 'video', 'file']

/**
 * Defines an adapter whose configuration is typed by its schema.
 *
 * @example
 * export const echo = defineAdapter({
 *   name: 'echo', acknowledges: 'never', create: (endpoint) => new EchoBot(endpoint),
 * })
 */
export function defineAdapter<const S extends TObject = TObject>(adapter: Adapter<S>): Adapter {
  return Object.freeze(adapter) as unknown as Adapter
}

/** Options of {@link SendError}. */
export interface SendErrorOptions {
  /** Time for which the platform takes nothing more, in milliseconds. It is waited for, however long it is. */
  readonly retryAfter?: number
  /**
   * The unit that the platform limits; default `channel`. With `endpoint`, nothing is sent through the account
   * meanwhile.
   */
  readonly scope?: 'channel' | 'endpoint'
  readonly cause?: unknown
}

/**
 * The reason why a message was not sent: `refused` by the platform for good, `rate-limited` and to be repeated after
 * `retryAfter` milliseconds, or `offline` before it was sent. Any other error counts as unknown: the message may
 * have arrived, and is never repeated.
 */
export class SendError extends Error {
  override readonly name = 'SendError'
  readonly kind: 'refused' | 'rate-limited' | 'offline'
  readonly retryAfter?: number
  readonly scope: 'channel' | 'endpoint'

  constructor(
    kind: SendError['kind'],
    message: string,
    { retryAfter, scope = 'channel', cause }: SendErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.scope = scope
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }
}

export type { ChannelItem, Friend, Group, Member, Parent }
