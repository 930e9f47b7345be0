import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction, useReadAction } from '../../kit/use-action.js'
import { useEvent } from '../../kit/use-event.js'
import { elapsed, momentSeconds } from '../../kit/time-format.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { Loaded, Quote, State } from '../../ui/parts/index.js'
import { hasEnded, isFailure, runDuration, withRun } from './model.js'
import { t } from './texts.js'
import type { Job, Run, RunPage } from './wire.js'

const LIMIT = 10

function stateClass(state: Run['state']): string | undefined {
  if (isFailure({ state }) || state === 'interrupted') return 'bad'
  return state === 'ok' ? undefined : 'amber'
}

export function Runs({
  job,
  now,
  canRun,
  hasHosts,
  onRun,
}: {
  readonly job: Job
  readonly now: number
  readonly canRun: boolean
  /** Whether the runs are of several hosts. */
  readonly hasHosts: boolean
  /** Asks for a run, with the input of an earlier one where that is given. */
  readonly onRun: (as?: Run) => void
}) {
  const { has } = useCatalogue()
  const key = `jobs:runs ${job.id}`
  const runs = useResource<RunPage>(
    key,
    (signal) => call('jobs:runs', { id: job.id, limit: LIMIT }, signal),
    'jobs:runs',
  )
  const [older, setOlder] = useState<readonly Run[]>([])
  const [next, setNext] = useState<string>()
  useEffect(() => {
    setOlder([])
    setNext(runs.data?.nextBefore)
  }, [runs.data?.nextBefore])
  useEvent<Run>('job:run', (run) => {
    if (run.jobId === job.id) resources.patch<RunPage>(key, (data) => ({ ...data, runs: withRun(data.runs, run) }))
  })
  const more = useReadAction(async () => {
    const page = await call<RunPage>('jobs:runs', { id: job.id, limit: LIMIT, before: next })
    setOlder([...older, ...page.runs])
    setNext(page.nextBefore)
  })
  return (
    <div class="runs">
      <Loaded resource={runs} rows={2}>
        {(page) => {
          const rows = [...page.runs, ...older]
          return rows.length === 0 ? (
            <p class="muted">{t('noRuns')}</p>
          ) : (
            <Table
              caption={t('recent')}
              rows={rows}
              rowKey={(run) => run.id}
              below={(run) => (run.error || failedResult(run) ? <Outcome run={run} onSent={runs.reload} /> : undefined)}
              columns={runColumns({ job, now, hasHosts, onRun: has('jobs:repeat') ? onRun : undefined })}
            />
          )
        }}
      </Loaded>
      <p class="row">
        {canRun ? <Button onClick={() => onRun()}>{t('runNow')}</Button> : null}
        {next ? (
          <Button kind="quiet" busy={more.busy} onClick={() => more.run()}>
            {t('older')}
          </Button>
        ) : null}
        <span class="muted">
          {t('id')} <code>{job.id}</code>
        </span>
      </p>
    </div>
  )
}

/** Returns what a run that did not end well has said. */
const failedResult = (run: Run): string | undefined => (run.state === 'ok' ? undefined : run.result)

interface OutcomeProps {
  readonly run: Run
  readonly onSent: () => void
}

/** Quotes a result that did not arrive, which a person may send again. */
function Undelivered({ run, onSent }: OutcomeProps) {
  const { has } = useCatalogue()
  const send = useAction(async () => {
    await call('jobs:resend', { runId: run.id })
    toast(t('sent'), 'ok')
    onSent()
  }, 'here')
  return (
    <>
      <Quote
        tone="warn"
        actions={
          has('jobs:resend') ? (
            <Button busy={send.busy} onClick={() => send.run()} {...send.blocked}>
              {t('sendAgain')}
            </Button>
          ) : undefined
        }
      >
        {run.result}
      </Quote>
      {send.failure ? (
        <p class="bad" role="alert">
          {send.failure}
        </p>
      ) : null}
    </>
  )
}

function Outcome({ run, onSent }: OutcomeProps) {
  const result = failedResult(run)
  const isUndelivered = run.state === 'undelivered'
  return (
    <div class={result ? undefined : 'narrow-only'}>
      {run.error ? (
        <p class="narrow-only">
          <code class="breaks">{run.error}</code>
        </p>
      ) : null}
      {result && isUndelivered ? <Undelivered run={run} onSent={onSent} /> : null}
      {result && !isUndelivered ? <p class="result">{t('result', { text: `“${result}”` })}</p> : null}
    </div>
  )
}

/** Offers a run with the input of an earlier one, or says why there is none. */
function Again({ run, onRun }: { readonly run: Run; readonly onRun: (as: Run) => void }) {
  if (!hasEnded(run)) return null
  if (run.inputChanged) return <small class="muted">{t('inputChanged')}</small>
  return (
    <Button kind="quiet" label={t('runAgainOf', { time: beganText(run, currentLocale()) })} onClick={() => onRun(run)}>
      {t('runAgain')}
    </Button>
  )
}

const beganText = ({ startedAt, finishedAt }: Run, locale: Locale): string => {
  const time = startedAt ?? finishedAt
  return time === undefined ? '–' : momentSeconds(time, Date.now(), locale)
}

interface ColumnContext {
  readonly job: Job
  readonly now: number
  readonly hasHosts: boolean
  /** Absent where the host repeats no runs. */
  readonly onRun: ((as: Run) => void) | undefined
}

function runColumns({ job, now, hasHosts, onRun }: ColumnContext): readonly Column<Run>[] {
  const locale = currentLocale()
  const began = ({ startedAt }: Run): string => {
    return startedAt === undefined ? '–' : momentSeconds(startedAt, now, locale)
  }
  const slot = (run: Run): string => {
    const time = Number(run.slot)
    return Number.isSafeInteger(time) && time > 1e11 ? momentSeconds(time, now, locale) : String(run.slot)
  }
  return [
    { id: 'began', head: t('began'), rowHeader: true, width: '130px', cell: began },
    { id: 'slot', head: t('slot'), wide: true, width: '150px', cell: (run) => <code>{slot(run)}</code> },
    {
      id: 'state',
      head: t('state'),
      width: '120px',
      cell: (run) =>
        run.waiting ? (
          <State tone="wait">{t('waits')}</State>
        ) : (
          <span class={stateClass(run.state)}>{t(`state.${run.state}`)}</span>
        ),
    },
    ...(hasHosts
      ? [{ id: 'host', head: t('host'), wide: true, width: '96px', cell: (run: Run) => run.host ?? '–' }]
      : []),
    {
      id: 'attempt',
      head: t('attempt'),
      wide: true,
      numeric: true,
      width: '48px',
      cell: (run) => run.attempt,
    },
    {
      id: 'took',
      head: t('took'),
      wide: true,
      width: '120px',
      cell: (run) => {
        const ms = runDuration(run, now)
        if (ms === undefined) return ''
        return run.finishedAt === undefined ? t('soFar', { time: elapsed(ms) }) : elapsed(ms)
      },
    },
    {
      id: 'came',
      head: t('came'),
      wide: true,
      cell: (run) => <Came run={run} job={job} />,
    },
    ...(onRun
      ? [{ id: 'again', head: t('again'), width: '116px', cell: (run: Run) => <Again run={run} onRun={onRun} /> }]
      : []),
  ]
}

/** Shows what came of a run. */
function Came({ run, job }: { readonly run: Run; readonly job: Job }) {
  return (
    <>
      {run.error ? <code class="breaks">{run.error}</code> : <span class="muted">{run.result ?? ''}</span>}
      {run.turnId ? (
        <>
          {' '}
          <a href={`/agent/sessions?key=${encodeURIComponent(`job|${job.id}`)}`}>{t('conversation')}</a>
        </>
      ) : null}
    </>
  )
}
