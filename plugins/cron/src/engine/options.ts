import type { Clock, Logger } from '@mynah/kernel'
import type { JobStore } from '../store/types.js'
import type { Collaborators } from './collaborators.js'

/** Settings that may change while the engine runs. */
export interface EngineSettings {
  readonly concurrency: number
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
}
