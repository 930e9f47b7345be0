import { toError } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import { WireError } from '@mynah/contract'
import type { SendError } from '../api/adapter.js'
import type { Receipt } from '../api/message.js'
import type { Outgoing } from '../api/points.js'
import { canBeSettled, DRAFT_AGE_MS, RECOVERY_AGE_MS, type OutboundRecord } from '../api/store.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import { isUnavailable } from '../store/pending-writes.js'
import type { TraceBuilder } from '../traces.js'
import { isSendError, Transmission, type DeliverOptions, type TransmissionContext } from './transmission.js'

/** Longest time for which a message keeps its place in its channel, ms. For a longer one it waits in the store. */
const MAX_WAIT_IN_PLACE_MS = 60_000
/**
 * Delays before the outcome of an attempt is settled, ms: the platform is asked for the message, or gets it again under
 * the same key. The rest of the time is left to the next start.
 */
const SETTLE_DELAYS_MS = [0, 1_000, 5_000, 15_000, 60_000]
/** Attempts for a caller that waits for the platform, since its message cannot wait in the store. */
const MAX_ATTEMPTS_IN_PLACE = 5

export interface TransmitOptions {
  /** Whether the record is a row of the store. */
  readonly stored: boolean
  /** Whether the message may wait in the store for its endpoint, its platform or the store itself. */
  readonly mayWait: boolean
  /** Whether the platform shows the whole message already, so that only its state is written. */
  readonly isShown?: boolean | undefined
  /** How it is delivered. A draft is text at any speed, and never a picture. */
  readonly delivery?: DeliverOptions | undefined
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
  /** Attempts to settle the outcome of an earlier one. */
  settles: number
  /** Why that outcome is not known. */
  unclear: string | undefined
  /** When this attempt began. */
  begunAt: number
  /** The time for which it has waited. The clock may have been set back meanwhile. */
  waitedUntil: number
}

/** Sends one message when it is its turn: pace, state, adapter, outcome. */
export class Transmitter {
  readonly #context: TransmissionContext
  readonly #endpoints: Endpoints
  /** Rows that are transmitted. Each is in the hands of one call at a time. */
  readonly #active = new Set<string>()

  constructor(context: TransmissionContext, endpoints: Endpoints) {
    this.#context = context
    this.#endpoints = endpoints
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
    const { mayWait, isShown, delivery, trace, taken } = options
    const job: Job = {
      stored,
      mayWait,
      isShown,
      delivery,
      trace,
      taken,
      outgoing,
      key,
      record,
      attempts: 0,
      settles: 0,
      unclear: undefined,
      begunAt: 0,
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
    job.begunAt = this.#now()
    if (stored) {
      const starting = this.#startSending(job)
      if (!(starting instanceof Promise ? await starting : starting)) return waiting(record)
    }
    if (!this.#context.mayAct()) return this.#defer(job, 'this host may not act now')
    return this.#deliver(job, endpoint)
  }

  async #deliver(job: Job, endpoint: Endpoint): Promise<Receipt | undefined> {
    const { record, outgoing, stored, trace } = job
    const transmission = new Transmission(this.#context, record, stored, job.key, trace)
    try {
      if (job.isShown) transmission.messageId = record.messageId
      else await transmission.deliver(endpoint, outgoing, job.delivery)
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
    job.record = withProgress(job.record, transmission)
    if (isSendError(error)) {
      if (error.kind === 'offline') return this.#defer(job, error.message)
      if (error.kind === 'rate-limited') return this.#slowDown(job, endpoint, error)
    } else if (transmission.hasLeft || transmission.isUnclear) {
      const since = job.record.unclearSince ?? job.begunAt
      if (this.#canSettle(job, endpoint, since)) return this.#settle(job, endpoint, toError(error).message, since)
    }
    return this.#fail(job, endpoint, transmission, error)
  }

  /** Whether the platform can say that it has a message, or takes it again without showing it twice. */
  #canSettle({ record, settles }: Job, endpoint: Endpoint, since: number): boolean {
    if (record.messageId !== undefined || settles >= SETTLE_DELAYS_MS.length) return false
    return canBeSettled(since, settlesForMs(endpoint), this.#now())
  }

  /** The message is an intent again, whose outcome is settled at the next attempt. */
  async #settle(job: Job, endpoint: Endpoint, reason: string, since: number): Promise<Receipt | undefined> {
    const { stored, mayWait, trace } = job
    job.unclear ??= reason
    this.#context.noteUnclear(job.record)
    trace?.step('send', job.record.endpoint, 'unclear', reason)
    job.record = { ...job.record, unclearSince: since }
    const delay = SETTLE_DELAYS_MS[job.settles++] as number
    if (stored) await this.#context.states.requeue(job.record)
    if (delay > 0) await endpoint.outbox.wait(delay)
    return endpoint.outbox.isLeaving && mayWait && stored ? this.#defer(job, reason) : undefined
  }

  /** Returns false where the message is not to be sent now: another call sends it, or the store is unavailable. */
  #startSending({ record, mayWait, begunAt, trace }: Job): Awaitable<boolean> {
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
      const starting = this.#context.states.startSending(record, begunAt)
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

  async #fail(
    { record, unclear }: Job,
    endpoint: Endpoint,
    transmission: Transmission,
    thrown: unknown,
  ): Promise<never> {
    const error = toError(thrown)
    endpoint.lastError = error.message
    const mayHaveArrived = (transmission.hasLeft && !isSendError(thrown)) || hasPartlyArrived(record)
    const reason = transmission.isUnclear ? (unclear ?? error.message) : error.message
    await transmission.fail(mayHaveArrived ? 'unknown' : 'failed', reason)
    if (!mayHaveArrived && (!transmission.hasLeft || isSendError(thrown)))
      throw new WireError('invalid_request', `The message cannot be sent: ${error.message}`, { cause: error })
    throw new WireError(
      mayHaveArrived ? 'upstream_unavailable:unknown' : 'upstream_unavailable',
      `The platform did not take the message: ${reason}`,
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
    const mayHaveArrived = hasPartlyArrived(record)
    const state = mayHaveArrived ? 'unknown' : 'failed'
    await new Transmission(this.#context, record, stored, key, trace).fail(state, reason)
    if (mayHaveArrived)
      throw new WireError('upstream_unavailable:unknown', `It is unknown whether the message arrived: ${reason}`)
    throw new WireError(code, `The message cannot be sent: ${reason}`)
  }

  #now(): number {
    return this.#context.ctx.clock.now()
  }
}

/** Returns the time after an attempt within which the platform can settle its outcome, in milliseconds. */
export function settlesForMs({ bot, definition }: Endpoint): number {
  return typeof bot?.find === 'function' ? DRAFT_AGE_MS : (definition?.repeats?.forMs ?? 0)
}

/** Whether the platform may have a part of a message, or the whole. */
const hasPartlyArrived = ({ unclearSince, sentParts }: OutboundRecord): boolean =>
  unclearSince !== undefined || (sentParts !== undefined && sentParts.length > 0)

/** Returns the record with what its last attempt has found out. */
function withProgress(record: OutboundRecord, { isUnclear, sentParts }: Transmission): OutboundRecord {
  const hasNews =
    sentParts.length !== (record.sentParts?.length ?? 0) || isUnclear !== (record.unclearSince !== undefined)
  if (!hasNews) return record
  const { unclearSince, messageId, ...rest } = record
  return {
    ...rest,
    // Parts of a message are not edited: what the draft showed is the first of them.
    ...(messageId === undefined || sentParts.length > 0 ? {} : { messageId }),
    ...(isUnclear && unclearSince !== undefined ? { unclearSince } : {}),
    ...(sentParts.length > 0 ? { sentParts } : {}),
  }
}

const waiting = ({ timestamp }: OutboundRecord): Receipt => ({ messageId: '', timestamp })
