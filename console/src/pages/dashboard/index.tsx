import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useHostLabel } from '../../app/rail.js'
import { useTimer } from '../../kit/use-timer.js'
import { duration } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { activityHistory, sampleEndpoints, sampleMemory } from '../../lib/activity-history.js'
import { useQuery } from '../../lib/router.js'
import { useLazy } from '../../lib/use-lazy.js'
import { useStore } from '../../lib/use-store.js'
import { Badge } from '../../ui/badge.js'
import { Button } from '../../ui/button.js'
import { FailureNotice } from '../../ui/failure-notice.js'
import { PageHead } from '../../ui/page-head.js'
import { Skeleton } from '../../ui/notice.js'
import { Updated } from '../../ui/updated.js'
import { Endpoints } from './endpoints.js'
import { endpointKey } from './model.js'
import { MoreMenu, type Period } from './more-menu.js'
import { HostFacts } from './host-facts.js'
import { useSources, type RangeName, type Sources } from './use-sources.js'
import { t } from './texts.js'
import '../../ui/parts/parts.css'
import './page.css'

const loadLazySections = () => import('./lazy-sections.js')
type LazySections = Awaited<ReturnType<typeof loadLazySections>>

export function DashboardPage() {
  const query = useQuery({ range: 'hour' })
  const range = query.values.range as RangeName
  const { known, sources } = useSources(range)
  const { stats, endpoints, activity, problems, traces } = sources
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
      <StatsFailure stats={stats} />
      {lazy && upper ? (
        <>
          <lazy.FirstSteps {...sources} />
          <lazy.Summary sources={sources} now={now} />
        </>
      ) : (
        <Skeleton rows={12} label={t('loading')} />
      )}
      {upper ? (
        <div class="dash">
          <div class="stack main">
            {lazy ? (
              <lazy.Traffic
                activity={activity?.data}
                uptime={data?.uptime}
                range={range}
                onRange={(next) => query.set({ range: next })}
              />
            ) : null}
            {endpoints ? <Endpoints endpoints={endpoints} activity={activity?.data} ring={history} now={now} /> : null}
          </div>
          {lower ? <Side sources={sources} ring={history} now={now} lazy={lazy} /> : null}
        </div>
      ) : null}
      {lower && lazy ? <lazy.RecentTraces problems={problems} traces={traces} now={now} /> : null}
    </>
  )
}

/** Shows why there are no figures. Figures that were loaded before are marked as stale instead. */
const StatsFailure = ({ stats: { failure, data, reload } }: Pick<Sources, 'stats'>) =>
  failure && !data ? <FailureNotice failure={failure} onRetry={reload} /> : null

interface SideProps {
  readonly sources: Sources
  readonly ring: Parameters<typeof HostFacts>[0]['ring']
  readonly now: number
  readonly lazy: LazySections | undefined
}

const Side = ({ sources: { system, stats, usage, cron }, ring, now, lazy }: SideProps) => (
  <div class="stack side">
    <HostFacts system={system} stats={stats.data} ring={ring} now={now} />
    {lazy ? <lazy.Today usage={usage} cron={cron} now={now} /> : null}
  </div>
)

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
