// The async context of a polished reply. One store a process, kept under a global symbol so that two copies of this package share it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutboundReply } from './points.js'

const SLOT = Symbol.for('mynah.chat.reply')
const slot = globalThis as { [SLOT]?: AsyncLocalStorage<OutboundReply> }

function storage(): AsyncLocalStorage<OutboundReply> {
  return (slot[SLOT] ??= new AsyncLocalStorage<OutboundReply>())
}

/** The inbound message and the source of the reply being sent; `undefined` for a direct `message.$reply`. */
export function getOutboundReplyStore(): OutboundReply | undefined {
  return slot[SLOT]?.getStore()
}

/** Runs `send` with the reply known to whoever asks. */
export function withOutboundReply<T>(reply: OutboundReply, send: () => T): T {
  return storage().run(reply, send)
}
