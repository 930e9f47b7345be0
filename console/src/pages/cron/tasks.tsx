// The table of tasks: a switch, when it runs in words, what became of it last, and why where that was not well.
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
import { Icon, Menu, Table } from '../../ui/index.js'
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

const STATUS_CLASS = { ok: undefined, skipped: 'amber', error: 'bad', interrupted: 'bad' } as const

export function Tasks({ listKey, tasks, now, canRun, onAsk }: TasksProps) {
  const words = useCronDescription()
  const block = useWriteBlock()
  const locale = currentLocale()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // The switch shows at once what it will be, and goes back where the host says no.
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
  const below = (task: Task) => {
    const shown = open.has(task.id)
    if (!task.lastError && !shown) return undefined
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
  return (
    <div class="tasks">
      <Table
        caption={t('tasks')}
        rows={tasks}
        rowKey={(task) => task.id}
        below={below}
        rowClass={(task) => (task.enabled ? undefined : 'faded')}
        columns={[
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
                onClick={() => void toggle(task)}
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
          {
            id: 'next',
            head: t('next'),
            width: '120px',
            cell: (task) =>
              task.enabled ? (
                task.nextRun === undefined ? null : (
                  <span class="two">
                    <span>{ago(task.nextRun, now, locale)}</span>
                    <small>{weekdayClock(task.nextRun, locale, task.timezone)}</small>
                  </span>
                )
              ) : (
                <span class="two">
                  <span>{t('paused')}</span>
                  {(task.failures ?? 0) >= 5 ? (
                    <small>{t('afterFailures', { count: task.failures ?? 0 })}</small>
                  ) : null}
                </span>
              ),
          },
          {
            id: 'last',
            head: t('last'),
            wide: true,
            width: '130px',
            cell: (task) =>
              task.lastStatus ? (
                <span class="two">
                  <span class={STATUS_CLASS[task.lastStatus]}>{t(`status.${task.lastStatus}`)}</span>
                  <small>
                    {joinFacts(
                      task.lastRun === undefined ? '' : ago(task.lastRun, now, locale),
                      (task.failures ?? 0) > 1 ? t('inRow', { count: task.failures ?? 0 }) : '',
                    )}
                  </small>
                </span>
              ) : (
                <span class="muted">{t('never')}</span>
              ),
          },
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
                  { label: t(open.has(task.id) ? 'hide' : 'show'), onSelect: () => unfold(task.id) },
                  ...(canRun ? [{ label: t('runNow'), onSelect: () => onAsk({ kind: 'run', task }) }] : []),
                  { label: t('remove'), danger: true, onSelect: () => onAsk({ kind: 'remove', task }) },
                ]}
              >
                <Icon name="more" />
              </Menu>
            ),
          },
        ]}
      />
    </div>
  )
}
