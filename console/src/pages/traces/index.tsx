// Message traces: what was decided about a message, from the platform to the reply, with each reason.
import type { Trace } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useKeys } from '../../kit/use-keys.js'
import { useTyped } from '../../kit/use-typed.js'
import { took, whenShort } from '../../kit/when.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { pageNumber } from '../../lib/page-of.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { brief } from '../../lib/format.js'
import { useChosen } from '../../lib/title.js'
import { Button, EmptyState, Field, PageHead, Pager } from '../../ui/index.js'
import { KeysHint, Loaded, PaneList, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import './page.css'
import { filterTraces, traceKey, wrongSteps } from './model.js'
import { p } from './texts.js'
import { outcomeName, stageName, TraceView } from './trace-view.js'

const PAGE_SIZE = 100

/** How the handling of a message ended, in a word. */
function endOf(trace: Trace): { readonly text: string; readonly bad: boolean } {
  const [wrong] = wrongSteps(trace)
  if (wrong)
    return { text: p('end.wrong', { stage: stageName(wrong.stage), outcome: outcomeName(wrong.outcome) }), bad: true }
  if (trace.endedAt === undefined) return { text: p('running'), bad: false }
  return {
    text:
      trace.replies === 0
        ? p('end.none')
        : trace.replies === 1
          ? p('end.reply')
          : p('end.replies', { count: trace.replies }),
    bad: false,
  }
}

export function TracesPage() {
  const query = useQuery({ message: '', filter: '', show: '', page: '1' })
  const { message, filter, show, page } = query.values
  const [typed, setTyped] = useTyped(filter, (next) => query.set({ filter: next, page: '1' }, { replace: true }))
  const traces = useResource<Trace[]>(
    'chat:traces',
    async (signal) => (await host().rpc('chat:traces', { limit: 1000 }, { signal })).traces,
  )
  const all = traces.data ?? []
  const found = filterTraces(all, { filter, show })
  const totalPages = Math.ceil(found.length / PAGE_SIZE)
  const at = Math.max(1, Math.min(pageNumber(page), totalPages))
  const shown = found.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
  const open = all.find((trace) => traceKey(trace) === message || trace.messageId === message)
  useChosen(open && brief(open.text))
  const locale = currentLocale()
  const now = Date.now()
  const move = (step: number): void => {
    const index = shown.findIndex((trace) => trace === open)
    const next = shown[Math.max(0, Math.min(shown.length - 1, index + step))]
    if (next) query.set({ message: traceKey(next) }, { replace: true })
  }
  const keys = usePageKeys([
    ['J K', p('kMove')],
    ['Enter', p('kOpen')],
    ['L', p('kLog')],
    ['/', p('kFilter')],
  ])
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    l: () => {
      if (open) navigate(`/logs?filter=${encodeURIComponent(open.messageId)}`)
    },
  })
  return (
    <Workbench
      open={open !== undefined || (message !== '' && traces.data !== undefined)}
      head={
        <PageHead
          title={t('page.traces')}
          fact={
            <>
              <span>{p('fact')}</span> <Stale resource={traces} />
            </>
          }
          actions={
            <Button onClick={traces.reload} hotkey="r">
              {p('refresh')}
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
              label={p('search')}
              placeholder={p('search')}
              value={typed}
              onInput={setTyped}
            />
            <Segments
              wide
              label={p('show')}
              value={show}
              onChange={(value) => query.set({ show: value, page: '1' }, { replace: true })}
              options={[
                { value: '', label: p('all') },
                {
                  value: 'wrong',
                  label: p('wrong'),
                  count: all.filter((trace) => wrongSteps(trace).length > 0).length,
                },
                { value: 'slow', label: p('slow') },
              ]}
            />
          </div>
          <Loaded resource={traces}>
            {() =>
              shown.length === 0 ? (
                all.length === 0 ? (
                  <EmptyState title={p('empty')}>{p('emptyText')}</EmptyState>
                ) : (
                  <EmptyState
                    title={p('noMatch')}
                    action={
                      <Button
                        onClick={() => {
                          setTyped('')
                          query.set({ filter: '', show: '', page: '1' })
                        }}
                      >
                        {t('list.clear')}
                      </Button>
                    }
                  />
                )
              ) : (
                <>
                  <PaneList
                    label={p('list')}
                    current={open && traceKey(open)}
                    onOpen={(key) => query.set({ message: key })}
                    rows={shown.map((trace) => {
                      const end = endOf(trace)
                      return {
                        id: traceKey(trace),
                        label: trace.text || '–',
                        end: took(trace.durationMs),
                        below: (
                          <span class="trace-below">
                            <span>
                              {whenShort(trace.startedAt, now, locale)} {trace.sender.name ?? trace.sender.id} ·{' '}
                              {trace.channel.name ?? trace.channel.id}
                            </span>
                            <span class={end.bad ? 'amber' : undefined}>{end.text}</span>
                          </span>
                        ),
                      }
                    })}
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
        <EmptyState title={message && traces.data ? p('gone') : p('choose')}>
          <KeysHint keys={keys} />
        </EmptyState>
      )}
    </Workbench>
  )
}
