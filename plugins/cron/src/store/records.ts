import type { JobAction, JobNotify, JobPolicy, JobRun, JobTrigger } from '@mynah/contract/types'
import { entity } from '@mynah/database-api'
import type { Creator } from '../api.js'
import type { EndState, JobChange, PendingNotice, RunChange, StoredJob, StoredRun } from './types.js'

/** A row of the table `job`. */
export interface JobRow {
  readonly id: string
  readonly revision: number
  readonly label: string | null
  readonly enabled: boolean
  readonly paused: string | null
  readonly trigger: JobTrigger
  readonly action: JobAction
  readonly notify: JobNotify
  readonly policy: JobPolicy | null
  readonly missed: 'once' | 'skip' | null
  readonly creator: Creator
  readonly once: boolean
  readonly group_key: string | null
  readonly next_run_at: number | null
  readonly last_run_at: number | null
  readonly last_status: EndState | null
  readonly last_error: string | null
  readonly last_host: string | null
  readonly retry_count: number
  readonly failures: number
  readonly recent: readonly { readonly slot: string; readonly state: JobRun['state'] }[]
  readonly created_at: number
  readonly updated_at: number
}

/** A row of the table `job_run`. */
export interface RunRow {
  readonly id: string
  readonly job_id: string
  readonly slot: string
  readonly state: JobRun['state']
  readonly stage: 'action' | 'notice' | 'ended'
  readonly attempt: number
  readonly not_before: number | null
  readonly node: string | null
  readonly host: string | null
  readonly error: string | null
  readonly result: string | null
  readonly notice: PendingNotice | null
  readonly turn_id: string | null
  readonly input: string | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
}

const PACKAGE = '@mynah/plugin-cron'
const text = { type: 'text' } as const
const maybeText = { type: 'text', nullable: true } as const
const json = { type: 'simple-json' } as const
const maybeTime = { type: 'bigint', nullable: true } as const

export const JobRows = entity<JobRow>({
  package: PACKAGE,
  name: 'job',
  columns: {
    id: { type: 'text', primary: true },
    revision: { type: 'integer', default: 0 },
    label: maybeText,
    enabled: { type: 'boolean' },
    paused: maybeText,
    trigger: json,
    action: json,
    notify: json,
    policy: { type: 'simple-json', nullable: true },
    missed: maybeText,
    creator: json,
    once: { type: 'boolean', default: false },
    group_key: maybeText,
    next_run_at: maybeTime,
    last_run_at: maybeTime,
    last_status: maybeText,
    last_error: maybeText,
    last_host: maybeText,
    retry_count: { type: 'integer', default: 0 },
    failures: { type: 'integer', default: 0 },
    recent: json,
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
  },
  indices: [{ name: 'job_due', columns: ['next_run_at'] }],
})

export const RunRows = entity<RunRow>({
  package: PACKAGE,
  name: 'job_run',
  columns: {
    id: { type: 'text', primary: true },
    job_id: text,
    slot: text,
    state: text,
    stage: text,
    attempt: { type: 'integer', default: 1 },
    not_before: maybeTime,
    node: maybeText,
    host: maybeText,
    error: maybeText,
    result: maybeText,
    notice: { type: 'simple-json', nullable: true },
    turn_id: maybeText,
    input: maybeText,
    created_at: { type: 'bigint' },
    started_at: maybeTime,
    finished_at: maybeTime,
  },
  indices: [
    // The engine that inserts the row runs the slot.
    { name: 'job_run_slot', columns: ['job_id', 'slot'], unique: true },
    { name: 'job_run_page', columns: ['job_id', 'id'] },
    { name: 'job_run_open', columns: ['id'], where: "stage <> 'ended'" },
    { name: 'job_run_age', columns: ['created_at'] },
  ],
})

const jobColumns = {
  id: 'id',
  revision: 'revision',
  label: 'label',
  enabled: 'enabled',
  paused: 'paused',
  trigger: 'trigger',
  action: 'action',
  notify: 'notify',
  policy: 'policy',
  missed: 'missed',
  creator: 'creator',
  once: 'once',
  groupKey: 'group_key',
  nextRunAt: 'next_run_at',
  lastRunAt: 'last_run_at',
  lastStatus: 'last_status',
  lastError: 'last_error',
  lastHost: 'last_host',
  retryCount: 'retry_count',
  failures: 'failures',
  recent: 'recent',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof StoredJob, keyof JobRow>

const runColumns = {
  id: 'id',
  jobId: 'job_id',
  slot: 'slot',
  state: 'state',
  stage: 'stage',
  attempt: 'attempt',
  notBefore: 'not_before',
  node: 'node',
  host: 'host',
  error: 'error',
  result: 'result',
  notice: 'notice',
  turnId: 'turn_id',
  input: 'input',
  createdAt: 'created_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
} as const satisfies Record<keyof StoredRun, keyof RunRow>

/** Copies the fields that an object has under the names that a table of names gives them. */
function renamed(names: Readonly<Record<string, string>>, from: object): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(from)) {
    const to = names[name]
    if (to !== undefined) result[to] = value
  }
  return result
}
const inverse = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(names).map(([field, column]) => [column, field]))
const jobFields = inverse(jobColumns)
const runFields = inverse(runColumns)

export const toJobRow = (job: StoredJob): JobRow => renamed(jobColumns, job) as unknown as JobRow
export const toRunRow = (run: StoredRun): RunRow => renamed(runColumns, run) as unknown as RunRow
export const toJobChange = ({ from: { id, revision }, to }: JobChange): Partial<JobRow> & { readonly id: string } => ({
  ...renamed(jobColumns, to),
  id,
  revision: revision + 1,
})
export const toRunChange = ({ from: { id }, to }: RunChange): Partial<RunRow> & { readonly id: string } => ({
  ...renamed(runColumns, to),
  id,
})
export const fromJobRow = (row: JobRow): StoredJob => renamed(jobFields, row) as unknown as StoredJob
export const fromRunRow = (row: RunRow): StoredRun => renamed(runFields, row) as unknown as StoredRun
