// What was decided about each message, kept for the last thousand.
import type { Trace } from '@mynah/contract/types'
import type { InboundRecord } from './api/store.js'

const KEPT = 1_000

type Step = Trace['steps'][number]

/** Writes down the decisions about one message while it is handled. */
export class TraceBuilder {
  readonly record: InboundRecord
  readonly startedAt: number
  readonly steps: Step[] = []
  replies = 0
  durationMs = 0
  readonly #began = performance.now()

  constructor(record: InboundRecord, startedAt: number) {
    this.record = record
    this.startedAt = startedAt
  }

  /** Adds a decision; `ms` is the time since the message came in. */
  step(stage: string, name: string, outcome: string, reason?: string): void {
    const ms = performance.now() - this.#began
    this.steps.push(reason === undefined ? { stage, name, outcome, ms } : { stage, name, outcome, reason, ms })
  }

  end(): void {
    this.durationMs = performance.now() - this.#began
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

/** A bounded ring of traces. */
export class Traces {
  readonly #ring: TraceBuilder[] = []
  #next = 0

  add(trace: TraceBuilder): void {
    if (this.#ring.length < KEPT) this.#ring.push(trace)
    else this.#ring[this.#next] = trace
    this.#next = (this.#next + 1) % KEPT
  }

  /** Newest first. */
  list({ limit, endpointId, messageId }: { limit: number; endpointId?: string; messageId?: string }): Trace[] {
    const found: Trace[] = []
    for (let back = 1; back <= this.#ring.length && found.length < limit; back++) {
      const trace = this.#ring[(this.#next - back + KEPT) % KEPT] as TraceBuilder
      const { record } = trace
      if ((endpointId !== undefined && record.endpoint !== endpointId) || (messageId !== undefined && record.messageId !== messageId)) continue
      found.push({
        messageId: record.messageId, endpointId: record.endpoint, adapter: record.adapter, channel: record.channel, sender: { id: record.sender.id, ...(record.sender.name === undefined ? {} : { name: record.sender.name }) },
        text: record.text, startedAt: trace.startedAt, durationMs: rounded(trace.durationMs), steps: trace.steps.map((step) => ({ ...step, ms: rounded(step.ms) })), replies: trace.replies,
      })
    }
    return found
  }
}
