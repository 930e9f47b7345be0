// Scheduled tasks: the coming day, tasks with what became of them, what plugins run on their own.
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { facts } from '../../kit/listed.js'
import { useAction } from '../../kit/use-action.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useKeys } from '../../kit/use-keys.js'
import { useNow } from '../../kit/use-now.js'
import { useTyped } from '../../kit/use-typed.js'
import { ago } from '../../lib/format.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Updated } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Confirm, KeysHint, Loaded, Section, Segments, Stale, State } from '../../ui/parts/index.js'
import { DayStrip, daySentence } from './day-strip.js'
import { day, inOrder, nameOf } from './model.js'
import './page.css'
import { Tasks, type Asking } from './tasks.js'
import { p } from './texts.js'
import type { CronList, MemoryRow } from './wire.js'
import { useWords } from './words.js'

/** Tasks of a page. */
const LIMIT = 100

export function CronPage() {
  const now = useNow(15_000)
  const { has } = useCatalogue()
  const query = useQuery({ filter: '', show: '', before: '' })
  const { filter, show, before } = query.values
  const [typed, setTyped] = useTyped(filter, (next) => query.set({ filter: next, before: '' }, { replace: true }))
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
    ['N', p('new')],
    ['↑ ↓', p('kMove')],
    ['Enter', p('kEdit')],
    ['Space', p('kSwitch')],
  ])
  useKeys({ n: () => navigate('/cron/new') })
  const ask = useAction(async ({ kind, task }: Asking) => {
    await call(kind === 'run' ? 'jobs:run' : 'cron:remove', { id: task.id })
    toast(p(kind === 'run' ? 'started' : 'removed', { name: nameOf(task) }), 'ok')
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
                {facts(
                  p('fact', { count: list.data.total }),
                  list.data.failed > 0 ? p('failedN', { count: list.data.failed }) : '',
                  list.data.paused > 0 ? p('pausedN', { count: list.data.paused }) : '',
                )}
              </span>
              {zone ? <span>{p('zone', { zone })}</span> : null} <Stale resource={list} />{' '}
              <Updated at={list.updatedAt} />
            </>
          ) : undefined
        }
        actions={
          <>
            <Button onClick={list.reload} hotkey="r">
              {p('refresh')}
            </Button>
            <Button kind="primary" href="/cron/new" hotkey="n">
              {p('new')}
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
                  {p('noAgent')}
                </p>
              ) : null}
              <Section
                title={p('day')}
                fact={facts(daySentence(coming, zone), part ? p('dayPart', { count: tasks.length }) : '')}
                actions={
                  <span class="legend muted">
                    <i class="on" />
                    {p('legendTasks')} <i />
                    {p('legendPlugins')}
                  </span>
                }
              >
                <DayStrip day={coming} timeZone={zone} />
              </Section>
              <div class="columns-2 cron-columns">
                <Section
                  title={p('tasks')}
                  fact={
                    part ? p('shownOf', { shown: tasks.length, total: narrowed ? matching : total }) : p('tasksFact')
                  }
                >
                  {total === 0 ? null : (
                    <div class="row task-filters">
                      <div class="search-field">
                        <Field
                          compact
                          type="search"
                          label={p('search')}
                          placeholder={p('search')}
                          value={typed}
                          onInput={setTyped}
                        />
                      </div>
                      <Segments
                        label={p('which')}
                        value={show}
                        onChange={(value) => query.set({ show: value, before: '' })}
                        options={[
                          { value: '', label: p('all'), count: total },
                          { value: 'failed', label: p('failed'), count: failed, bad: true },
                          { value: 'paused', label: p('pausedOnly'), count: paused },
                        ]}
                      />
                    </div>
                  )}
                  {tasks.length > 0 ? (
                    <Tasks listKey={key} tasks={tasks} now={now} canRun={has('jobs:run')} onAsk={setAsking} />
                  ) : narrowed ? (
                    <EmptyState
                      title={filter ? t('list.noMatch', { filter }) : p('noneSo')}
                      action={<Button onClick={clear}>{t('list.clear')}</Button>}
                    />
                  ) : (
                    <EmptyState
                      title={p('empty')}
                      action={
                        <Button kind="primary" href="/cron/new">
                          {p('new')}
                        </Button>
                      }
                    >
                      {p('emptyText')}
                    </EmptyState>
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
        <Confirm
          danger={asking.kind === 'remove'}
          title={p(asking.kind === 'run' ? 'runAsk' : 'removeAsk', { name: nameOf(asking.task) })}
          action={p(asking.kind === 'run' ? 'runDo' : 'removeDo')}
          busy={ask.busy}
          onClose={() => setAsking(undefined)}
          onConfirm={() => ask.run(asking)}
        >
          <p>{p(asking.kind === 'run' ? 'runText' : 'removeText')}</p>
        </Confirm>
      ) : null}
    </>
  )
}

function OfPlugins({ rows, now }: { readonly rows: readonly MemoryRow[]; readonly now: number }) {
  const words = useWords()
  return (
    <Section title={p('plugins')} fact={p('pluginsFact')}>
      {rows.length === 0 ? (
        <EmptyState title={p('noPlugins')} />
      ) : (
        <ul class="plugin-tasks">
          {rows.map((row) => (
            <li key={row.id}>
              <p class="line">
                <a href={`/plugins/${encodeURIComponent(row.plugin)}`}>{row.plugin}</a>
                <span class="muted">
                  {row.running ? (
                    <State tone="wait">{p('running')}</State>
                  ) : row.nextRun === null ? (
                    ''
                  ) : (
                    ago(row.nextRun, now, currentLocale())
                  )}
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
        {p('pluginsNote')} <a href="/config">{p('config')}</a>
      </p>
    </Section>
  )
}
