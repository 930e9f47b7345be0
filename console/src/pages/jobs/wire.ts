import type { AssistantJob, JobRun } from '@mynah/contract/types'

export type { AssistantJob as Job, JobRun as Run, JobRunState as RunState } from '@mynah/contract/types'

export interface JobList {
  readonly jobs: readonly AssistantJob[]
  readonly eventsActive: boolean
  readonly nextBefore?: string
}

export interface RunPage {
  readonly runs: readonly JobRun[]
  readonly nextBefore?: string
}
