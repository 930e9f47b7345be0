import type { BaseContext } from '@mynah/kernel'
import type { Target } from '../api/message.js'
import { RECOVERY_AGE_MS } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import type { ActiveStore } from '../store/active-store.js'
import type { OutboundStates } from '../store/outbound-states.js'

/** Replaces messages that were sent, as soon as their endpoint is online, and ends those that wait. */
export class Edits {
  readonly #ctx: BaseContext<unknown>
  readonly #endpoints: Endpoints
  readonly #store: ActiveStore
  readonly #states: OutboundStates
  /** Edits that wait for an endpoint. */
  readonly #waiting = new Set<() => void>()

  constructor(ctx: BaseContext<unknown>, endpoints: Endpoints, store: ActiveStore, states: OutboundStates) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    this.#store = store
    this.#states = states
    endpoints.changed.add(({ status }) => {
      if (status === 'online') for (const look of this.#waiting) look()
    })
    ctx.signal.addEventListener('abort', () => {
      for (const look of this.#waiting) look()
    })
  }

  /** See `Chat.edit`. */
  async edit(adapter: string, id: string, target: Target, messageId: string, text: string): Promise<boolean> {
    const bot = (await this.#online(adapter, id))?.bot
    if (!bot?.edit) return false
    await bot.edit(target, messageId, { segments: [{ type: 'text', data: { text } }], text, key: `edit:${messageId}` })
    return true
  }

  /** See `Chat.withdraw`. */
  async withdraw(row: string): Promise<string | undefined> {
    const found = await this.#store.require().findOutbound(row)
    if (!found) return undefined
    const { record, state } = found
    if (state === 'sent') return record.messageId
    if (state === 'intent' && (await this.#states.withdraw(record))) return undefined
    const endpoint = await this.#online(record.adapter, record.endpoint)
    // The attempt that is in progress has ended when it is the turn of this.
    await endpoint?.outbox.enqueue(record.channel, async () => {})
    const now = await this.#store.require().findOutbound(row)
    return now?.state === 'sent' ? now.record.messageId : undefined
  }

  /** Resolves with an endpoint once it is online; with `undefined` when it waits for too long, or the host stops. */
  #online(adapter: string, id: string): Promise<Endpoint | undefined> {
    const { clock, signal } = this.#ctx
    const online = (): Endpoint | undefined => {
      const found = this.#endpoints.find(adapter, id)
      return found?.status === 'online' ? found : undefined
    }
    const found = online()
    const isKnown = this.#endpoints.find(adapter, id) !== undefined || this.#endpoints.isExpected(adapter, id)
    if (found || signal.aborted || !isKnown) return Promise.resolve(found)
    return new Promise((resolve) => {
      const end = (endpoint: Endpoint | undefined): void => {
        cancel()
        this.#waiting.delete(look)
        resolve(endpoint)
      }
      const look = (): void => {
        const now = online()
        if (now || signal.aborted) end(now)
      }
      const cancel = clock.setTimeout(() => end(undefined), RECOVERY_AGE_MS)
      this.#waiting.add(look)
    })
  }
}
