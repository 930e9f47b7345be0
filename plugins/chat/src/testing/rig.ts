// What an adapter's tests bring to the contract: a platform with a user on it, and what that platform is able to do.
import type { AnyPlugin, Host, PluginEntry } from '@mynah/kernel'
import type { Channel } from '@mynah/contract/types'

/** A platform that runs, with one user who shares a conversation with the bot. Every test gets a rig of its own. */
export interface AdapterRig {
  /** Plugins of the host beside chat: that of the adapter, and those which it needs. */
  readonly plugins: readonly (AnyPlugin | PluginEntry)[]
  /** The item of `endpoints` by which the bot connects. */
  readonly endpoint: { readonly adapter: string; readonly id: string; readonly [key: string]: unknown }
  /** The conversation: where the bot sends, and where it hears what the user says. */
  readonly target: Channel
  /** Called when the host has started and the endpoint is online, each time: for platforms that must find the host's port. */
  online?(host: Host): Promise<void> | void
  /** The user says one line to the bot. Resolves when the platform has taken it. */
  say(text: string): Promise<void>
  /** The platform delivers the last message again, as it does where an acknowledgement was lost. */
  redeliver?(): Promise<void>
  /** The platform's server dies at once, without a word. */
  kill?(): Promise<void>
  /** It comes back at the same address; what it retains for the bot is still there. */
  restart?(): Promise<void>
  /** The user presses the button of the last card that says this. */
  press?(button: string): Promise<void>
  /** The texts that the user has got from the bot, oldest first. */
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
  /** The platform keeps what was said while the bot was away, and delivers it then. */
  readonly retains?: boolean
}
