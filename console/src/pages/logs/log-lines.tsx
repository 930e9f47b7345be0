import { currentLocale } from '../../lib/i18n.js'
import { VirtualList } from '../../ui/parts/virtual-list.js'
import type { LogRow } from './log-buffer.js'
import { LogLine } from './log-line.js'
import type { LogQuery } from './log-query.js'
import { NoLines } from './no-lines.js'
import { t } from './texts.js'
import type { Feed } from './use-feed.js'

const ROW = 28

interface LogLinesProps {
  readonly feed: Feed
  readonly query: LogQuery
  /** The rows of the feed that the levels and the time of the address leave. */
  readonly rows: LogRow[]
  /** Whether the lines are of several hosts. */
  readonly hasHosts: boolean
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  readonly onEdge: (atTop: boolean) => void
}

/** Shows the lines, or says why there are none. */
export function LogLines({ feed, query, rows, hasHosts, openId, onOpen, onEdge }: LogLinesProps) {
  const { filter, plugin, host } = query.values
  const locale = currentLocale()
  const hasList = !feed.failure || (feed.known && feed.failure.kind !== 'missing')
  return hasList && rows.length > 0 ? (
    <VirtualList
      label={t('list')}
      rows={rows}
      height={ROW}
      rowKey={(row) => row.entry.id}
      onEdge={onEdge}
      current={openId}
      onOpen={(row) => onOpen(row.entry.id)}
      rowClass={(row) => row.entry.level}
      row={(row) => (
        <LogLine row={row} locale={locale} plugin={plugin === ''} host={hasHosts && host === ''} needle={filter} />
      )}
    />
  ) : (
    <NoLines feed={feed} narrowed={filter !== '' || plugin !== '' || host !== ''} onReset={query.reset} />
  )
}
