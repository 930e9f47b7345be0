import type { CronMemoryRow, CronTask } from '@mynah/contract/types'

export type { CronMemoryRow as MemoryRow, CronTask as Task, JobNotify as Notify } from '@mynah/contract/types'

export interface CronList {
  readonly memory: readonly CronMemoryRow[]
  readonly persistent: readonly CronTask[]
  readonly total: number
  readonly matching: number
  readonly failed: number
  readonly paused: number
  readonly nextBefore?: string
}
