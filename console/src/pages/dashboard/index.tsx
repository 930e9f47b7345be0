// The dashboard: what is wrong first, then the hour, then what is behind it.
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

const loadLater = () => import('./lazy-sections.js')

export function DashboardPage() {
  const { known, sources } = useSources()
  const { stats, system, plugins, ready, endpoints, activity, cron, failedJobs, approvals, usage, problems, traces } =
    sources
  const { base } = host()
  const { label } = useHostLabel()
  const ring = useStore(activityHistory(base))
  const states = useStore(entries)
  const failures = useStore(pageFailures)
  const [period, setPeriod] = useState<Period>(0)
  const refresh = (): void => {
    for (const source of Object.values(sources)) source?.reload()
  }
  useTimer(period * 1000, refresh)
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

  const now = Date.now()
  const wrong = issues({
    endpoints: endpoints?.data,
    plugins: plugins?.data,
    ready: ready?.data,
    cron: failedJobs?.data,
    approvals: approvals?.data?.pending,
    entries: states,
    pageFailures: failures,
    now,
  })
  const { loaded: later } = useLazy(loadLater)
  const { data } = stats
  const patient = usePatience()
  // What comes piece by piece pushes the rest about: it waits for its neighbours, though not for long.
  const complete = known && isAnswered(sources) && later !== undefined
  const [shown, setShown] = useState(false)
  if (!shown && (complete || !patient)) setShown(true)
  // Two halves, a frame each: what is beside and below needs no place of the first.
  const [rest, setRest] = useState(false)
  useEffect(() => {
    if (shown) setRest(true)
  }, [shown])
  return (
    <>
      <PageHead
        title={label}
        fact={
          <>
            {data ? <span>{t('up', { uptime: duration(data.uptime, currentLocale()) })}</span> : null}{' '}
            <Updated at={stats.updatedAt} />
            {stats.failure && data ? (
              <>
                {' '}
                <Badge tone="warn">{t('list.stale')}</Badge>
              </>
            ) : null}
          </>
        }
        actions={
          <>
            <Button onClick={refresh} hotkey="r">
              {t('refresh')}
            </Button>
            {__DEMO__ ? null : <MoreMenu period={period} onPeriod={setPeriod} />}
          </>
        }
      />
      {stats.failure && !data ? <FailureNotice failure={stats.failure} onRetry={stats.reload} /> : null}
      {shown ? null : <Skeleton rows={12} label={t('loading')} />}
      {!shown ? null : wrong.length > 0 ? (
        later ? (
          <later.IssueList items={wrong} />
        ) : null
      ) : isJudged(sources) ? (
        <AllClear facts={wellFacts(sources)} />
      ) : null}
      {shown ? (
        <div class="dash">
          <div class="stack main">
            {activity?.data && later ? <later.Traffic activity={activity.data} /> : null}
            {endpoints ? <Endpoints endpoints={endpoints} activity={activity?.data} ring={ring} now={now} /> : null}
          </div>
          {rest ? (
            <div class="stack side">
              <HostFacts system={system} stats={data} ring={ring} now={now} />
              {later ? <later.Today usage={usage} cron={cron} now={now} /> : null}
            </div>
          ) : null}
        </div>
      ) : null}
      {rest && later ? <later.RecentTraces problems={problems} traces={traces} now={now} /> : null}
    </>
  )
}

const PATIENCE_MS = 1000

/** True for a moment: the page of a host that takes longer is shown as far as it is known. */
function usePatience(): boolean {
  const [patient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return patient
}

/** Everything has answered, one way or the other. */
const isAnswered = (sources: Sources): boolean =>
  Object.values(sources).every(
    (source) => source === undefined || source.data !== undefined || source.failure !== undefined,
  )

/** "All is well" is said only once everything has answered that it is judged by. */
const isJudged = ({ stats, plugins, ready, endpoints, failedJobs, approvals }: Sources): boolean =>
  [stats, plugins, ready, endpoints, failedJobs, approvals].every(
    (source) => source === undefined || source.data !== undefined,
  )

function wellFacts({ stats, plugins, endpoints, cron }: Sources): string[] {
  const rows = endpoints?.data ?? []
  return [
    ...(rows.length > 0
      ? [t('wellEndpoints', { online: rows.filter(({ connected }) => connected).length, total: rows.length })]
      : []),
    ...(plugins?.data && stats.data ? [t('wellPlugins', { active: stats.data.plugins.active })] : []),
    ...(cron?.data && cron.data.persistent.some(({ lastStatus }) => lastStatus !== undefined) ? [t('wellJobs')] : []),
  ]
}
