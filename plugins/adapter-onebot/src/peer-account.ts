import type { WebSocket } from 'ws'
import type { OneBotConfig } from './config.js'
import type { Frame } from './wire.js'

/** An account as the HTTP server of the host sees it. */
export interface PeerAccount {
  readonly endpoint: { readonly config: OneBotConfig }
  /** Returns why a server with this account may not connect. */
  selfMistake(selfId: string): string | undefined
  /** Takes the connection of a server. */
  admit(socket: WebSocket): void
  /** Takes a posted event. Resolves once it is accepted. */
  post(event: Frame): Promise<void>
}
