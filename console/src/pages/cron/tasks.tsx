import { useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { focusedRow } from '../../kit/focused-row.js'
import { joinFacts } from '../../kit/join-list.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { weekdayClock } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { Icon, Menu, Table, type Column } from '../../ui/index.js'
import { Quote } from '../../ui/parts/index.js'
import { nameOf } from './model.js'
import { t } from './texts.js'
import type { CronList, Task } from './wire.js'
import { useCronDescription } from './use-cron-description.js'

export type Asking = { readonly kind: 'remove' | 'run'; readonly task: Task }

const editOf = (task: Task): string => `/cron/${encodeURIComponent(task.id)}`

interface TasksProps {
  readonly listKey: string
  readonly tasks: readonly Task[]
  readonly now: number
  readonly canRun: boolean
  readonly onAsk: (asking: Asking) => void
}

const STATUS_CLASS = {
  ok: undefined,
  skipped: 'amber',
  error: 'bad',
  undelivered: 'bad',
  interrupted: 'bad',
} as const

export function Tasks({ listKey, tasks, now, canRun, onAsk }: TasksProps) {
  const words = useCronDescription()
  const block = useWriteBlock()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // Update the switch at once and roll back if the host rejects it.
  const toggle = async (task: Task): Promise<void> => {
    const enabled = !task.enabled
    const set = (value: boolean): void =>
      resources.patch<CronList>(listKey, (data) => ({
        ...data,
        persistent: data.persistent.map((item) => (item.id === task.id ? { ...item, enabled: value } : item)),
      }))
    set(enabled)
    try {
      await call(enabled ? 'cron:resume' : 'cron:pause', { id: task.id })
      resources.reload(listKey)
    } catch (error) {
      set(!enabled)
      toast(failureOf(error).text, 'err')
    }
  }
  useShortcuts({
    ' ': () => {
      const task = focusedRow(tasks, '.tasks')
      if (!task) return
      if (block === undefined) void toggle(task)
      else toast(block, 'warn')
    },
  })
  const unfold = (id: string): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <div class="tasks">
      <Table
        caption={t('tasks')}
        rows={tasks}
        rowKey={(task) => task.id}
        below={(task) =>
          task.lastError || open.has(task.id) ? (
            <Details task={task} shown={open.has(task.id)} canRun={canRun} onAsk={onAsk} />
          ) : undefined
        }
        rowClass={(task) => (task.enabled ? undefined : 'faded')}
        columns={taskColumns({
          words,
          block,
          now,
          open,
          canRun,
          onToggle: (task) => void toggle(task),
          onUnfold: unfold,
          onAsk,
        })}
      />
    </div>
  )
}

interface DetailsProps {
  readonly task: Task
  /** Whether the prompt is shown. */
  readonly shown: boolean
  readonly canRun: boolean
  readonly onAsk: TasksProps['onAsk']
}

function Details({ task, shown, canRun, onAsk }: DetailsProps) {
  return (
    <div class="stack tight">
      {task.lastError ? (
        <Quote
          tone={task.lastStatus === 'skipped' ? 'warn' : 'err'}
          actions={
            <>
              <a href={`/assistant/jobs?open=${encodeURIComponent(task.id)}`}>{t('runs')}</a>
              {canRun ? (
                <button type="button" class="linkish" onClick={() => onAsk({ kind: 'run', task })}>
                  {t('runNow')}
                </button>
              ) : null}
            </>
          }
        >
          {task.lastError}
        </Quote>
      ) : null}
      {shown ? (
        <pre class="prompt" tabIndex={0}>
          {task.prompt}
        </pre>
      ) : null}
    </div>
  )
}

interface ColumnContext {
  readonly words: ReturnType<typeof useCronDescription>
  readonly block: string | undefined
  readonly now: number
  readonly open: ReadonlySet<string>
  readonly canRun: boolean
  readonly onToggle: (task: Task) => void
  readonly onUnfold: (id: string) => void
  readonly onAsk: TasksProps['onAsk']
}

function taskColumns(context: ColumnContext): readonly Column<Task>[] {
  const { words, block, now, open, canRun, onToggle, onUnfold, onAsk } = context
  return [
    {
      id: 'on',
      head: t('on'),
      width: '48px',
      cell: (task) => (
        <button
          type="button"
          class="switch lone-switch"
          role="switch"
          aria-checked={task.enabled}
          aria-label={t(task.enabled ? 'pause' : 'resume', { name: nameOf(task) })}
          disabled={block !== undefined}
          title={block}
          onClick={() => onToggle(task)}
        >
          <i aria-hidden="true" />
        </button>
      ),
    },
    {
      id: 'task',
      head: t('task'),
      rowHeader: true,
      cell: (task) => (
        <span class="two">
          <a href={editOf(task)}>{nameOf(task)}</a>
          <small>
            {words(task.cronExpression) ?? ''} <code>{task.cronExpression}</code>
          </small>
        </span>
      ),
    },
    { id: 'next', head: t('next'), width: '120px', cell: (task) => <NextRun task={task} now={now} /> },
    { id: 'last', head: t('last'), wide: true, width: '130px', cell: (task) => <LastRun task={task} now={now} /> },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      width: '44px',
      cell: (task) => (
        <Menu
          label={t('actionsFor', { name: nameOf(task) })}
          items={[
            { label: t('edit'), onSelect: () => navigate(editOf(task)) },
            { label: t(open.has(task.id) ? 'hide' : 'show'), onSelect: () => onUnfold(task.id) },
            ...(canRun ? [{ label: t('runNow'), onSelect: () => onAsk({ kind: 'run', task }) }] : []),
            { label: t('remove'), danger: true, onSelect: () => onAsk({ kind: 'remove', task }) },
          ]}
        >
          <Icon name="more" />
        </Menu>
      ),
    },
  ]
}

interface RunProps {
  readonly task: Task
  readonly now: number
}

function NextRun({ task, now }: RunProps) {
  const { enabled, nextRun, failures = 0 } = task
  const locale = currentLocale()
  if (!enabled)
    return (
      <span class="two">
        <span>{t('paused')}</span>
        {failures >= 5 ? <small>{t('afterFailures', { count: failures })}</small> : null}
      </span>
    )
  if (nextRun === undefined) return null
  return (
    <span class="two">
      <span>{ago(nextRun, now, locale)}</span>
      <small>{weekdayClock(nextRun, locale, task.timezone)}</small>
    </span>
  )
}

function LastRun({ task, now }: RunProps) {
  const { lastStatus, lastRun, failures = 0 } = task
  if (!lastStatus) return <span class="muted">{t('never')}</span>
  return (
    <span class="two">
      <span class={STATUS_CLASS[lastStatus]}>{t(`status.${lastStatus}`)}</span>
      <small>
        {joinFacts(
          lastRun === undefined ? '' : ago(lastRun, now, currentLocale()),
          failures > 1 ? t('inRow', { count: failures }) : '',
        )}
      </small>
    </span>
  )
}
