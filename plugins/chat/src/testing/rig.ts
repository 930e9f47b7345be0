import type { AnyPlugin, Host, PluginEntry } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'

/** Bytes that went through the platform. */
export interface RigMedia {
  readonly bytes: Uint8Array
  readonly name?: string
  readonly mime?: string
}

/** A thread of the conversation of a rig. */
export interface RigThread {
  /** Sends one line to the bot in the thread, as the user. */
  say(text: string): Promise<void>
  /** Returns the texts that the user has received in the thread, oldest first. */
  sent(): readonly string[]
}

/** A second account of the bot, which talks to the same user or another one. */
export interface RigAccount {
  readonly endpoint: RigEndpoint
  readonly target: Channel
  say(text: string): Promise<void>
  sent(): readonly string[]
}

/** The same account with a secret that the platform refuses. */
export interface WrongSecret {
  readonly endpoint: RigEndpoint
  /** Name of the key to change, which the reason must contain. */
  readonly names: string
}

export interface RigEndpoint {
  readonly adapter: string
  readonly id: string
  readonly [key: string]: unknown
}

/**
 * A platform that runs, with one user who shares a conversation with the bot. Every test gets a rig of its own. The
 * optional methods switch tests on. A test fails, and names the method, where the adapter declares a feature whose
 * method is missing.
 */
export interface AdapterRig {
  /** Plugins of the host besides chat: the adapter and those that it needs. */
  readonly plugins: readonly (AnyPlugin | PluginEntry)[]
  /** The item of `endpoints` with which the bot connects. */
  readonly endpoint: RigEndpoint
  /** The conversation in which the bot and the user talk. */
  readonly target: Channel
  /** Values that must not be in a log line, an event or a reason. */
  readonly secrets?: readonly string[]
  /**
   * Called after each start of the host, when the endpoint is online: for platforms that must find the port of the
   * host.
   */
  online?(host: Host): Promise<void> | void
  /** Sends one line to the bot as the user. Resolves when the platform has it. */
  say(text: string): Promise<void>
  /** Delivers the last message again, as a platform does where an acknowledgement was lost. */
  redeliver?(): Promise<void>
  /** Stops the server at once, without closing connections. */
  kill?(): Promise<void>
  /** Restarts the server at the same address, with what it retains for the bot. */
  restart?(): Promise<void>
  /** Presses the button of the last card that has this text. */
  press?(button: string): Promise<void>
  /** Returns the texts that the user has received from the bot, oldest first. */
  sent(): readonly string[]
  /** Another user (`person`) or another bot says a line in the conversation. */
  sayAs?(speaker: 'person' | 'bot', text: string): Promise<void>
  /** Delivers the bot's own last message to it, where the platform does not do so by itself. */
  echo?(): Promise<void>
  /** Says a line that answers the bot's last message. */
  reply?(text: string): Promise<void>
  /** Returns the text that the bot's last message quotes, where it quotes one. */
  quoted?(): string | undefined
  /** Says a line that mentions the bot, another user, or everybody. */
  mention?(whom: 'bot' | 'other' | 'all', text: string): Promise<void>
  /** Changes the user's last message. */
  edit?(text: string): Promise<void>
  /** Deletes the user's last message. */
  remove?(): Promise<void>
  /** Adds a reaction of the user to the bot's last message, or takes it away. */
  react?(emoji: string, isOn: boolean): Promise<void>
  /** Returns the reactions of the bot to the user's last message. */
  reactions?(): readonly string[]
  /** Opens a thread in the conversation. */
  thread?(): Promise<RigThread>
  /** Sends a picture to the bot as the user. */
  show?(picture: RigMedia): Promise<void>
  /** Returns the media that the user has received. */
  media?(): readonly RigMedia[]
  /** Whether the user sees that the bot is typing. */
  isTyping?(): boolean
  /** Lets the platform refuse the next messages of the bot, with `forbidden` or 403 as the reason. */
  refuse?(times: number): void
  /**
   * Lets the platform refuse the next message of the bot and all others until this time has passed by the clock of the
   * endpoint. It counts a message that comes too early in {@link early}.
   */
  limit?(retryAfterMs: number, now: () => number): void
  /** Returns how many messages came before the time that {@link limit} has named. */
  early?(): number
  /** Lets the platform take the next messages of the bot without answering. */
  swallow?(times: number): void
  /** Keeps the connections open, and neither reads nor sends anything from here on. */
  mute?(): void
  /** Sends values to the bot as the platform would send its own, in the shape of its frames or updates. */
  frames?(values: readonly unknown[]): Promise<void>
  readonly wrongSecret?: WrongSecret
  /** Prepares a second account. */
  second?(): Promise<RigAccount>
  stop(): Promise<void>
}

/** An adapter under contract. */
export interface AdapterContract {
  readonly name: string
  start(): Promise<AdapterRig>
  /** Why this machine cannot run the platform; the tests are pending then. */
  unavailable?(): string | undefined
  /** The platform keeps messages while the bot is offline, and delivers them when it is back. */
  readonly retains?: boolean
}
