import type { Query } from '../../lib/router.js'
import { Button, EmptyState, Field } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Section, Segments } from '../../ui/parts/index.js'
import { Tasks, type Asking } from './tasks.js'
import { t } from './texts.js'
import type { CronList, Task } from './wire.js'

type CronQuery = Query<{ filter: string; show: string; before: string }>

/** The tasks of a page with the filters that select them. */
interface TasksState {
  readonly list: CronList & { readonly of: string }
  /** Key of the resource that holds the shown page. */
  readonly listKey: string
  readonly tasks: readonly Task[]
  readonly query: CronQuery
  readonly typed: string
}

interface TaskSectionProps {
  readonly state: TasksState
  readonly now: number
  readonly canRun: boolean
  readonly onType: (text: string) => void
  readonly onAsk: (asking: Asking) => void
}

export function TaskSection({ state, now, canRun, onType, onAsk }: TaskSectionProps) {
  const { list, listKey, tasks, query, typed } = state
  const { total, matching, failed, paused, nextBefore, of } = list
  const { filter, show, before } = query.values
  const narrowed = filter !== '' || show !== ''
  const shownOf = { shown: tasks.length, total: narrowed ? matching : total }
  const clear = (): void => {
    onType('')
    query.set({ filter: '', show: '', before: '' })
  }
  return (
    <Section title={t('tasks')} fact={tasks.length < total ? t('shownOf', shownOf) : t('tasksFact')}>
      {total === 0 ? null : (
        <TaskFilters
          typed={typed}
          onType={onType}
          show={show}
          query={query}
          total={total}
          failed={failed}
          paused={paused}
        />
      )}
      {tasks.length > 0 ? (
        <Tasks listKey={listKey} tasks={tasks} now={now} canRun={canRun} onAsk={onAsk} />
      ) : (
        <NoTasks narrowed={narrowed} filter={filter} onClear={clear} />
      )}
      <CursorPager
        before={before}
        next={of === listKey ? nextBefore : undefined}
        onBefore={(next) => query.set({ before: next })}
      />
    </Section>
  )
}

interface TaskFiltersProps {
  readonly typed: string
  readonly onType: (text: string) => void
  readonly show: string
  readonly query: CronQuery
  readonly total: number
  readonly failed: number
  readonly paused: number
}

function TaskFilters({ typed, onType, show, query, total, failed, paused }: TaskFiltersProps) {
  return (
    <div class="row task-filters">
      <div class="search-field">
        <Field compact type="search" label={t('search')} placeholder={t('search')} value={typed} onInput={onType} />
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
