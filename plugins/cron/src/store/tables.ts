// The tables of jobs and of their runs.
import { entity } from '@mynah/plugin-database/api'
import type { StoredJob, StoredRun } from './types.js'

const PACKAGE = '@mynah/plugin-cron'
const text = { type: 'text' } as const
const maybeText = { type: 'text', nullable: true } as const
const json = { type: 'simple-json' } as const
const maybeTime = { type: 'bigint', nullable: true } as const

export const JobRows = entity<StoredJob>({
  package: PACKAGE,
  name: 'job',
  columns: {
    id: { type: 'text', primary: true },
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
    retry_count: { type: 'integer', default: 0 },
    failures: { type: 'integer', default: 0 },
    recent: json,
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
  },
  indices: [{ name: 'job_due', columns: ['next_run_at'] }],
})

export const RunRows = entity<StoredRun>({
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
    error: maybeText,
    result: maybeText,
    turn_id: maybeText,
    created_at: { type: 'bigint' },
    started_at: maybeTime,
    finished_at: maybeTime,
  },
  indices: [
    // Whoever adds the row runs the slot.
    { name: 'job_run_slot', columns: ['job_id', 'slot'], unique: true },
    { name: 'job_run_page', columns: ['job_id', 'id'] },
    { name: 'job_run_open', columns: ['id'], where: "stage <> 'ended'" },
    { name: 'job_run_age', columns: ['created_at'] },
  ],
})
