import { toError } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { Receipt } from '../api/message.js'
import type { Outgoing } from '../api/points.js'
import type { OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import type { Telemetry } from '../telemetry.js'
import type { TraceBuilder } from '../traces.js'
import { isSendError, Transmission, type TransmissionContext } from './transmission.js'

export interface TransmitOptions {
  /** Whether the record is a row of the store. */
  readonly stored: boolean
  /** Whether the message waits where its endpoint is offline. */
  readonly mayWait: boolean
  readonly trace?: TraceBuilder | undefined
}

/** Sends one message when it is its turn: pace, state, adapter, outcome. */
export class Transmitter {
  readonly #context: TransmissionContext
  readonly #endpoints: Endpoints
  readonly #telemetry: Telemetry

  constructor(context: TransmissionContext, endpoints: Endpoints, telemetry: Telemetry) {
    this.#context = context
    this.#endpoints = endpoints
    this.#telemetry = telemetry
  }

  /**
   * Sends a message.
   *
   * @returns the receipt; its `messageId` is empty where the message waits for its endpoint
   * @throws WireError `not_ready` where the endpoint is offline, `invalid_request` where the platform refused the
   * message,
   * `upstream_unavailable:unknown` where it may have arrived, else `upstream_unavailable`
   */
  async transmit(record: OutboundRecord, outgoing: Outgoing, options: TransmitOptions): Promise<Receipt> {
    const { stored, trace } = options
    const transmission = new Transmission(this.#context, record, stored, trace)
    // Found by name, since the endpoint may have been replaced after the message was stored.
    const endpoint = this.#endpoints.find(record.adapter, record.endpoint)
    if (!endpoint || endpoint.status !== 'online')
      return this.#defer(
        transmission,
        options,
        endpoint ? `the endpoint is ${endpoint.status}` : 'the endpoint is not configured any more',
      )
    const paced = endpoint.outbox.pace()
    if (paced) await paced
    if (stored) {
      const starting = this.#context.states.startSending(record)
      if (starting instanceof Promise) await starting
    }
    try {
      await transmission.send(endpoint, outgoing)
      endpoint.counters.sent++
      this.#telemetry.counters.sent++
      const completing = transmission.complete(outgoing)
      return completing instanceof Promise ? await completing : completing
    } catch (error) {
      if (isSendError(error) && error.kind === 'offline') return this.#defer(transmission, options, error.message)
      return this.#fail(endpoint, transmission, error)
    }
  }

  async #fail(endpoint: Endpoint, transmission: Transmission, thrown: unknown): Promise<never> {
    const error = toError(thrown)
    endpoint.counters.errors++
    endpoint.lastError = error.message
    this.#telemetry.counters.errors++
    const mayHaveArrived = transmission.hasLeft && !isSendError(thrown)
    await transmission.fail(mayHaveArrived ? 'unknown' : 'failed', error.message)
    if (!transmission.hasLeft || (isSendError(thrown) && thrown.kind === 'refused'))
      throw new WireError('invalid_request', `The message cannot be sent: ${error.message}`, { cause: error })
    throw new WireError(
      mayHaveArrived ? 'upstream_unavailable:unknown' : 'upstream_unavailable',
      `The platform did not take the message: ${error.message}`,
      { cause: error },
    )
  }

  /** Notes that nothing was sent. A message that may wait stays an intent until its endpoint is online again. */
  async #defer(
    transmission: Transmission,
    { stored, mayWait, trace }: TransmitOptions,
    reason: string,
  ): Promise<Receipt> {
    const { record } = transmission
    if (mayWait && stored && (await this.#context.states.requeue(record))) {
      trace?.step('send', record.endpoint, 'waits', reason)
      return { messageId: '', timestamp: record.timestamp }
    }
    this.#telemetry.counters.errors++
    await transmission.fail('failed', reason)
    throw new WireError('not_ready', `The message cannot be sent: ${reason}`)
  }
}
