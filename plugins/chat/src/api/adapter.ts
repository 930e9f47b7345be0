import type { ChannelItem, Friend, Group, Member, Parent, Segment } from '@mynah/contract/types'
import type { Clock, Logger } from '@mynah/kernel'
import type { Static, TObject } from '@mynah/contract/type'
import type { Command } from './command.js'
import type { EndpointHandle } from './endpoint-handle.js'
import type { FormattedText, MarkdownTree } from './formatting/formatted-text.js'
import type { ReplyToken } from './inbound.js'
import type { Target } from './message.js'
import type { Self } from './self.js'

/** A message as the adapter sends it. */
export interface OutboundMessage {
  readonly segments: readonly Segment[]
  /** The segments as plain text. */
  readonly text: string
  readonly replyTo?: string
  /**
   * The same at each attempt to send this message, and unique among all messages of the host, also over restarts. A
   * part of a message that was cut at {@link Adapter.limits} has the key of the message with `-1`, `-2` and so on.
   */
  readonly key: string
  /** The token of the message that this one answers, while it is valid. */
  readonly via?: ReplyToken
  /** Id of the only user who may see it. Given only to adapters that declare {@link Adapter.ephemeral}. */
  readonly only?: string
}

/** Bounds of {@link Bot.fetchMedia}. */
export interface FetchLimits {
  readonly maxBytes: number
  /** Aborts when the bytes are not needed any more. */
  readonly signal: AbortSignal
}

/** The commands that a platform with a menu shows. */
export interface CommandMenu {
  /** Characters before the name of a command, which the platform may not support. */
  readonly prefix: string
  /** Commands that are not hidden, sorted by name. */
  readonly commands: readonly Pick<Command, 'name' | 'description' | 'requiredAnyRole' | 'privateOnly'>[]
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
  /**
   * Looks for a message that may have been sent with this key. Returns its id, `null` where the platform certainly does
   * not have it, or `undefined` where that cannot be said. After `null` it is sent again, once 20 seconds have passed
   * since the first attempt: before, that one may still be on its way.
   *
   * @param since when the first attempt began, in milliseconds since the epoch
   */
  find?(target: Target, key: string, since: number): Promise<{ readonly messageId: string } | null | undefined>
  /** Adds a reaction of the bot to a message, or takes it away. Throws a `WireError` where the platform refuses. */
  react?(target: Target, messageId: string, emoji: string, isOn: boolean): Promise<void>
  /** Shows for a few seconds that an answer is being written. */
  typing?(target: Target): Promise<void>
  /**
   * Returns the bytes of a segment that this account received, for platforms whose media have an id and no public
   * address. Stops at the limits. Throws a `WireError` whose message holds no secret.
   */
  fetchMedia?(segment: Segment, limits: FetchLimits): Promise<Uint8Array>
  /**
   * Shows the commands of the bot in the menu of the platform. Called after connecting and when the commands have
   * changed.
   */
  commands?(menu: CommandMenu): Promise<void>
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
  'react',
  'typing',
  'fetchMedia',
  'requestApprove',
  'requestReject',
] as const
/** A capability of an account: a method of its bot, or a declaration of its adapter. */
export type Capability = (typeof CAPABILITIES)[number] | 'buttons' | 'ephemeral'

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

/** The result of a test of an account. */
export interface ProbeResult extends Self {
  /**
   * What the account lacks, in the words of the platform, such as a permission that was not granted. Each sentence says
   * where to grant it.
   */
  readonly missing?: readonly string[]
}

/** A platform. Contributed to the point `adapters`. */
export interface Adapter<S extends TObject = TObject> {
  /** Name in `endpoints[].adapter` and in lists. */
  readonly name: string
  /** Name for people; default `name`. */
  readonly platform?: string
  /**
   * Schema of one item of `endpoints`, beyond `adapter`, `id`, `master`, `trusted`, `bots`, `enabled`, `outboundMedia`.
   * Forms for a new account ask for what is required, and for options that have `basic: true`.
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
  /**
   * The platform takes one {@link OutboundMessage.key} once within this time, in milliseconds, so that a message whose
   * answer was lost is sent again within it.
   */
  readonly repeats?: { readonly forMs: number }
  /**
   * Longest text of one message, in Unicode code points, and how many media it may have. A longer message is cut before
   * it is sent, and each part is sent by itself.
   */
  readonly limits?: { readonly text?: number; readonly media?: number }
  /** Whether a message in a group can be shown to one user only. */
  readonly ephemeral?: boolean
  /**
   * What to create where on the platform, and which permissions it needs, as steps in Markdown. Shown above the form
   * for a new account.
   */
  readonly guide?: { readonly en: string; readonly 'zh-CN'?: string }
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
  probe?(account: AccountProbe<Static<S>>): Promise<ProbeResult | void>
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
