import type { AnyPlugin, Host, PluginEntry } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'

/** A platform that runs, with one user who shares a conversation with the bot. Every test gets a rig of its own. */
export interface AdapterRig {
  /** Plugins of the host besides chat: the adapter and those that it needs. */
  readonly plugins: readonly (AnyPlugin | PluginEntry)[]
  /** The item of `endpoints` with which the bot connects. */
  readonly endpoint: { readonly adapter: string; readonly id: string; readonly [key: string]: unknown }
  /** The conversation in which the bot and the user talk. */
  readonly target: Channel
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
  stop(): Promise<void>
}

/** An adapter under contract. */
export interface AdapterContract {
  readonly name: string
  start(): Promise<AdapterRig>
  /** Why this machine cannot run the platform; the tests are pending then. */
  unavailable?(): string | undefined
  /** The platform gives ids and may deliver twice: the rig has `redeliver`. */
  readonly redelivers?: boolean
  /** The bot holds a connection or asks again and again: the rig has `kill` and `restart`. */
  readonly reconnects?: boolean
  /** The platform shows buttons, as the adapter declares: the rig has `press`. */
  readonly buttons?: boolean
  /** The platform keeps messages while the bot is offline, and delivers them when it is back. */
  readonly retains?: boolean
}
