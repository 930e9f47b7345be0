import type { BaseContext } from '@mynah/kernel'
import { ActivityLog } from './activity.js'
import { Traces } from './traces.js'

/**
 * Counts of messages since the start. `unsaved` counts rows and state changes that no store accepted at once,
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
}

/** Counters, activity by the minute, and traces of messages. */
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
  }
  readonly activity: ActivityLog
  readonly traces: Traces

  constructor(ctx: BaseContext<unknown>) {
    this.traces = ctx.keep('traces', () => new Traces())
    this.activity = ctx.keep('activity', () => new ActivityLog(() => ctx.clock.now()))
  }
}
