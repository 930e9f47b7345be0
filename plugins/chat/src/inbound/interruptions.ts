import { messageOf, started, type BaseContext, type HostControl } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { publish } from '@mynah/plugin-events/api'
import type { Locale } from '../api/languages.js'
import {
  DRAFT_AGE_MS,
  type InboundRecord,
  type InboundRecoveryPolicy,
  type InterruptedNotes,
  type OutboundRecord,
} from '../api/store.js'
import type { CommandRunner } from '../commands/runner.js'
import type { ChatSettings } from '../settings.js'
import type { ActiveStore } from '../store/active-store.js'
import { interruptedEvent } from '../stream-events.js'
import { textsFor } from '../texts.js'
import { TraceBuilder } from '../traces.js'
import type { PlainAnswers } from './plain-answers.js'
import { ReceivedMessage, type ReceivedMessageActions } from './received-message.js'

/** Time that plugins have to load the requests that wait for people, ms. */
const READY_TIMEOUT_MS = 10_000

/** Decides about the messages whose handling a stop interrupted, and notifies their senders. */
export class Interruptions {
  readonly #ctx: BaseContext<unknown>
  readonly #settings: ChatSettings
  readonly #store: ActiveStore
  readonly #runner: CommandRunner
  readonly #plainAnswers: PlainAnswers
  readonly #actions: ReceivedMessageActions
  readonly #hostStarted: Promise<void>

  constructor(
    ctx: BaseContext<unknown>,
    host: HostControl,
    settings: ChatSettings,
    store: ActiveStore,
    runner: CommandRunner,
    plainAnswers: PlainAnswers,
    actions: ReceivedMessageActions,
  ) {
    this.#ctx = ctx
    this.#settings = settings
    this.#store = store
    this.#runner = runner
    this.#plainAnswers = plainAnswers
    this.#actions = actions
    this.#hostStarted =
      host.status === 'starting' ? new Promise((resolve) => ctx.on(started, () => resolve())) : Promise.resolve()
  }

  /** Resolves when plugins know the requests of before the start, or after {@link READY_TIMEOUT_MS}. Never rejects. */
  async ready(): Promise<void> {
    const { clock, log } = this.#ctx
    try {
      // A command may belong to a plugin that is not up yet.
      await withTimeout(clock, READY_TIMEOUT_MS, () => this.#hostStarted.then(() => this.#plainAnswers.ready()), {
        message: `not ready within ${READY_TIMEOUT_MS / 1000} s`,
      })
    } catch (error) {
      log.warn(`handling messages of before the start without knowing all requests: ${messageOf(error)}`)
    }
  }

  /** Returns the policy of one recovery. Each sender is notified once in each channel. */
  policy(): InboundRecoveryPolicy {
    const notified = new Set<string>()
    const hasListeners = this.#ctx.hasListeners(publish)
    return {
      mayRepeat: (record) => this.#mayRepeat(record),
      notesOf: (record, reason): InterruptedNotes => ({
        event: hasListeners ? interruptedEvent(record, reason) : undefined,
        notice: this.#noticeOf(record, notified),
      }),
    }
  }

  /** Commands that say so, and answers to requests that wait, are handled again. */
  #mayRepeat(record: InboundRecord): boolean {
    const message = new ReceivedMessage(record, true, new TraceBuilder(record, this.#ctx.clock.now()), this.#actions)
    const match = this.#runner.find(message)
    return match ? match.isRepeatable : this.#plainAnswers.mayAnswer(message)
  }

  /** Returns the message to a sender who waits for a reply; `undefined` where the sender does not. */
  #noticeOf(record: InboundRecord, notified: Set<string>): OutboundRecord | undefined {
    const { adapter, endpoint, channel, sender, timestamp } = record
    const now = this.#ctx.clock.now()
    const waits = record.mentioned || channel.type === 'private' || this.#isCommand(record)
    const person = JSON.stringify([channel.type, channel.id, sender.id])
    if (!waits || timestamp <= now - DRAFT_AGE_MS || notified.has(person)) return undefined
    notified.add(person)
    const text = textsFor((sender.locale as Locale | undefined) ?? this.#settings.commands.locale).interrupted
    return {
      id: this.#store.require().newId(),
      adapter,
      endpoint,
      channel,
      segments: [{ type: 'text', data: { text } }],
      text,
      timestamp: now,
      key: `interrupted:${record.id}`,
      answers: record.id,
      replyTo: record.messageId,
    }
  }

  #isCommand(record: InboundRecord): boolean {
    return record.text.trimStart().startsWith(this.#settings.commands.prefix)
  }
}
