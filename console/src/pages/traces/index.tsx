import type { Trace } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { joinList } from '../../kit/join-list.js'
import { useHostNames } from '../../kit/use-host-names.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { navigate, useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { shortName } from '../../lib/format.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Field, Notice, PageHead } from '../../ui/index.js'
import { KeysHint, Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { HostSelect } from '../../ui/parts/host-select.js'
import { Later } from '../../ui/parts/later.js'
import './page.css'
import { filterTraces, traceKey, problemSteps } from './model.js'
import { t } from './texts.js'
import { TraceView } from './trace-view.js'
import { type TracePage, type TraceQuery, TraceList } from './trace-list.js'

const PAGE_SIZE = 100

export function TracesPage() {
  const query: TraceQuery = useQuery({ message: '', filter: '', show: '', host: '', page: '1' })
  const { message, filter, show, host: hostName, page } = query.values
  const hosts = useHostNames()
  const [typed, setTyped] = useDebouncedInput(filter, (next) =>
    query.set({ filter: next, page: '1' }, { replace: true }),
  )
  const traces = useResource<Traces>(
    hostName === '' ? 'chat:traces' : `chat:traces ${hostName}`,
    (signal) => host().rpc('chat:traces', { limit: 1000, ...(hostName === '' ? {} : { host: hostName }) }, { signal }),
    'chat:traces',
  )
  const all = traces.data?.traces ?? []
  const found = filterTraces(all, { filter, show })
  const totalPages = Math.ceil(found.length / PAGE_SIZE)
  const at = Math.max(1, Math.min(parsePageNumber(page), totalPages))
  const shown = found.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
  const shownPage: TracePage = { traces: shown, page: at, totalPages, total: found.length }
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
      head={<TracesHead traces={traces} />}
      side={
        <>
          <TraceTools typed={typed} onType={setTyped} show={show} query={query} all={all} hosts={hosts} />
          <Unanswered hosts={traces.data?.unanswered} />
          <Loaded resource={traces}>
            {() => (
              <TraceList
                shown={shownPage}
                any={all.length > 0}
                query={query}
                open={open}
                now={now}
                onType={setTyped}
                hasHosts={hosts.length > 0}
              />
            )}
          </Loaded>
        </>
      }
    >
      {open ? (
        <Later>
          <TraceView key={traceKey(open)} trace={open} onBack={() => query.set({ message: '' })} />
        </Later>
      ) : (
        <EmptyState title={message && traces.data ? t('gone') : t('choose')}>
          <KeysHint keys={keys} />
        </EmptyState>
      )}
    </Workbench>
  )
}

interface Traces {
  readonly traces: readonly Trace[]
  readonly unanswered?: readonly string[]
}

/** Says whose traces are missing. */
const Unanswered = ({ hosts }: { readonly hosts: readonly string[] | undefined }) =>
  hosts === undefined ? null : (
    <Notice tone="warn" title={t('unanswered', { hosts: joinList(hosts) })}>
      {t('unansweredText')}
    </Notice>
  )

interface TracesHeadProps {
  readonly traces: Resource<Traces>
}

function TracesHead({ traces }: TracesHeadProps) {
  return (
    <PageHead
      title={t('page.traces')}
      fact={
        <>
          {traces.data ? <span>{t('fact', { count: traces.data.traces.length })}</span> : null}{' '}
          <Stale resource={traces} />
        </>
      }
      actions={
        <Button onClick={traces.reload} hotkey="r">
          {t('refresh')}
        </Button>
      }
    />
  )
}

interface TraceToolsProps {
  readonly typed: string
  readonly onType: (text: string) => void
  readonly show: string
  readonly query: TraceQuery
  readonly all: readonly Trace[]
  readonly hosts: readonly string[]
}

function TraceTools({ typed, onType, show, query, all, hosts }: TraceToolsProps) {
  return (
    <div class="side-tools">
      <Field compact type="search" label={t('search')} placeholder={t('search')} value={typed} onInput={onType} />
      <HostSelect
        hosts={hosts}
        value={query.values.host}
        onChange={(next) => query.set({ host: next, page: '1' }, { replace: true })}
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
