// Scheduled tasks: the coming day, tasks with what became of them, what plugins run on their own.
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import { useAction } from '../../kit/use-action.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Updated } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Confirm, KeysHint, Loaded, Section, Segments, Stale, State } from '../../ui/parts/index.js'
import { DayStrip, daySentence } from './day-strip.js'
import { day, inOrder, nameOf } from './model.js'
import './page.css'
import { Tasks, type Asking } from './tasks.js'
import { t } from './texts.js'
import type { CronList, MemoryRow } from './wire.js'
import { useCronDescription } from './use-cron-description.js'

/** Tasks of a page. */
const LIMIT = 100

export function CronPage() {
  const now = useNow(15_000)
  const { has } = useCatalogue()
  const query = useQuery({ filter: '', show: '', before: '' })
  const { filter, show, before } = query.values
  const [typed, setTyped] = useDebouncedInput(filter, (next) =>
    query.set({ filter: next, before: '' }, { replace: true }),
  )
  const key = `cron:list ${JSON.stringify([filter, show, before])}`
  const list = useResource<CronList & { readonly of: string }>(
    key,
    async (signal) => ({
      ...(await call<CronList>(
        'cron:list',
        {
          limit: LIMIT,
          ...(filter ? { search: filter } : {}),
          ...(show ? { state: show } : {}),
          ...(before ? { before } : {}),
        },
        signal,
      )),
      of: key,
    }),
    'cron:list',
  )
  const [asking, setAsking] = useState<Asking>()
  const tasks = inOrder(list.data?.persistent ?? [])
  const zone = tasks.find((task) => task.timezone)?.timezone
  const keys = usePageKeys([
    ['N', t('new')],
    ['↑ ↓', t('kMove')],
    ['Enter', t('kEdit')],
    ['Space', t('kSwitch')],
  ])
  useShortcuts({ n: () => navigate('/cron/new') })
  const ask = useAction(async ({ kind, task }: Asking) => {
    await call(kind === 'run' ? 'jobs:run' : 'cron:remove', { id: task.id })
    toast(t(kind === 'run' ? 'started' : 'removed', { name: nameOf(task) }), 'ok')
    setAsking(undefined)
    list.reload()
  })
  const narrowed = filter !== '' || show !== ''
  const clear = (): void => {
    setTyped('')
    query.set({ filter: '', show: '', before: '' })
  }
  return (
    <>
      <PageHead
        title={t('page.cron')}
        fact={
          list.data ? (
            <>
              <span>
                {joinFacts(
                  t('fact', { count: list.data.total }),
                  list.data.failed > 0 ? t('failedN', { count: list.data.failed }) : '',
                  list.data.paused > 0 ? t('pausedN', { count: list.data.paused }) : '',
                )}
              </span>
              {zone ? <span>{t('zone', { zone })}</span> : null} <Stale resource={list} />{' '}
              <Updated at={list.updatedAt} />
            </>
          ) : undefined
        }
        actions={
          <>
            <Button onClick={list.reload} hotkey="r">
              {t('refresh')}
            </Button>
            <Button kind="primary" href="/cron/new" hotkey="n">
              {t('new')}
            </Button>
          </>
        }
      />
      <Loaded resource={list}>
        {({ memory, total, matching, failed, paused, nextBefore, of }) => {
          const coming = day(tasks, memory, now)
          const part = tasks.length < total
          return (
            <>
              {!has('agent:sessions') && tasks.length > 0 ? (
                <p class="amber" role="status">
                  {t('noAgent')}
                </p>
              ) : null}
              <Section
                title={t('day')}
                fact={joinFacts(daySentence(coming, zone), part ? t('dayPart', { count: tasks.length }) : '')}
                actions={
                  <span class="legend muted">
                    <i class="on" />
                    {t('legendTasks')} <i />
                    {t('legendPlugins')}
                  </span>
                }
              >
                <DayStrip day={coming} timeZone={zone} />
              </Section>
              <div class="columns-2 cron-columns">
                <Section
                  title={t('tasks')}
                  fact={
                    part ? t('shownOf', { shown: tasks.length, total: narrowed ? matching : total }) : t('tasksFact')
                  }
                >
                  {total === 0 ? null : (
                    <div class="row task-filters">
                      <div class="search-field">
                        <Field
                          compact
                          type="search"
                          label={t('search')}
                          placeholder={t('search')}
                          value={typed}
                          onInput={setTyped}
                        />
                      </div>
                      <Segments
                        label={t('which')}
                        value={show}
                        onChange={(value) => query.set({ show: value, before: '' })}
                        options={[
                          { value: '', label: t('all'), count: total },
                          { value: 'failed', label: t('failed'), count: failed, bad: true },
                          { value: 'paused', label: t('pausedOnly'), count: paused },
                        ]}
                      />
                    </div>
                  )}
                  {tasks.length > 0 ? (
                    <Tasks listKey={key} tasks={tasks} now={now} canRun={has('jobs:run')} onAsk={setAsking} />
                  ) : (
                    <NoTasks narrowed={narrowed} filter={filter} onClear={clear} />
                  )}
                  <CursorPager
                    before={before}
                    next={of === key ? nextBefore : undefined}
                    onBefore={(next) => query.set({ before: next })}
                  />
                </Section>
                <OfPlugins rows={memory} now={now} />
              </div>
              <KeysHint keys={keys} />
            </>
          )
        }}
      </Loaded>
      {asking ? (
        <AskDialog
          asking={asking}
          busy={ask.busy}
          onClose={() => setAsking(undefined)}
          onConfirm={() => ask.run(asking)}
        />
      ) : null}
    </>
  )
}

interface AskDialogProps {
  readonly asking: Asking
  readonly busy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

function AskDialog({ asking: { kind, task }, busy, onClose, onConfirm }: AskDialogProps) {
  return (
    <Confirm
      danger={kind === 'remove'}
      title={t(`${kind}Ask`, { name: nameOf(task) })}
      action={t(`${kind}Do`)}
      busy={busy}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{t(`${kind}Text`)}</p>
    </Confirm>
  )
}

interface NoTasksProps {
  readonly narrowed: boolean
  readonly filter: string
  readonly onClear: () => void
}

function NoTasks({ narrowed, filter, onClear }: NoTasksProps) {
  if (narrowed)
    return (
      <EmptyState
        title={filter ? t('list.noMatch', { filter }) : t('noneSo')}
        action={<Button onClick={onClear}>{t('list.clear')}</Button>}
      />
    )
  return (
    <EmptyState
      title={t('empty')}
      action={
        <Button kind="primary" href="/cron/new">
          {t('new')}
        </Button>
      }
    >
      {t('emptyText')}
    </EmptyState>
  )
}

function OfPlugins({ rows, now }: { readonly rows: readonly MemoryRow[]; readonly now: number }) {
  const words = useCronDescription()
  return (
    <Section title={t('plugins')} fact={t('pluginsFact')}>
      {rows.length === 0 ? (
        <EmptyState title={t('noPlugins')} />
      ) : (
        <ul class="plugin-tasks">
          {rows.map((row) => (
            <li key={row.id}>
              <p class="line">
                <a href={`/plugins/${encodeURIComponent(row.plugin)}`}>{row.plugin}</a>
                <span class="muted">
                  {row.running ? <State tone="wait">{t('running')}</State> : null}
                  {row.running || row.nextRun === null ? '' : ago(row.nextRun, now, currentLocale())}
                </span>
              </p>
              <p class="muted">
                <code>{row.id}</code> {row.description ?? words(row.expression) ?? row.expression}
              </p>
            </li>
          ))}
        </ul>
      )}
      <p class="muted foot-note">
        {t('pluginsNote')} <a href="/config">{t('config')}</a>
      </p>
    </Section>
  )
}
