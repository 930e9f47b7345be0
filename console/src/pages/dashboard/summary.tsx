import { entries, pageFailures } from '../../entries/state.js'
import { useStore } from '../../lib/use-store.js'
import { AllClear } from './all-clear.js'
import { IssueList } from './issue-list.js'
import { issues } from './issues.js'
import { t } from './lazy-texts.js'
import type { Sources } from './use-sources.js'

export interface SummaryProps {
  readonly sources: Sources
  readonly now: number
}

/** Shows the state of the host in one place: what waits, its issues, or that there are none. */
export function Summary({ sources, now }: SummaryProps) {
  const states = useStore(entries)
  const failures = useStore(pageFailures)
  const found = findIssues({ sources, states, failures, now })
  if (found.length > 0) return <IssueList items={found} />
  return isJudged(sources) ? <AllClear facts={allClearFacts(sources)} /> : null
}

interface FindIssuesInput {
  readonly sources: Sources
  readonly states: Parameters<typeof issues>[0]['entries']
  readonly failures: Parameters<typeof issues>[0]['pageFailures']
  readonly now: number
}

function findIssues({ sources, states, failures, now }: FindIssuesInput) {
  const { endpoints, plugins, ready, failedJobs, approvals, turns } = sources
  return issues({
    endpoints: endpoints?.data,
    plugins: plugins?.data,
    ready: ready?.data,
    cron: failedJobs?.data,
    approvals: approvals?.data?.pending,
    turns: turns?.data?.turns,
    entries: states,
    pageFailures: failures,
    now,
  })
}

/** Returns whether every source that can report an issue has data. */
const isJudged = ({ stats, plugins, ready, endpoints, failedJobs, approvals, turns }: Sources): boolean =>
  [stats, plugins, ready, endpoints, failedJobs, approvals, turns].every(
    (source) => source === undefined || source.data !== undefined,
  )

function allClearFacts({ stats, plugins, endpoints, cron }: Sources): string[] {
  const rows = endpoints?.data ?? []
  return [
    ...(rows.length > 0
      ? [t('wellEndpoints', { online: rows.filter(({ connected }) => connected).length, total: rows.length })]
      : []),
    ...(plugins?.data && stats.data ? [t('wellPlugins', { active: stats.data.plugins.active })] : []),
    ...(cron?.data && cron.data.persistent.some(({ lastStatus }) => lastStatus !== undefined) ? [t('wellJobs')] : []),
  ]
}
