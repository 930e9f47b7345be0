// What an adapter is: how a bot account on one platform connects, sends, and hands over what comes in.
import type { ChannelItem, Content, Friend, Group, Member, Parent, RequestRow, Segment } from '@mynah/contract/types'
import type { Clock, Logger } from '@mynah/kernel'
import type { Static, TObject } from '@mynah/contract/type'
import type { Locale } from './languages.js'
import type { Channel, Person, Target } from './message.js'

/** A message as an adapter hands it over. */
export interface InboundMessage {
  /** Id on the platform; made by the adapter where the platform gives none. */
  readonly id: string
  readonly channel: Channel
  readonly sender: Person & {
    /** What the platform says of the sender in this group. */
    readonly role?: 'owner' | 'admin' | 'member'
    readonly locale?: Locale
  }
  readonly content: Content
  /** The bot is mentioned; private messages always count. */
  readonly mentioned?: boolean
  readonly replyTo?: string
  readonly timestamp?: number
}

/** A friend or group request as an adapter hands it over. */
export interface InboundRequest {
  /** Id by which the platform knows it. */
  readonly id: string
  readonly kind: RequestRow['kind']
  readonly sender: Person
  readonly channel?: Channel
  readonly comment?: string
  readonly timestamp?: number
}

/** A platform notice: somebody joined, was muted, recalled a message. */
export interface InboundNotice {
  readonly id: string
  readonly kind: string
  readonly channel?: Channel
  readonly operator?: Person
  readonly target?: Person
  readonly payload: unknown
  readonly timestamp?: number
}

/** Who the bot is on the platform. */
export interface Self {
  readonly id?: string
  readonly name?: string
  readonly avatar?: string
}

/** What the runtime gives to one account. */
export interface EndpointHandle<Config = Record<string, unknown>> {
  readonly id: string
  readonly adapter: string
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** Aborts when the endpoint stops for good. */
  readonly signal: AbortSignal
  /**
   * Hands a message over. Resolves once it is accepted, so that the platform may be told; rejects where an adapter that
   * acknowledges after the store must withhold its acknowledgement. A message seen before resolves and is not handled again.
   */
  receive(message: InboundMessage): Promise<void>
  request(request: InboundRequest): Promise<void>
  notice(notice: InboundNotice): Promise<void>
  /**
   * Work that lasts as long as the connection, such as a loop that asks for updates. Should it end or fail before the endpoint
   * disconnects, the connection counts as lost: a bot that no longer listens is not online.
   */
  during(work: Promise<unknown>): void
  /** The connection is gone; the runtime disconnects and connects again with a growing pause. */
  lost(reason: unknown): void
  /** Something about the account changed while connected. */
  self(self: Self): void
}

/** A rendered message on its way out. */
export interface OutboundMessage {
  readonly segments: readonly Segment[]
  /** The segments as plain text. */
  readonly text: string
  readonly replyTo?: string
}

/** Bounds of {@link Bot.fetchMedia}. */
export interface FetchLimits {
  readonly maxBytes: number
  /** Aborts when nobody waits for the bytes any more. */
  readonly signal: AbortSignal
}

/**
 * One account on one platform. `connect` resolves when the account can receive and send. The optional methods are its
 * capabilities: the console shows controls for those that exist.
 */
export interface Bot {
  connect(): Promise<Self | void>
  disconnect(): Promise<void>
  /** Sends and gives the platform's id of the message; see {@link SendError} for what to throw. */
  send(target: Target, message: OutboundMessage): Promise<{ messageId?: string } | void>
  friends?(): Promise<Friend[]>
  groups?(): Promise<Group[]>
  channels?(guildId?: string): Promise<ChannelItem[]>
  groupMembers?(groupId: string): Promise<Member[]>
  groupKick?(groupId: string, userId: string): Promise<void>
  groupMute?(groupId: string, userId: string, seconds: number): Promise<void>
  groupAdmin?(groupId: string, userId: string, enable: boolean): Promise<void>
  deleteFriend?(userId: string): Promise<void>
  /** Puts a message in the place of one that was sent; throws as {@link Bot.send} does. */
  edit?(target: Target, messageId: string, message: OutboundMessage): Promise<void>
  /** Takes a message back that was sent: nobody sees it any more. Where this cannot be, it throws. */
  recall?(target: Target, messageId: string): Promise<void>
  /** Shows for a few seconds that an answer is being written. */
  typing?(target: Target): Promise<void>
  /**
   * The bytes behind a segment that this account handed over, for platforms whose media have an id and no address that may be told.
   * Stops at the limits; throws a `WireError` that says what is wrong and holds no secret.
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
/** What an account can do: what its bot implements, and what its adapter declares. */
export type Capability = (typeof CAPABILITIES)[number] | 'buttons'

/** A platform: contributed to the point `adapters`. */
export interface Adapter<S extends TObject = TObject> {
  /** In `endpoints[].adapter` and in every list. */
  readonly name: string
  /** What people call it; default the name. */
  readonly platform?: string
  /** Schema of one item of `endpoints`, beyond `adapter`, `id`, `master`, `trusted`, `enabled`, `outboundMedia`. */
  readonly schema?: S
  /** `after-store`: the platform is told only after the message is stored, and delivers again what was not. */
  readonly acknowledges: 'after-store' | 'never'
  /** Channels stand below guilds: a channel message needs its `parent`. */
  readonly guilds?: boolean
  /** Buttons of a card are shown, and one that is pressed comes in as a message: its command, said by who pressed it. */
  readonly buttons?: boolean
  /** Outbound pacing: at once up to `burst`, then `perSecond`; default none. */
  readonly pacing?:
    | { readonly burst: number; readonly perSecond: number }
    | ((config: Static<S>) => { readonly burst: number; readonly perSecond: number } | undefined)
  /**
   * Types of segments that its platform shows, beside text; default {@link SHOWN}. HTML and Markdown that are not among them reach it
   * as pictures, or as text where it shows none of these either.
   */
  readonly shows?: readonly ShownType[]
  create(endpoint: EndpointHandle<Static<S>>): Bot
}

/** What {@link Adapter.shows} may name. */
export type ShownType = 'image' | 'audio' | 'video' | 'file' | 'html' | 'markdown'
/** What platforms show unless they say otherwise. */
export const SHOWN: readonly ShownType[] = ['image', 'audio', 'video', 'file']

/**
 * Defines an adapter, its configuration typed by its schema.
 *
 * @example
 * export const echo = defineAdapter({ name: 'echo', acknowledges: 'never', create: (endpoint) => new EchoBot(endpoint) })
 */
export function defineAdapter<const S extends TObject = TObject>(adapter: Adapter<S>): Adapter {
  return Object.freeze(adapter) as unknown as Adapter
}

/**
 * Why a message was not sent: `refused` by the platform for good, `rate-limited` and to be tried again after `retryAfter`
 * ms, or `offline` before anything left. Anything else thrown counts as unknown: it may have arrived, and is never repeated.
 */
export class SendError extends Error {
  override readonly name = 'SendError'
  readonly kind: 'refused' | 'rate-limited' | 'offline'
  readonly retryAfter?: number

  constructor(kind: SendError['kind'], message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
  }
}

export type { ChannelItem, Friend, Group, Member, Parent }
