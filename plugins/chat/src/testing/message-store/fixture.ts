import assert from 'node:assert/strict'
import type { MessageRow } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import type { InboundRecord, InboxQuery, MessageStore, OutboundRecord, RecoveredSends } from '../../api/store.js'

/** A fresh store under test. */
export interface MessageStoreRig {
  readonly store: MessageStore
  /** Sets the clock of the store, in milliseconds since the epoch. */
  setTime(now: number): void
  /** Events that the store has published, oldest first. */
  published(): readonly Publication[] | Promise<readonly Publication[]>
}

/** The time of the store when a test begins. */
export const NOW = 1_790_000_000_000
/** The endpoint of the tests. */
export const key = { adapter: 'test', endpoint: 'bot' }
/** Its channel. */
export const group = { type: 'group', id: 'g1' } as const
/** Returns a query for the endpoint of the tests. */
export const query = (rest: Partial<InboxQuery> = {}): InboxQuery => ({ ...key, limit: 50, ...rest })

/** Returns an event for a test to recognise. */
export const eventOf = (name: string): Publication => ({ type: 'test', data: { name } })

/** The store of one test, and what the tests do with it. */
export class Fixture {
  #rig: MessageStoreRig | undefined

  async open(open: () => Promise<MessageStoreRig>): Promise<void> {
    this.#rig = await open()
    this.#rig.setTime(NOW)
  }

  get #opened(): MessageStoreRig {
    assert.ok(this.#rig)
    return this.#rig
  }

  get store(): MessageStore {
    return this.#opened.store
  }

  setTime(now: number): void {
    this.#opened.setTime(now)
  }

  async published(): Promise<readonly Publication[]> {
    return this.#opened.published()
  }

  inbound(messageId: string, rest: Partial<InboundRecord> = {}): InboundRecord {
    return {
      id: this.store.newId(),
      ...key,
      messageId,
      channel: group,
      sender: { id: 'ann', name: 'Ann' },
      segments: [{ type: 'text', data: { text: messageId } }],
      text: messageId,
      mentioned: false,
      timestamp: NOW,
      ...rest,
    }
  }

  outbound(text: string, rest: Partial<OutboundRecord> = {}): OutboundRecord {
    return {
      id: this.store.newId(),
      ...key,
      channel: group,
      segments: [{ type: 'text', data: { text } }],
      text,
      timestamp: NOW,
      ...rest,
    }
  }

  /** Accepts a message and returns its row. */
  async accept(messageId: string, rest?: Partial<InboundRecord>): Promise<string> {
    return (await this.store.accept(this.inbound(messageId, rest))).id
  }

  /** Adds an intent and returns its row. */
  async intend(text: string, rest?: Partial<OutboundRecord>): Promise<string> {
    const record = this.outbound(text, rest)
    await this.store.addIntent(record)
    return record.id
  }

  async rowOf(id: string): Promise<MessageRow | undefined> {
    return (await this.store.messages(query())).rows.find((row) => row.id === id)
  }

  async stateOf(id: string): Promise<MessageRow['state'] | undefined> {
    return (await this.rowOf(id))?.state
  }

  async received(limit = 50): Promise<string[]> {
    return (await this.store.listReceived(key, limit)).map(({ messageId }) => messageId)
  }

  /** Recovers the outbound messages, and publishes the event `ended` for each that ends. */
  recover(): Promise<RecoveredSends> | RecoveredSends {
    return this.store.recoverOutbound(key, ({ text }, { state }) => eventOf(`${text} ${state}`))
  }

  async intents(): Promise<string[]> {
    return (await this.recover()).intents.map(({ text }) => text)
  }
}
