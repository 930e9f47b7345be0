import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useHostLabel } from '../../app/rail.js'
import { entries, pageFailures } from '../../entries/state.js'
import { duration } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { activityHistory, sampleEndpoints, sampleMemory } from '../../lib/activity-history.js'
import { useLazy } from '../../lib/use-lazy.js'
import { useStore } from '../../lib/use-store.js'
import { Badge } from '../../ui/badge.js'
import { Button } from '../../ui/button.js'
import { FailureNotice } from '../../ui/failure-notice.js'
import { PageHead } from '../../ui/page-head.js'
import { Skeleton } from '../../ui/notice.js'
import { Updated } from '../../ui/updated.js'
import { Endpoints } from './endpoints.js'
import { endpointKey, issues } from './model.js'
import { MoreMenu, type Period } from './more-menu.js'
import { HostFacts } from './host-facts.js'
import { useSources, type Sources } from './use-sources.js'
import { t } from './texts.js'
import { useTimer } from './use-timer.js'
import { AllClear } from './all-clear.js'
import '../../ui/parts/parts.css'
import './page.css'

const loadLazySections = () => import('./lazy-sections.js')
type LazySections = Awaited<ReturnType<typeof loadLazySections>>

export function DashboardPage() {
  const { known, sources } = useSources()
  const { stats, system, endpoints, activity, cron, usage, problems, traces } = sources
  const { base } = host()
  const history = useStore(activityHistory(base))
  const [period, setPeriod] = useState<Period>(0)
  const refresh = (): void => {
    for (const source of Object.values(sources)) source?.reload()
  }
  useTimer(period * 1000, refresh)
  useSamples(base, sources)
  const { loaded: lazy } = useLazy(loadLazySections)
  const { upper, lower } = useStages(known && isAnswered(sources) && lazy !== undefined)
  const now = Date.now()
  const { data } = stats
  return (
    <>
      <DashboardHead stats={stats} period={period} onPeriod={setPeriod} onRefresh={refresh} />
      {stats.failure && !data ? <FailureNotice failure={stats.failure} onRetry={stats.reload} /> : null}
      <Steps shown={upper} sources={sources} lazy={lazy} />
      <Summary shown={upper} sources={sources} now={now} lazy={lazy} />
      {upper ? (
        <div class="dash">
          <div class="stack main">
            {activity?.data && lazy ? <lazy.Traffic activity={activity.data} /> : null}
            {endpoints ? <Endpoints endpoints={endpoints} activity={activity?.data} ring={history} now={now} /> : null}
          </div>
          {lower ? (
            <div class="stack side">
              <HostFacts system={system} stats={data} ring={history} now={now} />
              {lazy ? <lazy.Today usage={usage} cron={cron} now={now} /> : null}
            </div>
          ) : null}
        </div>
      ) : null}
      {lower && lazy ? <lazy.RecentTraces problems={problems} traces={traces} now={now} /> : null}
    </>
  )
}

interface DashboardHeadProps {
  readonly stats: Sources['stats']
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly onRefresh: () => void
}

function DashboardHead({ stats: { data, failure, updatedAt }, period, onPeriod, onRefresh }: DashboardHeadProps) {
  const { label } = useHostLabel()
  return (
    <PageHead
      title={label}
      fact={
        <>
          {data ? <span>{t('up', { uptime: duration(data.uptime, currentLocale()) })}</span> : null}{' '}
          <Updated at={updatedAt} />
          {failure && data ? (
            <>
              {' '}
              <Badge tone="warn">{t('list.stale')}</Badge>
            </>
          ) : null}
        </>
      }
      actions={
        <>
          <Button onClick={onRefresh} hotkey="r">
            {t('refresh')}
          </Button>
          {__DEMO__ ? null : <MoreMenu period={period} onPeriod={onPeriod} />}
        </>
      }
    />
  )
}

interface SummaryProps {
  readonly shown: boolean
  readonly sources: Sources
  readonly now: number
  readonly lazy: LazySections | undefined
}

const Steps = ({ shown, sources, lazy }: Pick<SummaryProps, 'shown' | 'sources' | 'lazy'>) =>
  shown && lazy && !__DEMO__ ? <lazy.FirstSteps {...sources} /> : null

type Phase = 'loading' | 'problems' | 'ok' | 'undecided'

/** Shows the state of the host in one place: its issues, or that there are none. */
function Summary({ shown, sources, now, lazy }: SummaryProps) {
  const states = useStore(entries)
  const failures = useStore(pageFailures)
  const found = findIssues({ sources, states, failures, now })
  let phase: Phase = 'loading'
  if (shown && found.length > 0) phase = 'problems'
  else if (shown) phase = isJudged(sources) ? 'ok' : 'undecided'
  switch (phase) {
    case 'loading':
      return <Skeleton rows={12} label={t('loading')} />
    case 'problems':
      return lazy ? <lazy.IssueList items={found} /> : null
    case 'ok':
      return <AllClear facts={allClearFacts(sources)} />
    case 'undecided':
      return null
  }
}

interface FindIssuesInput {
  readonly sources: Sources
  readonly states: Parameters<typeof issues>[0]['entries']
  readonly failures: Parameters<typeof issues>[0]['pageFailures']
  readonly now: number
}

function findIssues({ sources, states, failures, now }: FindIssuesInput) {
  const { endpoints, plugins, ready, failedJobs, approvals } = sources
  const found = issues({
    endpoints: endpoints?.data,
    plugins: plugins?.data,
    ready: ready?.data,
    cron: failedJobs?.data,
    approvals: approvals?.data?.pending,
    entries: states,
    pageFailures: failures,
    now,
  })
  return found
}

/** Adds the current memory and states of endpoints to the activity history of the host. */
function useSamples(base: string, { stats, endpoints }: Sources): void {
  useEffect(() => {
    if (stats.data) sampleMemory(base, stats.data.memory)
  }, [base, stats.updatedAt])
  useEffect(() => {
    if (endpoints?.data)
      sampleEndpoints(
        base,
        Object.fromEntries(endpoints.data.map((endpoint) => [endpointKey(endpoint), endpoint.connected])),
      )
  }, [base, endpoints?.updatedAt])
}

const PATIENCE_MS = 1000

/**
 * Shows the upper half once `complete`, or after a second, because sections that appear one by one move the others.
 * The lower half follows in the next frame.
 */
function useStages(complete: boolean): { readonly upper: boolean; readonly lower: boolean } {
  const [patient, setPatient] = useState(true)
  const [upper, setUpper] = useState(false)
  const [lower, setLower] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!upper && (complete || !patient)) setUpper(true)
  useEffect(() => {
    if (upper) setLower(true)
  }, [upper])
  return { upper, lower }
}

/** Returns whether every source has data or a failure. */
const isAnswered = (sources: Sources): boolean =>
  Object.values(sources).every(
    (source) => source === undefined || source.data !== undefined || source.failure !== undefined,
  )

/** Returns whether every source that can report an issue has data. */
const isJudged = ({ stats, plugins, ready, endpoints, failedJobs, approvals }: Sources): boolean =>
  [stats, plugins, ready, endpoints, failedJobs, approvals].every(
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
