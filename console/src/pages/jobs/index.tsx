import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { useNow } from '../../kit/use-now.js'
import { useHostNames } from '../../kit/use-host-names.js'
import { joinFacts } from '../../kit/join-list.js'
import { dateTime } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useQuery, type Query } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, PageHead, Table, Ticks, Updated, type Column } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Loaded, Segments, Stale, State } from '../../ui/parts/index.js'
import { HostSelect } from '../../ui/parts/host-select.js'
import { useCronDescription } from '../cron/use-cron-description.js'
import { hasFailed, isFailure, jobsOf, kinds, nameOf, runTicks, type Kind } from './model.js'
import { Later } from '../../ui/parts/later.js'
import './page.css'
import { Runs } from './runs.js'
import { ShowMore } from '../../ui/parts/show-more.js'
import { t } from './texts.js'
import type { Job, JobList, Run } from './wire.js'
import { RunDialog } from './run-dialog.js'

type Rest = (operation: string, input: { readonly signal?: AbortSignal; readonly query?: object }) => Promise<JobList>

function startedBy(job: Job, words: (expression: string) => string | undefined): string {
  const { trigger } = job
  if (trigger.kind === 'event') return [trigger.source, trigger.type].filter(Boolean).join(' / ')
  if (trigger.kind === 'im') return t('handOnly')
  if (trigger.kind === 'heartbeat') return ''
  const { schedule } = trigger
  return 'at' in schedule ? dateTime(schedule.at, currentLocale()) : (words(schedule.cron) ?? schedule.cron)
}

function goesTo({ notify }: Job): string {
  if (!notify) return t('to.log')
  if (notify.channel === 'im') return t('to.im', { scene: notify.sceneId, endpoint: notify.endpointId })
  return notify.channel === 'ha' ? t('to.ha', { service: notify.service }) : t(`to.${notify.channel}`)
}

const STATUS_TONE = {
  ok: 'plain',
  skipped: 'wait',
  error: 'wrong',
  undelivered: 'wrong',
  interrupted: 'wrong',
} as const

/** Jobs that are drawn at once. */
const STEP = 25

type JobQuery = Query<{ kind: string; host: string; open: string; before: string }>

export function JobsPage() {
  const now = useNow(15_000)
  const words = useCronDescription()
  const { has } = useCatalogue()
  const query = useQuery({ kind: '', host: '', open: '', before: '' })
  const { before, host: hostName } = query.values
  const hosts = useHostNames()
  const key = before ? `GET /assistant/jobs ${JSON.stringify({ before })}` : 'GET /assistant/jobs'
  const kind: Kind = kinds.find((item) => item === query.values.kind) ?? ''
  const jobs = useResource<JobList & { readonly of: string }>(
    key,
    async (signal) => ({
      ...(await (host().rest as unknown as Rest).call(host(), 'GET /assistant/jobs', {
        signal,
        ...(before ? { query: { before } } : {}),
      })),
      of: key,
    }),
    'GET /assistant/jobs',
  )
  const part = before !== '' || jobs.data?.nextBefore !== undefined
  const [asking, setAsking] = useState<{ readonly job: Job; readonly as: Run | undefined }>()
  const all = jobs.data?.jobs ?? []
  const shown = jobsOf(all, kind, hostName)
  const isAll = kind === '' && hostName === ''
  const failedCount = all.filter(hasFailed).length
  const open = query.values.open || (query.values.open === '' && kind === '' ? shown.find(hasFailed)?.id : undefined)
  const chosen = all.find(({ id }) => id === query.values.open)
  useOpenItem(chosen && nameOf(chosen))
  const [most, setMost] = useState(STEP)
  // An open job is always shown.
  const count = Math.max(most, shown.findIndex(({ id }) => id === open) + 1)
  const toggle = (job: Job): void => query.set({ open: open === job.id ? '-' : job.id }, { replace: true })
  return (
    <>
      <JobsHead jobs={jobs} part={part} />
      <Loaded resource={jobs} missing={() => <EmptyState title={t('missing')}>{t('missingText')}</EmptyState>}>
        {() => (
          <>
            <Filter kind={kind} query={query} failedCount={failedCount} has={has} hosts={hosts} />
            <div class="section jobs">
              {shown.length === 0 ? (
                <EmptyState title={isAll ? t('empty') : t('noKind')}>{isAll ? t('emptyText') : undefined}</EmptyState>
              ) : (
                <Table
                  caption={t('page.jobs')}
                  rows={shown.slice(0, count)}
                  rowKey={(job) => job.id}
                  below={(job) =>
                    open === job.id ? (
                      <Later>
                        <Runs
                          job={job}
                          now={now}
                          canRun={has('jobs:run')}
                          hasHosts={hosts.length > 0}
                          onRun={(as) => setAsking({ job, as })}
                        />
                      </Later>
                    ) : undefined
                  }
                  columns={jobColumns({ open, now, words, hasHosts: hosts.length > 0, onToggle: toggle })}
                />
              )}
              <ShowMore left={shown.length - count} step={STEP} onMore={() => setMost(count + STEP)} />
              <CursorPager
                before={before}
                next={jobs.data?.of === key ? jobs.data.nextBefore : undefined}
                onBefore={(next) => query.set({ before: next, open: '' })}
              />
            </div>
          </>
        )}
      </Loaded>
      {asking ? <RunDialog {...asking} onClose={() => setAsking(undefined)} onStarted={jobs.reload} /> : null}
    </>
  )
}

interface FilterProps {
  readonly kind: Kind
  readonly query: JobQuery
  readonly failedCount: number
  readonly has: (address: string) => boolean
  readonly hosts: readonly string[]
}

function Filter({ kind, query, failedCount, has, hosts }: FilterProps) {
  return (
    <div class="row">
      <Segments
        label={t('show')}
        value={kind}
        onChange={(value) => query.set({ kind: value, open: '' })}
        options={kinds.map((value) => ({
          value,
          label: t(`kind.${value}`),
          ...(value === 'failed' ? { count: failedCount, bad: true } : {}),
        }))}
      />
      <HostSelect hosts={hosts} value={query.values.host} onChange={(next) => query.set({ host: next, open: '' })} />
      <span class="grow" />
      {has('cron:list') ? (
        <span class="muted">
          {t('cronNote')} <a href="/cron">{t('cron')}</a>
        </span>
      ) : null}
    </div>
  )
}

interface ColumnContext {
  /** Id of the job whose runs are shown. */
  readonly open: string | undefined
  readonly now: number
  readonly words: ReturnType<typeof useCronDescription>
  /** Whether the jobs are run by several hosts. */
  readonly hasHosts: boolean
  readonly onToggle: (job: Job) => void
}

function jobColumns({ open, now, words, hasHosts, onToggle }: ColumnContext): readonly Column<Job>[] {
  return [
    {
      id: 'job',
      head: t('job'),
      rowHeader: true,
      cell: (job) => (
        <button
          type="button"
          class="unfold"
          aria-expanded={open === job.id}
          aria-label={t('unfold', { name: nameOf(job) })}
          onClick={() => onToggle(job)}
        >
          <i aria-hidden="true" />
          <b>{nameOf(job)}</b>
        </button>
      ),
    },
    {
      id: 'by',
      head: t('by'),
      wide: true,
      width: '160px',
      cell: (job) => (
        <span class="two">
          <span>{t(`trigger.${job.trigger.kind}`)}</span>
          <small>{startedBy(job, words)}</small>
        </span>
      ),
    },
    { id: 'goes', head: t('goes'), wide: true, width: '140px', cell: (job) => goesTo(job) },
    {
      id: 'recent',
      head: t('recent'),
      wide: true,
      width: '150px',
      cell: (job) => (
        <Ticks
          ticks={runTicks(job.recent)}
          label={t('strip', {
            count: job.recent?.length ?? 0,
            failed: job.recent?.filter(isFailure).length ?? 0,
          })}
        />
      ),
    },
    ...(hasHosts
      ? [{ id: 'host', head: t('host'), wide: true, width: '110px', cell: (job: Job) => job.state?.lastHost ?? '–' }]
      : []),
    { id: 'last', head: t('last'), width: '130px', cell: (job) => <LastRun job={job} now={now} /> },
  ]
}

function LastRun({ job, now }: { readonly job: Job; readonly now: number }) {
  const { lastStatus, lastRunAt, retryCount } = job.state ?? {}
  if (!job.enabled) return <span class="muted">{t('off')}</span>
  if (!lastStatus) return <span class="muted">{t('never')}</span>
  return (
    <span class="two">
      <State tone={STATUS_TONE[lastStatus]}>{t(`state.${lastStatus}`)}</State>
      <small>
        {joinFacts(
          lastRunAt === undefined ? '' : ago(lastRunAt, now, currentLocale()),
          retryCount ? t('tries', { count: retryCount + 1 }) : '',
        )}
      </small>
    </span>
  )
}

interface JobsHeadProps {
  readonly jobs: Resource<JobList>
  /** Whether the list is one page of several. */
  readonly part: boolean
}

function JobsHead({ jobs, part }: JobsHeadProps) {
  const all = jobs.data?.jobs ?? []
  const failedCount = all.filter(hasFailed).length
  return (
    <PageHead
      title={t('page.jobs')}
      fact={
        jobs.data ? (
          <>
            <span>
              {joinFacts(
                t(part ? 'factPart' : 'fact', { count: all.length }),
                failedCount > 0 ? t('failedN', { count: failedCount }) : '',
              )}
            </span>{' '}
            <span>
              {t('events')} <b>{t(jobs.data.eventsActive ? 'open' : 'closed')}</b>
              {jobs.data.eventsActive ? '' : `, ${t('closedKey')}`}
            </span>{' '}
            <Stale resource={jobs} /> <Updated at={jobs.updatedAt} />
          </>
        ) : undefined
      }
      actions={
        <Button onClick={jobs.reload} hotkey="r">
          {t('refresh')}
        </Button>
      }
    />
  )
}
