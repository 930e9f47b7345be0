// Scheduled tasks: the coming day, tasks with what became of them, what plugins run on their own.
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { useWriteBlock } from '../../app/live.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useKeys } from '../../kit/use-keys.js'
import { useNow } from '../../kit/use-now.js'
import { weekdayClock } from '../../kit/when.js'
import { facts } from '../../kit/listed.js'
import { ago } from '../../lib/format.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Icon, Menu, PageHead, Table, Updated } from '../../ui/index.js'
import { Confirm, KeysHint, Loaded, Quote, Section, Stale, State } from '../../ui/parts/index.js'
import { DayStrip, daySentence } from './day-strip.js'
import { day, failed, inOrder, nameOf } from './model.js'
import './page.css'
import { p } from './texts.js'
import type { CronList, MemoryRow, Task } from './wire.js'
import { useWords } from './words.js'

type Asking = { readonly kind: 'remove' | 'run'; readonly task: Task }
const hostZone = (tasks: readonly Task[]): string | undefined => tasks.find((task) => task.timezone)?.timezone
const editOf = (task: Task): string => `/cron/${encodeURIComponent(task.id)}`

export function CronPage() {
  const now = useNow(15_000)
  const { has } = useCatalogue()
  const list = useResource<CronList>('cron:list', (signal) => call('cron:list', {}, signal))
  const [asking, setAsking] = useState<Asking>()
  const tasks = inOrder(list.data?.persistent ?? [])
  const zone = hostZone(tasks)
  useKeys({ n: () => navigate('/cron/new') })
  const ask = useAction(async ({ kind, task }: Asking) => {
    await call(kind === 'run' ? 'jobs:run' : 'cron:remove', { id: task.id })
    toast(p(kind === 'run' ? 'started' : 'removed', { name: nameOf(task) }), 'ok')
    setAsking(undefined)
    list.reload()
  })
  const bad = failed(tasks)
  const paused = tasks.filter((task) => !task.enabled).length
  return (
    <>
      <PageHead title={t('page.cron')} fact={list.data ? <><span>{facts(p('fact', { count: list.data.total ?? tasks.length }), bad > 0 ? p('failedN', { count: bad }) : '', paused > 0 ? p('pausedN', { count: paused }) : '')}</span>{zone ? <span>{p('zone', { zone })}</span> : null} <Stale resource={list} /> <Updated at={list.updatedAt} /></> : undefined}
        actions={<><Button onClick={list.reload} hotkey="r">{p('refresh')}</Button><Button kind="primary" href="/cron/new" hotkey="n">{p('new')}</Button></>} />
      <Loaded resource={list}>{({ memory, total = tasks.length }) => {
        const coming = day(tasks, memory, now)
        return (
          <>
            {!has('agent:sessions') && tasks.length > 0 ? <p class="amber" role="status">{p('noAgent')}</p> : null}
            <Section title={p('day')} fact={daySentence(coming, zone)} actions={<span class="legend muted"><i class="on" />{p('legendTasks')} <i />{p('legendPlugins')}</span>}><DayStrip day={coming} timeZone={zone} /></Section>
            <div class="columns-2 cron-columns">
              <Section title={p('tasks')} fact={p('tasksFact')}>
                {total > tasks.length ? <p class="muted">{p('newest', { count: tasks.length, total })} <a href="/assistant/jobs">{t('page.jobs')}</a></p> : null}
                {tasks.length === 0 ? <EmptyState title={p('empty')} action={<Button kind="primary" href="/cron/new">{p('new')}</Button>}>{p('emptyText')}</EmptyState> : <Tasks tasks={tasks} now={now} canRun={has('jobs:run')} onAsk={setAsking} />}
              </Section>
              <OfPlugins rows={memory} now={now} />
            </div>
            <KeysHint keys={[['N', p('new')], ['↑ ↓', t('shortcuts.rows')]]} />
          </>
        )
      }}</Loaded>
      {asking
        ? <Confirm danger={asking.kind === 'remove'} title={p(asking.kind === 'run' ? 'runAsk' : 'removeAsk', { name: nameOf(asking.task) })} action={p(asking.kind === 'run' ? 'runDo' : 'removeDo')} busy={ask.busy} onClose={() => setAsking(undefined)} onConfirm={() => ask.run(asking)}><p>{p(asking.kind === 'run' ? 'runText' : 'removeText')}</p></Confirm>
        : null}
    </>
  )
}

interface TasksProps { readonly tasks: readonly Task[]; readonly now: number; readonly canRun: boolean; readonly onAsk: (asking: Asking) => void }

function Tasks({ tasks, now, canRun, onAsk }: TasksProps) {
  const words = useWords()
  const block = useWriteBlock()
  const locale = currentLocale()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // The switch shows at once what it will be, and goes back where the host says no.
  const toggle = async (task: Task): Promise<void> => {
    const enabled = !task.enabled
    const set = (value: boolean): void => resources.patch<CronList>('cron:list', (data) => ({ ...data, persistent: data.persistent.map((item) => (item.id === task.id ? { ...item, enabled: value } : item)) }))
    set(enabled)
    try {
      await call(enabled ? 'cron:resume' : 'cron:pause', { id: task.id })
      resources.reload('cron:list')
    } catch (error) {
      set(!enabled)
      toast(failureOf(error).text, 'err')
    }
  }
  const unfold = (id: string): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const below = (task: Task) => {
    const shown = open.has(task.id)
    if (!task.lastError && !shown) return undefined
    return (
      <div class="stack tight">
        {task.lastError ? <Quote tone={task.lastStatus === 'skipped' ? 'warn' : 'err'} actions={<>
          <a href={`/assistant/jobs?open=${encodeURIComponent(task.id)}`}>{p('runs')}</a>{canRun ? <button type="button" class="linkish" onClick={() => onAsk({ kind: 'run', task })}>{p('runNow')}</button> : null}
        </>}>{task.lastError}</Quote> : null}
        {shown ? <pre class="prompt" tabIndex={0}>{task.prompt}</pre> : null}
      </div>
    )
  }
  return (
    <Table caption={p('tasks')} rows={tasks} rowKey={(task) => task.id} below={below} rowClass={(task) => (task.enabled ? undefined : 'faded')} columns={[
      { id: 'on', head: p('on'), width: '48px', cell: (task) => <button type="button" class="switch lone-switch" role="switch" aria-checked={task.enabled} aria-label={p(task.enabled ? 'pause' : 'resume', { name: nameOf(task) })} disabled={block !== undefined} title={block} onClick={() => void toggle(task)}><i aria-hidden="true" /></button> },
      { id: 'task', head: p('task'), rowHeader: true, cell: (task) => <span class="two"><a href={editOf(task)}>{nameOf(task)}</a><small>{words(task.cronExpression) ?? ''} <code>{task.cronExpression}</code></small></span> },
      { id: 'next', head: p('next'), width: '120px', cell: (task) => (task.enabled
        ? task.nextRun === undefined ? null : <span class="two"><span>{ago(task.nextRun, now, locale)}</span><small>{weekdayClock(task.nextRun, locale, task.timezone)}</small></span>
        : <span class="two"><span>{p('paused')}</span>{(task.failures ?? 0) >= 5 ? <small>{p('afterFailures', { count: task.failures ?? 0 })}</small> : null}</span>) },
      { id: 'last', head: p('last'), wide: true, width: '130px', cell: (task) => (task.lastStatus
        ? <span class="two"><span class={task.lastStatus === 'ok' ? undefined : task.lastStatus === 'skipped' ? 'amber' : 'bad'}>{p(`status.${task.lastStatus}`)}</span><small>{facts(task.lastRun === undefined ? '' : ago(task.lastRun, now, locale), (task.failures ?? 0) > 1 ? p('inRow', { count: task.failures ?? 0 }) : '')}</small></span>
        : <span class="muted">{p('never')}</span>) },
      { id: 'actions', head: t('actions'), numeric: true, width: '44px', cell: (task) => (
        <Menu label={p('actions', { name: nameOf(task) })} items={[
          { label: p('edit'), onSelect: () => navigate(editOf(task)) },
          { label: p(open.has(task.id) ? 'hide' : 'show'), onSelect: () => unfold(task.id) },
          ...(canRun ? [{ label: p('runNow'), onSelect: () => onAsk({ kind: 'run', task }) }] : []),
          { label: p('remove'), danger: true, onSelect: () => onAsk({ kind: 'remove', task }) },
        ]}><Icon name="more" /></Menu>
      ) },
    ]} />
  )
}

function OfPlugins({ rows, now }: { readonly rows: readonly MemoryRow[]; readonly now: number }) {
  const words = useWords()
  return (
    <Section title={p('plugins')} fact={p('pluginsFact')}>
      {rows.length === 0 ? <EmptyState title={p('noPlugins')} /> : (
        <ul class="plugin-tasks">
          {rows.map((row) => (
            <li key={row.id}>
              <p class="line"><a href={`/plugins/${encodeURIComponent(row.plugin)}`}>{row.plugin}</a><span class="muted">{row.running ? <State tone="wait">{p('running')}</State> : row.nextRun === null ? '' : ago(row.nextRun, now, currentLocale())}</span></p>
              <p class="muted"><code>{row.id}</code> {row.description ?? words(row.expression) ?? row.expression}</p>
            </li>
          ))}
        </ul>
      )}
      <p class="muted foot-note">{p('pluginsNote')} <a href="/config">{p('config')}</a></p>
    </Section>
  )
}
