import type { BaseContext, Clock } from '@mynah/kernel'
import { ActivityLog } from './activity.js'
import type { EndpointKey, OutboundRecord, SendOutcome } from './api/store.js'
import { Traces, type TraceBuilder } from './traces.js'
import { EndpointMap } from './util/endpoint-map.js'

/**
 * Counts since the start. `unsaved` counts rows and state changes that no store accepted at once,
 * `interrupted` the messages whose handling a stop interrupted.
 */
export interface ChatCounters {
  received: number
  sent: number
  errors: number
  duplicates: number
  unsaved: number
  failed: number
  unknown: number
  interrupted: number
  /** Connections to platforms that ended without being asked to. */
  lost: number
}

/** Counts of one endpoint since the start. */
export interface EndpointCounters {
  /** When the last message was received or sent, in milliseconds since the epoch. Absent before the first. */
  lastMessageAt?: number
  received: number
  /** Messages that the platform took, drafts included. */
  sent: number
  /** Messages that failed or are unknown. */
  notSent: number
  /** Connections that ended without being asked to. */
  lost: number
  /** Messages that were not sent, lost connections and failed attempts to connect. */
  errors: number
}

const noCounts = (): EndpointCounters => ({ received: 0, sent: 0, notSent: 0, lost: 0, errors: 0 })

/** Counters, activity by the minute, and traces of messages. Each count is made here and nowhere else. */
export class Telemetry {
  readonly counters: ChatCounters = {
    received: 0,
    sent: 0,
    errors: 0,
    duplicates: 0,
    unsaved: 0,
    failed: 0,
    unknown: 0,
    interrupted: 0,
    lost: 0,
  }
  readonly activity: ActivityLog
  readonly traces: Traces
  readonly #endpoints = new EndpointMap<EndpointCounters>()
  readonly #clock: Clock

  constructor(ctx: BaseContext<unknown>) {
    this.#clock = ctx.clock
    this.traces = ctx.keep('traces', () => new Traces())
    this.activity = ctx.keep('activity', () => new ActivityLog(() => ctx.clock.now()))
  }

  /** Returns the counts of an endpoint. */
  of(key: EndpointKey): EndpointCounters {
    return this.#endpoints.getOrCreate(key, noCounts)
  }

  /** Counts a message that was accepted. */
  countReceived(key: EndpointKey): void {
    this.counters.received++
    const own = this.of(key)
    own.received++
    own.lastMessageAt = this.#clock.now()
    this.activity.count(key, 'received')
  }

  /**
   * Counts a message that this process received as answered, once the first of its answers is sent.
   *
   * @param trace of the answered message; absent where the answer waited in the store
   */
  countAnswer({ adapter, endpoint, replyTo }: OutboundRecord, trace?: TraceBuilder): void {
    if (trace === undefined && replyTo === undefined) return
    const answered =
      trace ?? this.traces.find({ adapter, endpoint, messageId: replyTo ?? '' }, ({ counted }) => counted)
    if (!answered?.counted || answered.isAnswered) return
    answered.isAnswered = true
    const durationMs = trace?.durationMs ?? this.#clock.now() - answered.startedAt
    this.activity.addAnswerTime(answered.record, answered.startedAt, durationMs)
  }

  /** Counts the end of a message to a platform: of each, whether it was sent at once, as a draft or after a restart. */
  countOutcome(key: EndpointKey, state: SendOutcome['state']): void {
    const own = this.of(key)
    this.counters[state]++
    this.activity.count(key, state === 'sent' ? 'sent' : 'failed')
    if (state === 'sent') {
      own.sent++
      own.lastMessageAt = this.#clock.now()
      return
    }
    this.counters.errors++
    own.notSent++
    own.errors++
  }

  /** Counts a connection that ended, or one that never was. */
  countConnectionFailure(key: EndpointKey, wasOnline: boolean): void {
    const own = this.of(key)
    own.errors++
    if (!wasOnline) return
    own.lost++
    this.counters.lost++
  }

  /** Forgets an endpoint that is not configured any more. */
  forget(key: EndpointKey): void {
    this.#endpoints.delete(key)
    this.activity.forget(key)
  }
}
