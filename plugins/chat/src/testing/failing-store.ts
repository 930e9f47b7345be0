import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { MessageStore, type Cursors, type EndpointKey, type InboundRecord } from '../api.js'

/**
 * Returns a plugin with a message store that accepts messages only while `keeps` returns true. It keeps cursors all
 * the time: an adapter that loses its position cannot ask for the refused message again.
 */
export function failingStore(keeps: () => boolean): AnyPlugin {
  const rows = new Map<string, string>()
  const positions = new Map<string, string>()
  const nameOf = ({ adapter, endpoint }: EndpointKey, name: string): string => `${adapter} ${endpoint} ${name}`
  const setCursors = (key: EndpointKey, cursors: Cursors): void => {
    for (const [name, value] of Object.entries(cursors)) positions.set(nameOf(key, name), value)
  }
  let made = 0
  const store: Partial<MessageStore> = {
    durable: false,
    newId: () => String(++made),
    accept(record: InboundRecord, _event, cursors?: Cursors) {
      const { id, messageId } = record
      if (!keeps()) throw new WireError('not_ready', 'the disk is full')
      if (cursors) setCursors(record, cursors)
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
    changeMessage: () => ({ isStored: false }),
    cursor: (key: EndpointKey, name: string) => positions.get(nameOf(key, name)),
    setCursors,
    addIntent: () => undefined,
    addChange() {},
    changes: () => [],
    addDraft: () => undefined,
    updateDraft() {},
    completeDraft: () => true,
    startSending: () => true,
    requeue() {},
    withdraw: () => false,
    returnToReceived() {},
    finishSending() {},
  }
  return definePlugin({
    name: 'fickle-store',
    provides: [MessageStore],
    setup: (ctx) => void ctx.provide(MessageStore, store as MessageStore),
  }) as unknown as AnyPlugin
}
