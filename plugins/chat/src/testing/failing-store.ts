import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { MessageStore, type InboundRecord } from '../api.js'

/** Returns a plugin with a message store that accepts messages only while `keeps` returns true. */
export function failingStore(keeps: () => boolean): AnyPlugin {
  const rows = new Map<string, string>()
  let made = 0
  const store: Partial<MessageStore> = {
    durable: false,
    newId: () => String(++made),
    accept({ id, messageId }: InboundRecord) {
      if (!keeps()) throw new WireError('not_ready', 'the disk is full')
      const known = rows.get(messageId)
      if (known !== undefined) return { id: known, fresh: false }
      rows.set(messageId, id)
      return { id, fresh: true }
    },
    startHandling: () => true,
    finishHandling() {},
    listReceived: () => [],
    recoverInbound: () => [],
    recoverOutbound: () => ({ intents: [], ended: [] }),
    addIntent: () => undefined,
    addChange() {},
    changes: () => [],
    startSending: () => true,
    finishSending() {},
  }
  return definePlugin({
    name: 'fickle-store',
    provides: [MessageStore],
    setup: (ctx) => void ctx.provide(MessageStore, store as MessageStore),
  }) as unknown as AnyPlugin
}
