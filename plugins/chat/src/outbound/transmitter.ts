import { toError } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { SendError } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import type { Outgoing } from '../api/points.js'
import { DRAFT_AGE_MS, RECOVERY_AGE_MS, type OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import { isUnavailable } from '../store/pending-writes.js'
import type { TraceBuilder } from '../traces.js'
import { isSendError, Transmission, type TransmissionContext } from './transmission.js'

/** Longest time for which a message keeps its place in its channel, ms. For a longer one it waits in the store. */
const MAX_WAIT_IN_PLACE_MS = 60_000
/** Attempts for a caller that waits for the platform, since its message cannot wait in the store. */
const MAX_ATTEMPTS_IN_PLACE = 5

export interface TransmitOptions {
  /** Whether the record is a row of the store. */
  readonly stored: boolean
  /** Whether the message may wait in the store for its endpoint, its platform or the store itself. */
  readonly mayWait: boolean
  /** Whether the platform shows the whole message already, so that only its state is written. */
  readonly isShown?: boolean | undefined
  /** Whether it was written as a draft, which is text at any speed, and never a picture. */
  readonly isDraft?: boolean | undefined
  readonly trace?: TraceBuilder | undefined
  /** Called when the platform has taken the message, before its outcome is stored. */
  readonly taken?: (() => void) | undefined
}

/** One message while it is transmitted. */
interface Job extends TransmitOptions {
  readonly outgoing: Outgoing
  readonly key: string
  record: OutboundRecord
  /** Attempts that the platform refused for its rate. */
  attempts: number
  /** The time for which it has waited. The clock may have been set back meanwhile. */
  waitedUntil: number
}

/** Sends one message when it is its turn: pace, state, adapter, outcome. */
export class Transmitter {
  readonly #context: TransmissionContext
  readonly #endpoints: Endpoints
  readonly #mayAct: () => boolean
  /** Rows that are transmitted. Each is in the hands of one call at a time. */
  readonly #active = new Set<string>()

  /** @param mayAct asked right before each call of an adapter */
  constructor(context: TransmissionContext, endpoints: Endpoints, mayAct: () => boolean) {
    this.#context = context
    this.#endpoints = endpoints
    this.#mayAct = mayAct
  }

  /**
   * Sends a message.
   *
   * @returns the receipt; its `messageId` is empty where the message waits in the store
   * @throws WireError `not_ready` where the endpoint is offline, `invalid_request` where the platform refused the
   * message,
   * `upstream_unavailable:unknown` where it may have arrived, else `upstream_unavailable`
   */
  async transmit(record: OutboundRecord, outgoing: Outgoing, options: TransmitOptions): Promise<Receipt> {
    const { stored } = options
    const key = this.#context.keyOf(record)
    const { mayWait, isShown, isDraft, trace, taken } = options
    const job: Job = {
      stored,
      mayWait,
      isShown,
      isDraft,
      trace,
      taken,
      outgoing,
      key,
      record,
      attempts: 0,
      waitedUntil: 0,
    }
    if (stored && this.#active.has(record.id)) return waiting(record)
    if (stored) this.#active.add(record.id)
    try {
      for (;;) {
        const receipt = await this.#attempt(job)
        if (receipt) return receipt
      }
    } finally {
      if (stored) this.#active.delete(record.id)
    }
  }

  /** Returns the receipt, or `undefined` where the message is to be tried again. */
  async #attempt(job: Job): Promise<Receipt | undefined> {
    const { record, stored } = job
    // Found by name, since the endpoint may have been replaced after the message was stored.
    const endpoint = this.#endpoints.find(record.adapter, record.endpoint)
    if (endpoint?.status !== 'online')
      return this.#defer(
        job,
        endpoint ? `the endpoint is ${endpoint.status}` : 'the endpoint is not configured any more',
      )
    const due = Math.max(record.notBefore ?? 0, endpoint.outbox.heldUntil(record.channel))
    if (due > 0 && due > Math.max(this.#now(), job.waitedUntil)) return this.#waitForPlatform(job, endpoint, due)
    const pacing = endpoint.outbox.pace(record.channel)
    if (pacing) await pacing
    if (stored) {
      const starting = this.#startSending(job)
      if (!(starting instanceof Promise ? await starting : starting)) return waiting(record)
    }
    if (!this.#mayAct()) return this.#defer(job, 'this host may not act now')
    return this.#deliver(job, endpoint)
  }

  async #deliver(job: Job, endpoint: Endpoint): Promise<Receipt | undefined> {
    const { record, outgoing, stored, trace } = job
    const transmission = new Transmission(this.#context, record, stored, job.key, trace)
    try {
      if (job.isShown) transmission.messageId = record.messageId
      else await transmission.deliver(endpoint, outgoing, job.isDraft)
    } catch (error) {
      return this.#notDelivered(job, endpoint, transmission, error)
    }
    const completing = transmission.complete(outgoing)
    job.taken?.()
    return completing instanceof Promise ? await completing : completing
  }

  #notDelivered(
    job: Job,
    endpoint: Endpoint,
    transmission: Transmission,
    error: unknown,
  ): Promise<Receipt | undefined> {
    if (!isSendError(error) || error.kind === 'refused') return this.#fail(endpoint, transmission, error)
    return error.kind === 'offline' ? this.#defer(job, error.message) : this.#slowDown(job, endpoint, error)
  }

  /** Returns false where the message is not to be sent now: another call sends it, or the store is unavailable. */
  #startSending({ record, mayWait, trace }: Job): Awaitable<boolean> {
    const started = (isOwn: boolean): boolean => {
      if (!isOwn) trace?.step('send', record.endpoint, 'taken', 'another call sends it or has sent it')
      return isOwn
    }
    const failed = (error: unknown): boolean => {
      if (!mayWait || !isUnavailable(error)) throw error
      trace?.step('send', record.endpoint, 'waits', 'the message store is unavailable')
      return false
    }
    try {
      const starting = this.#context.states.startSending(record)
      return starting instanceof Promise ? starting.then(started, failed) : started(starting)
    } catch (error) {
      return failed(error)
    }
  }

  /** Waits in place for a short time, and in the store for a long one. */
  async #waitForPlatform(job: Job, endpoint: Endpoint, due: number): Promise<Receipt | undefined> {
    const waitMs = due - this.#now()
    if (waitMs <= MAX_WAIT_IN_PLACE_MS && !endpoint.outbox.isLeaving) {
      await endpoint.outbox.wait(waitMs)
      // A stop ends the wait, not the time that the platform has named.
      if (!endpoint.outbox.isLeaving) {
        job.waitedUntil = due
        return undefined
      }
    }
    const reason = `the platform takes nothing for ${Math.ceil(waitMs / 1000)} s`
    return this.#defer(job, reason, due)
  }

  /** The platform refused the message for its rate: it is an intent again, and nothing is sent before its time. */
  async #slowDown(job: Job, endpoint: Endpoint, error: SendError): Promise<Receipt | undefined> {
    const { record, stored, mayWait } = job
    const now = this.#now()
    const asked = error.retryAfter !== undefined && error.retryAfter > 0 ? error.retryAfter : undefined
    // A platform that names no time is asked for the age of an intent only.
    const isTooOld = asked === undefined && now >= record.timestamp + RECOVERY_AGE_MS
    const pause = asked ?? Math.min(1000 * 2 ** job.attempts, MAX_WAIT_IN_PLACE_MS)
    job.attempts++
    const isLast = !mayWait && job.attempts >= MAX_ATTEMPTS_IN_PLACE
    const until = now + pause
    const isTooLong = !(pause <= DRAFT_AGE_MS)
    if (!isTooLong) endpoint.outbox.hold(error.scope === 'endpoint' ? undefined : record.channel, until)
    if (isTooOld || isTooLong || isLast)
      return this.#refuse(job, 'upstream_unavailable', `the platform limits the rate: ${error.message}`)
    job.record = { ...record, notBefore: until }
    job.waitedUntil = 0
    if (stored) await this.#context.states.requeue(record, until)
    return undefined
  }

  async #fail(endpoint: Endpoint, transmission: Transmission, thrown: unknown): Promise<never> {
    const error = toError(thrown)
    endpoint.lastError = error.message
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

  /** The platform has not taken the message: if it may wait, it is an intent until it can be sent. */
  async #defer(job: Job, reason: string, notBefore?: number): Promise<Receipt> {
    const { record, stored, mayWait, trace } = job
    if (!mayWait || !stored) return this.#refuse(job, 'not_ready', reason)
    const { states } = this.#context
    await states.requeue(record, notBefore)
    states.requeued.emit(notBefore === undefined ? record : { ...record, notBefore })
    trace?.step('send', record.endpoint, 'waits', reason)
    return waiting(record)
  }

  async #refuse(
    { record, stored, key, trace }: Job,
    code: 'not_ready' | 'upstream_unavailable',
    reason: string,
  ): Promise<never> {
    await new Transmission(this.#context, record, stored, key, trace).fail('failed', reason)
    throw new WireError(code, `The message cannot be sent: ${reason}`)
  }

  #now(): number {
    return this.#context.ctx.clock.now()
  }
}

const waiting = ({ timestamp }: OutboundRecord): Receipt => ({ messageId: '', timestamp })
