import type { Trace } from '@mynah/contract/types'
import { elapsed, moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { type Query } from '../../lib/router.js'
import { Button, EmptyState, Pager } from '../../ui/index.js'
import { PaneList, type PaneRow } from '../../ui/parts/index.js'
import { traceKey, problemSteps } from './model.js'
import { t } from './texts.js'
import { outcomeName, stageName } from './step-names.js'

export type TraceQuery = Query<{ message: string; filter: string; show: string; host: string; page: string }>

/** A page of the traces that the filters leave. */
export interface TracePage {
  readonly traces: readonly Trace[]
  readonly page: number
  readonly totalPages: number
  readonly total: number
}

interface TraceListProps {
  readonly shown: TracePage
  /** Whether the host has any trace. */
  readonly any: boolean
  readonly query: TraceQuery
  readonly open: Trace | undefined
  readonly now: number
  /** Whether the traces are of several hosts. */
  readonly hasHosts: boolean
  readonly onType: (text: string) => void
}

export function TraceList({ shown, any, query, open, now, hasHosts, onType }: TraceListProps) {
  const { traces, page, totalPages, total } = shown
  return traces.length === 0 ? (
    <NoTraces
      any={any}
      onClear={() => {
        onType('')
        query.set({ filter: '', show: '', host: '', page: '1' })
      }}
    />
  ) : (
    <>
      <PaneList
        label={t('list')}
        current={open && traceKey(open)}
        onOpen={(key) => query.set({ message: key })}
        rows={traces.map((trace) => traceRow(trace, now, hasHosts && query.values.host === ''))}
      />
      <Pager
        page={page}
        totalPages={totalPages}
        total={total}
        onPage={(next, options) => query.set({ page: String(next) }, options)}
      />
    </>
  )
}

function NoTraces({ any, onClear }: { readonly any: boolean; readonly onClear: () => void }) {
  if (!any) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return <EmptyState title={t('noMatch')} action={<Button onClick={onClear}>{t('list.clear')}</Button>} />
}

function traceRow(trace: Trace, now: number, hasHost: boolean): PaneRow {
  const end = endOf(trace)
  return {
    id: traceKey(trace),
    label: trace.text || '–',
    end: elapsed(trace.durationMs),
    below: (
      <span class="trace-below">
        <span>
          {moment(trace.startedAt, now, currentLocale())} {trace.sender.name ?? trace.sender.id} · {placeOf(trace)}
          {hasHost && trace.host ? ` · ${trace.host}` : ''}
        </span>
        <span class={end.bad ? 'amber' : undefined}>{end.text}</span>
      </span>
    ),
  }
}

/** Returns where a message was written. The id of a private chat is a number on many platforms, and says nothing. */
const placeOf = ({ channel, endpointId }: Trace): string =>
  channel.name ?? (channel.type === 'private' ? endpointId : channel.id)

/** Returns how the handling of a message ended. */
function endOf(trace: Trace): { readonly text: string; readonly bad: boolean } {
  const [wrong] = problemSteps(trace)
  if (wrong)
    return { text: t('end.wrong', { stage: stageName(wrong.stage), outcome: outcomeName(wrong.outcome) }), bad: true }
  if (trace.endedAt === undefined) return { text: t('running'), bad: false }
  if (trace.replies === 0) return { text: t('end.none'), bad: false }
  return { text: trace.replies === 1 ? t('end.reply') : t('end.replies', { count: trace.replies }), bad: false }
}
