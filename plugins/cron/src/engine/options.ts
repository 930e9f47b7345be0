import type { Clock, Logger } from '@mynah/kernel'
import type { JobStore } from '../store/types.js'
import type { Collaborators } from './collaborators.js'
import type { RunCounters } from './run-counters.js'

/** Settings that may change while the engine runs. */
export interface EngineSettings {
  /** Runs of one kind of work that may be active at once. */
  readonly concurrency: number
  /** Longest work of an attempt in milliseconds; 0 is no limit. */
  readonly runTimeoutMs: number
  /** Zone of schedules without their own zone. The default is the zone of the host. */
  readonly timezone?: string | undefined
}

/** The parts and settings that the engine and its runner share. */
export interface EngineOptions {
  readonly store: JobStore
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  readonly settings: EngineSettings
  readonly collaborators: Collaborators
  readonly counters: RunCounters
  /** Set where another engine of the same store may be the one that runs jobs. */
  readonly sharing?: {
    /** Name of the host of this engine. */
    readonly host: string
    /** Whether this engine runs jobs. */
    isHere(): boolean
    /** Leaves a stored run to the engine that does. */
    passOn(run: string): void
  }
}
