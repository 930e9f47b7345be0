import type { Ref } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { MessageStore } from '../api/store.js'

/** Selects the message store: the durable one where a plugin declares it, else the one in memory. */
export class ActiveStore {
  readonly #durable: Ref<MessageStore>
  readonly #memory: MessageStore

  constructor(durable: Ref<MessageStore>, memory: MessageStore) {
    this.#durable = durable
    this.#memory = memory
  }

  /** The store, or `undefined` while a declared durable store is unavailable. */
  get current(): MessageStore | undefined {
    return this.#durable.current ?? (this.#durable.declared ? undefined : this.#memory)
  }

  /**
   * Returns the store.
   *
   * @throws WireError `not_ready` while a declared durable store is unavailable
   */
  require(): MessageStore {
    const store = this.current
    if (!store) throw new WireError('not_ready', 'The message store is not ready')
    return store
  }

  /** Calls the listener each time a durable store becomes available. */
  onAvailable(listener: () => void): void {
    this.#durable.onChange((store) => {
      if (store) listener()
    })
  }
}
