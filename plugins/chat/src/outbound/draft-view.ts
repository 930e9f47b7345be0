import { messageOf } from '@mynah/kernel'
import { SendError, type OutboundMessage } from '../api/adapter.js'
import type { Outgoing } from '../api/points.js'
import { DRAFT_AGE_MS, STOPPED_SENDING, type OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { renderToPlainText } from '../api/segments.js'
import type { UnclearShow } from '../store/outbound-states.js'
import { cutMessage } from './cut-message.js'
import { assertNotEmpty, isSendError, messageFor, shownText, textOf, type TransmissionContext } from './transmission.js'

/** The message on the platform that shows a draft while it is written. Its row stays a draft. */
export class DraftView {
  readonly #context: TransmissionContext
  readonly #record: OutboundRecord
  /** Id of the message on the platform, once there is one. */
  messageId: string | undefined
  /** The segments that the platform shows, as JSON. */
  #shown = ''
  /** The text that the platform shows of a message that exceeds its limits. */
  #firstPart: string | undefined
  /** A first message of which the platform has not said whether it shows it. */
  #unclear: UnclearShow | undefined

  constructor(context: TransmissionContext, record: OutboundRecord) {
    this.#context = context
    this.#record = record
    this.messageId = record.messageId
  }

  /** The text that the platform may show although no message is known. */
  get unclear(): UnclearShow | undefined {
    if (this.messageId !== undefined) return undefined
    return this.#unclear ?? { text: this.#record.text, error: STOPPED_SENDING }
  }

  /**
   * Whether an earlier process may have shown a part. Its last edit may still be on its way, and a platform that knows
   * the key of its message shows nothing new.
   */
  get isContinued(): boolean {
    return this.#record.messageId !== undefined || this.#record.text !== ''
  }

  /** Returns whether the platform shows exactly these segments. */
  isShown({ segments }: Outgoing): boolean {
    return JSON.stringify(segments) === this.#shown
  }

  /** Shows these segments: sends a message the first time, and edits it from then on. */
  async show(endpoint: Endpoint, outgoing: Outgoing): Promise<void> {
    assertNotEmpty(outgoing)
    if (this.isShown(outgoing)) return
    const { ctx } = this.#context
    const { message, isWhole } = await this.#messageFor(endpoint, outgoing)
    if (!isWhole && message.text === this.#firstPart) return
    try {
      if (this.messageId === undefined) await this.#send(endpoint, outgoing, message)
      else await endpoint.bot?.edit?.(outgoing.target, this.messageId, message)
    } catch (error) {
      if (isSendError(error) && error.kind === 'rate-limited' && error.retryAfter !== undefined)
        endpoint.outbox.hold(this.#record.channel, ctx.clock.now() + Math.min(error.retryAfter, DRAFT_AGE_MS))
      throw error
    }
    this.#shown = isWhole ? JSON.stringify(outgoing.segments) : ''
    this.#firstPart = isWhole ? undefined : message.text
  }

  /** Returns the message that is shown: of one beyond the limits the first part. The rest is sent in the end. */
  async #messageFor(
    endpoint: Endpoint,
    outgoing: Outgoing,
  ): Promise<{ readonly message: OutboundMessage; readonly isWhole: boolean }> {
    const { adapter, ctx } = this.#context
    const segments = await adapter.adaptAsText(endpoint, outgoing.segments)
    // The whole message has a key of its own: a platform that knows this key would not take it.
    const key = `${this.#context.keyOf(this.#record)}-draft`
    const { limits } = endpoint.definition ?? {}
    const [part = segments, ...more] = limits ? cutMessage(segments, limits) : [segments]
    const isWhole = more.length === 0
    const text = isWhole ? shownText(outgoing, segments) : renderToPlainText([...part])
    return { message: messageFor(this.#record, key, part, text, ctx.clock.now()), isWhole }
  }

  async #send(endpoint: Endpoint, outgoing: Outgoing, message: OutboundMessage): Promise<void> {
    const { id } = this.#record
    const { states } = this.#context
    const text = textOf(outgoing)
    // After a stop from here on, the platform may show this.
    await states.updateDraft(id, '', outgoing.segments, text)
    await endpoint.outbox.enqueue(this.#record.channel, async () => {
      const { bot } = endpoint
      if (!bot) throw new SendError('offline', `the endpoint "${endpoint.id}" went offline`)
      try {
        const result = await bot.send(outgoing.target, message)
        this.messageId = (result ? result.messageId : undefined) ?? this.#context.generateId(this.#record)
      } catch (error) {
        if (!isSendError(error)) this.#unclear = { text, error: messageOf(error) }
        throw error
      }
    })
    await states.updateDraft(id, this.messageId ?? '', outgoing.segments, text)
  }
}
