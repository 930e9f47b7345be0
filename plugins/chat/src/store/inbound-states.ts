// Every state change of an inbound row that this process makes: received → handling → handled | interrupted
import { messageOf, type Logger } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Publication } from '@mynah/plugin-events/api'
import type { Awaitable } from '@mynah/kernel/util'
import type { Cursors } from '../api/inbound.js'
import type { InboundRecord, MessageStore } from '../api/store.js'
import type { ReceivedMessage } from '../inbound/received-message.js'
import type { ActiveStore } from './active-store.js'
import type { PendingWrites } from './pending-writes.js'

/**
 * The result of {@link InboundStates.start}: `taken` where another call handles the message or has handled it,
 * `unwritten` where the store did not take the mark.
 */
export type StartResult = 'started' | 'taken' | 'unwritten'

/** State changes of inbound rows. Only this class sets {@link ReceivedMessage.completion}. */
export class InboundStates {
  readonly #store: ActiveStore
  readonly #pending: PendingWrites
  readonly #log: Logger

  constructor(store: ActiveStore, pending: PendingWrites, log: Logger) {
    this.#store = store
    this.#pending = pending
    this.#log = log
  }

  /**
   * Adds a row in the state `received`, unless the message was accepted before.
   *
   * @throws WireError `not_ready` while the store is unavailable
   */
  accept(record: InboundRecord, event?: Publication, cursors?: Cursors): ReturnType<MessageStore['accept']> {
    const flushing = this.#pending.flush()
    if (flushing) return flushing.then(() => this.#store.require().accept(record, event, cursors))
    const store = this.#store.current
    if (!store) throw new WireError('not_ready', 'The message store is unavailable')
    return store.accept(record, event, cursors)
  }

  /** Received → handling. Only a message that is `started` may be handled. Never rejects. */
  start({ record, trace }: ReceivedMessage): Awaitable<StartResult> {
    const failed = (error: unknown): StartResult => {
      trace.step('store', 'handling', 'unmarked', messageOf(error))
      // The mark may have been written anyway.
      this.#pending.add((store) => store.returnToReceived(record.id))
      return 'unwritten'
    }
    const result = (started: boolean): StartResult => (started ? 'started' : 'taken')
    try {
      const starting = this.#store.require().startHandling(record.id)
      return starting instanceof Promise ? starting.then(result, failed) : result(starting)
    } catch (error) {
      return failed(error)
    }
  }

  /** Handling → handled, unless a reply or a detached worker has written it already. Never rejects. */
  async finish(message: ReceivedMessage): Promise<void> {
    const { record, stored, completion } = message
    if (completion !== 'handler' || record.id === '') return
    // A message that the store refused may be in it anyway.
    if (!stored) return this.#finishLater(record.id)
    try {
      await this.#store.require().finishHandling(record.id)
    } catch (error) {
      this.#log.warn(`failed to mark a message as handled, trying again: ${messageOf(error)}`, {
        messageId: message.id,
      })
      this.#finishLater(record.id)
    }
  }

  #finishLater(id: string): void {
    this.#pending.add((store) => store.finishHandling(id))
  }

  /** Handling → handled within the transaction of the caller, who answers from here on. */
  async detach(message: ReceivedMessage): Promise<void> {
    if (message.stored) await this.#store.require().finishHandling(message.record.id)
    // A message that the store refused may be in it anyway.
    else if (message.record.id !== '') this.#finishLater(message.record.id)
    message.completion = 'detached'
  }

  /** Notes that the row became `handled` together with the intent of its reply. */
  finishedWithReply(message: ReceivedMessage): void {
    message.completion = 'reply'
  }

  /** Handling → received, for a message that no plugin could take while the store was unavailable. */
  giveBack(message: ReceivedMessage): void {
    message.completion = 'returned'
    this.#pending.add((store) => store.returnToReceived(message.record.id))
  }

  /** Takes back {@link InboundStates.detach} after a failure: its transaction may have been rolled back. */
  reattach(message: ReceivedMessage): void {
    if (message.completion === 'detached') message.completion = 'handler'
  }
}
