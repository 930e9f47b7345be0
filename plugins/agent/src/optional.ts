// The tokens of plugins that a host may lack, and whose packages need not be installed. Tokens are compared by id, so
// these mean those of the plugins. The types exist while this package is compiled.
import { point, service, type Point, type Service } from '@mynah/kernel'
import type * as cron from '@mynah/plugin-cron/api'
import type * as exec from '@mynah/plugin-exec-security/api'

export type Approvals = exec.Approvals
export const Approvals: Service<Approvals> = service<Approvals>('approvals', { plugin: 'exec-security' })

export type Jobs = cron.Jobs
export const Jobs: Service<Jobs> = service<Jobs>('jobs', { plugin: 'cron' })
export const jobActions: Point<cron.JobActionKind> = point<cron.JobActionKind>({
  id: 'cron.job-actions',
  key: ({ kind }) => kind,
})

/** Types an action by its kind. */
export const jobAction = <K extends cron.JobAction['kind']>(
  kind: cron.JobActionKind<Extract<cron.JobAction, { kind: K }>>,
): cron.JobActionKind => kind as unknown as cron.JobActionKind

/** Skips a job. The plugin cron knows the error by its name. */
export class SkipJob extends Error {
  override readonly name = 'SkipJob'
}
