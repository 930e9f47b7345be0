import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, PageHead, Updated } from '../../ui/index.js'
import { KeysHint, Loaded, Section, Stale } from '../../ui/parts/index.js'
import { DayStrip, daySentence } from './day-strip.js'
import { day, inOrder } from './model.js'
import './page.css'
import { type Asking } from './tasks.js'
import { t } from './texts.js'
import type { CronList, Task } from './wire.js'
import { AskDialog } from './ask-dialog.js'
import { OfPlugins } from './plugin-tasks.js'
import { TaskSection } from './task-section.js'

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
  const list = useTasks({ listKey: key, filter, show, before })
  const [asking, setAsking] = useState<Asking>()
  const tasks = inOrder(list.data?.persistent ?? [])
  const zones = new Set(tasks.map((task) => task.timezone))
  const [zone] = zones
  const keys = usePageKeys([
    ['N', t('new')],
    ['↑ ↓', t('kMove')],
    ['Enter', t('kEdit')],
    ['Space', t('kSwitch')],
  ])
  useShortcuts({ n: () => navigate('/cron/new') })
  return (
    <>
      <PageHead
        title={t('page.cron')}
        fact={listFact(list, zones.size === 1 ? zone : undefined)}
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
        {(data) => {
          const coming = day(tasks, data.memory, now)
          const part = tasks.length < data.total
          return (
            <>
              {!has('agent:sessions') && tasks.length > 0 ? (
                <p class="amber" role="status">
                  {t('noAgent')}
                </p>
              ) : null}
              <DaySection coming={coming} zone={zone} isMixed={zones.size > 1} part={part} tasks={tasks} />
              <div class="columns-2 cron-columns">
                <TaskSection
                  state={{ list: data, listKey: key, tasks, query, typed }}
                  now={now}
                  canRun={has('jobs:run')}
                  onType={setTyped}
                  onAsk={setAsking}
                />
                <OfPlugins rows={data.memory} now={now} />
              </div>
              <KeysHint keys={keys} />
            </>
          )
        }}
      </Loaded>
      {asking ? <AskDialog asking={asking} onClose={() => setAsking(undefined)} onDone={list.reload} /> : null}
    </>
  )
}

interface DaySectionProps {
  readonly coming: ReturnType<typeof day>
  readonly zone: string | undefined
  /** Whether some tasks have another zone. */
  readonly isMixed: boolean
  readonly part: boolean
  readonly tasks: readonly Task[]
}

function DaySection({ coming, zone, isMixed, part, tasks }: DaySectionProps) {
  return (
    <Section
      title={t('day')}
      fact={joinFacts(
        daySentence(coming, zone),
        isMixed && zone ? t('zone', { zone }) : '',
        part ? t('dayPart', { count: tasks.length }) : '',
      )}
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
  )
}

function listFact(list: Resource<CronList>, zone: string | undefined) {
  return list.data ? (
    <>
      <span>
        {joinFacts(
          t('fact', { count: list.data.total }),
          list.data.failed > 0 ? t('failedN', { count: list.data.failed }) : '',
          list.data.paused > 0 ? t('pausedN', { count: list.data.paused }) : '',
        )}
      </span>
      {zone ? <span>{t('zone', { zone })}</span> : null} <Stale resource={list} /> <Updated at={list.updatedAt} />
    </>
  ) : undefined
}

interface UseTasksInput {
  readonly listKey: string
  readonly filter: string
  readonly show: string
  readonly before: string
}

/** Loads a page of tasks. While it loads, the former page is shown. */
function useTasks({ listKey, filter, show, before }: UseTasksInput) {
  return useResource<CronList & { readonly of: string }>(
    listKey,
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
      of: listKey,
    }),
    'cron:list',
  )
}
