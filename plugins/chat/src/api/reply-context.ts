import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutboundReply } from './points.js'

// A global symbol, so that two copies of this package share one context.
const SLOT = Symbol.for('mynah.chat.reply')
const slot = globalThis as { [SLOT]?: AsyncLocalStorage<OutboundReply> }

function storage(): AsyncLocalStorage<OutboundReply> {
  return (slot[SLOT] ??= new AsyncLocalStorage<OutboundReply>())
}

/**
 * Returns the reply that is being sent: the inbound message and the source. `undefined` for a direct
 * `message.$reply`.
 */
export function getOutboundReplyStore(): OutboundReply | undefined {
  return slot[SLOT]?.getStore()
}

/** Runs `send` with the reply in the async context. */
export function withOutboundReply<T>(reply: OutboundReply, send: () => T): T {
  return storage().run(reply, send)
}
