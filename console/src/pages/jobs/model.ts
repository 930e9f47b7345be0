import { shortName } from '../../lib/format.js'
import type { Tick } from '../../ui/ticks.js'
import type { Job, Run, RunState } from './wire.js'

export const kinds = ['', 'failed', 'clock', 'event', 'hand'] as const
export type Kind = (typeof kinds)[number]

export const nameOf = ({ label, action, id }: Job): string =>
  label || (action.kind === 'agent' ? shortName(action.prompt) : action.handler) || id

/** Whether a run failed: its action, or the delivery of its result. */
export const isFailure = ({ state }: { readonly state: RunState | undefined }): boolean =>
  state === 'error' || state === 'undelivered'

export const hasFailed = ({ state }: Job): boolean =>
  isFailure({ state: state?.lastStatus }) || state?.lastStatus === 'interrupted'

/** Returns the jobs of a kind, that a host has run last where one is named, failed ones first, then by last run. */
export function jobsOf(jobs: readonly Job[], kind: Kind, host = ''): Job[] {
  const fits = (job: Job): boolean =>
    ({
      '': true,
      failed: hasFailed(job),
      clock: job.trigger.kind === 'schedule' || job.trigger.kind === 'heartbeat',
      event: job.trigger.kind === 'event',
      hand: job.trigger.kind === 'im',
    })[kind]
  return jobs
    .filter((job) => fits(job) && (host === '' || job.state?.lastHost === host))
    .sort(
      (a, b) =>
        Number(hasFailed(b)) - Number(hasFailed(a)) ||
        (b.state?.lastRunAt ?? 0) - (a.state?.lastRunAt ?? 0) ||
        nameOf(a).localeCompare(nameOf(b)),
    )
}

const STRIP = 30

/** Returns the last runs as ticks, oldest first, padded with empty ones. */
const RUN_TICKS: Readonly<Partial<Record<RunState, Tick>>> = {
  ok: { value: 0.75, tone: 'on' },
  error: { value: 1, tone: 'err' },
  undelivered: { value: 1, tone: 'err' },
}
const OTHER_TICK: Tick = { value: 0.35, tone: 'warn' }

export function runTicks(recent: readonly { readonly state: RunState }[] | undefined): Tick[] {
  const shown = (recent ?? []).slice(-STRIP)
  return [
    ...Array.from({ length: STRIP - shown.length }, (): Tick => ({ value: 0, tone: 'off' })),
    ...shown.map(({ state }) => RUN_TICKS[state] ?? OTHER_TICK),
  ]
}

/** Whether a run will not go on. */
export const hasEnded = ({ state }: Run): boolean => state !== 'queued' && state !== 'running'

/** Returns the duration of a run so far, in milliseconds. */
export const runDuration = (run: Run, now: number): number | undefined =>
  run.startedAt === undefined ? undefined : (run.finishedAt ?? now) - run.startedAt

/** Adds a run to a list, or replaces the one with its id. */
export function withRun(runs: readonly Run[], run: Run): Run[] {
  return runs.some((item) => item.id === run.id)
    ? runs.map((item) => (item.id === run.id ? run : item))
    : [run, ...runs]
}
