// Message traces: what was decided about a message, from the platform to the reply, with each reason.
import type { Trace } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { elapsed, clockOrDay } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { shortName } from '../../lib/format.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Field, PageHead, Pager } from '../../ui/index.js'
import { KeysHint, Loaded, PaneList, Segments, Stale, Workbench, type PaneRow } from '../../ui/parts/index.js'
import './page.css'
import { filterTraces, traceKey, problemSteps } from './model.js'
import { t } from './texts.js'
import { outcomeName, stageName, TraceView } from './trace-view.js'

const PAGE_SIZE = 100

/** How the handling of a message ended, in a word. */
function endOf(trace: Trace): { readonly text: string; readonly bad: boolean } {
  const [wrong] = problemSteps(trace)
  if (wrong)
    return { text: t('end.wrong', { stage: stageName(wrong.stage), outcome: outcomeName(wrong.outcome) }), bad: true }
  if (trace.endedAt === undefined) return { text: t('running'), bad: false }
  if (trace.replies === 0) return { text: t('end.none'), bad: false }
  return { text: trace.replies === 1 ? t('end.reply') : t('end.replies', { count: trace.replies }), bad: false }
}

export function TracesPage() {
  const query = useQuery({ message: '', filter: '', show: '', page: '1' })
  const { message, filter, show, page } = query.values
  const [typed, setTyped] = useDebouncedInput(filter, (next) =>
    query.set({ filter: next, page: '1' }, { replace: true }),
  )
  const traces = useResource<Trace[]>(
    'chat:traces',
    async (signal) => (await host().rpc('chat:traces', { limit: 1000 }, { signal })).traces,
  )
  const all = traces.data ?? []
  const found = filterTraces(all, { filter, show })
  const totalPages = Math.ceil(found.length / PAGE_SIZE)
  const at = Math.max(1, Math.min(parsePageNumber(page), totalPages))
  const shown = found.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
  const open = all.find((trace) => traceKey(trace) === message || trace.messageId === message)
  useOpenItem(open && shortName(open.text))
  const now = Date.now()
  const move = (step: number): void => {
    const index = shown.findIndex((trace) => trace === open)
    const next = shown[Math.max(0, Math.min(shown.length - 1, index + step))]
    if (next) query.set({ message: traceKey(next) }, { replace: true })
  }
  const keys = useTraceKeys(move, open)
  return (
    <Workbench
      open={open !== undefined || (message !== '' && traces.data !== undefined)}
      head={
        <PageHead
          title={t('page.traces')}
          fact={
            <>
              <span>{t('fact')}</span> <Stale resource={traces} />
            </>
          }
          actions={
            <Button onClick={traces.reload} hotkey="r">
              {t('refresh')}
            </Button>
          }
        />
      }
      side={
        <>
          <div class="side-tools">
            <Field
              compact
              type="search"
              label={t('search')}
              placeholder={t('search')}
              value={typed}
              onInput={setTyped}
            />
            <Segments
              wide
              label={t('show')}
              value={show}
              onChange={(value) => query.set({ show: value, page: '1' }, { replace: true })}
              options={[
                { value: '', label: t('all') },
                {
                  value: 'wrong',
                  label: t('wrong'),
                  count: all.filter((trace) => problemSteps(trace).length > 0).length,
                },
                { value: 'slow', label: t('slow') },
              ]}
            />
          </div>
          <Loaded resource={traces}>
            {() =>
              shown.length === 0 ? (
                <NoTraces
                  any={all.length > 0}
                  onClear={() => {
                    setTyped('')
                    query.set({ filter: '', show: '', page: '1' })
                  }}
                />
              ) : (
                <>
                  <PaneList
                    label={t('list')}
                    current={open && traceKey(open)}
                    onOpen={(key) => query.set({ message: key })}
                    rows={shown.map((trace) => traceRow(trace, now))}
                  />
                  <Pager
                    page={at}
                    totalPages={totalPages}
                    total={found.length}
                    onPage={(next) => query.set({ page: String(next) })}
                  />
                </>
              )
            }
          </Loaded>
        </>
      }
    >
      {open ? (
        <TraceView key={traceKey(open)} trace={open} onBack={() => query.set({ message: '' })} />
      ) : (
        <EmptyState title={message && traces.data ? t('gone') : t('choose')}>
          <KeysHint keys={keys} />
        </EmptyState>
      )}
    </Workbench>
  )
}

function useTraceKeys(move: (step: number) => void, open: Trace | undefined) {
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    l: () => {
      if (open) navigate(`/logs?filter=${encodeURIComponent(open.messageId)}`)
    },
  })
  return usePageKeys([
    ['J K', t('kMove')],
    ['Enter', t('kOpen')],
    ['L', t('kLog')],
    ['/', t('kFilter')],
  ])
}

function NoTraces({ any, onClear }: { readonly any: boolean; readonly onClear: () => void }) {
  if (!any) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return <EmptyState title={t('noMatch')} action={<Button onClick={onClear}>{t('list.clear')}</Button>} />
}

function traceRow(trace: Trace, now: number): PaneRow {
  const end = endOf(trace)
  return {
    id: traceKey(trace),
    label: trace.text || '–',
    end: elapsed(trace.durationMs),
    below: (
      <span class="trace-below">
        <span>
          {clockOrDay(trace.startedAt, now, currentLocale())} {trace.sender.name ?? trace.sender.id} ·{' '}
          {trace.channel.name ?? trace.channel.id}
        </span>
        <span class={end.bad ? 'amber' : undefined}>{end.text}</span>
      </span>
    ),
  }
}
