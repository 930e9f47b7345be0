import type { Clock, Logger } from '@mynah/kernel'
import type {
  Cursors,
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
} from './inbound.js'
import type { Self } from './self.js'

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
  receive(message: InboundMessage, options?: { readonly cursor?: Cursors }): Promise<void>
  /**
   * Stores and publishes a change of a message. It is never handled as a message. A change of a message that is not
   * stored is published too.
   */
  changed(change: InboundChange, options?: { readonly cursor?: Cursors }): Promise<void>
  /** Stores and publishes a reaction. */
  reaction(reaction: InboundReaction, options?: { readonly cursor?: Cursors }): Promise<void>
  /**
   * The positions of this account, which outlast a restart where the message store does. Those that are given to
   * `receive` are written together with the message.
   */
  readonly cursor: {
    get(name: string): Promise<string | undefined>
    set(cursors: Cursors): Promise<void>
  }
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
