import type { Trace } from '@mynah/contract/types'
import { omitUndefined, RingBuffer } from '@mynah/kernel/util'
import type { StepDetails } from './api/message.js'
import type { InboundRecord } from './api/store.js'
import { findNewest, newestFirst } from './util/newest-first.js'

const KEPT = 1_000
/** Most steps of one message. Further ones are left out. */
const MAX_STEPS = 500

type Step = Trace['steps'][number]
/** The message of a trace. */
export type Traced = Omit<InboundRecord, 'id'>

/** Collects the decisions about one message while it is handled. */
export class TraceBuilder {
  readonly record: Traced
  readonly startedAt: number
  readonly steps: Step[] = []
  replies = 0
  /** Whether the message counts as received by this process. Those of an earlier one do not. */
  counted = false
  /** Whether the platform has taken an answer to the message. */
  isAnswered = false
  readonly #began = performance.now()
  /**
   * How many parts may still add steps: the handling, sends in progress, a plugin that the message was detached to.
   */
  #holders = 1
  #durationMs: number | undefined

  constructor(record: Traced, startedAt: number) {
    this.record = record
    this.startedAt = startedAt
  }

  /** Adds a decision with the time since the message was received. */
  step(stage: string, name: string, outcome: string, reason?: string, details?: StepDetails): void {
    if (this.steps.length >= MAX_STEPS) return
    const step: Step = { stage, name, outcome, ms: performance.now() - this.#began }
    if (reason !== undefined) step.reason = reason
    if (details) Object.assign(step, omitUndefined(details))
    this.steps.push(step)
  }

  /** Keeps the trace open for work beyond the handling. */
  hold(): void {
    this.#holders++
  }

  /** Ends one hold. The trace ends with the last one. */
  release(): void {
    if (--this.#holders === 0) this.#durationMs = performance.now() - this.#began
  }

  /** Milliseconds from the start to the end, or until now. */
  get durationMs(): number {
    return this.#durationMs ?? performance.now() - this.#began
  }

  get ended(): boolean {
    return this.#durationMs !== undefined
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

function shown(trace: TraceBuilder): Trace {
  const { record, startedAt, durationMs, steps, replies } = trace
  const { id, name } = record.sender
  return {
    messageId: record.messageId,
    endpointId: record.endpoint,
    adapter: record.adapter,
    channel: record.channel,
    sender: { id, ...(name === undefined ? {} : { name }) },
    text: record.text,
    startedAt,
    durationMs: rounded(durationMs),
    ...(trace.ended ? { endedAt: Math.round(startedAt + durationMs) } : {}),
    steps: steps.map((step) =>
      omitUndefined({
        ...step,
        ms: rounded(step.ms),
        durationMs: step.durationMs === undefined ? undefined : rounded(step.durationMs),
        waitedMs: step.waitedMs === undefined ? undefined : rounded(step.waitedMs),
      }),
    ),
    replies,
  }
}

/** The traces of the last messages. */
export class Traces {
  readonly #traces = new RingBuffer<TraceBuilder>(KEPT)

  add(trace: TraceBuilder): void {
    this.#traces.push(trace)
  }

  /** Returns the newest trace of a message that matches: a message that is taken up again may have several. */
  find(
    { adapter, endpoint, messageId }: Pick<Traced, 'adapter' | 'endpoint' | 'messageId'>,
    matches: (trace: TraceBuilder) => boolean,
  ): TraceBuilder | undefined {
    return findNewest(this.#traces, (trace) => {
      const { record } = trace
      const isOfMessage = record.messageId === messageId && record.endpoint === endpoint && record.adapter === adapter
      return isOfMessage && matches(trace)
    })
  }

  /** Returns the open trace of a message that waits in the store. */
  findOpen(message: Traced): TraceBuilder | undefined {
    return this.find(message, ({ ended }) => !ended)
  }

  /** Returns the traces that match, newest first. */
  list({ limit, endpointId, messageId }: { limit: number; endpointId?: string; messageId?: string }): Trace[] {
    const found: Trace[] = []
    for (const trace of newestFirst(this.#traces)) {
      if (found.length >= limit) break
      const { record } = trace
      if (endpointId !== undefined && record.endpoint !== endpointId) continue
      if (messageId !== undefined && record.messageId !== messageId) continue
      found.push(shown(trace))
    }
    return found
  }
}
