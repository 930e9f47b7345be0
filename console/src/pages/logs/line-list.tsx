import { type Locale } from '../../lib/i18n.js'
import { VirtualList } from '../../ui/parts/virtual-list.js'
import { LogLine } from './log-line.js'
import { NoLines } from './no-lines.js'
import { type Feed } from './use-feed.js'
import { type LogRow } from './log-buffer.js'
import { t } from './texts.js'
import { type LogQuery } from './log-query.js'

const ROW = 28

interface LineListProps {
  readonly hasList: boolean
  readonly shown: LogRow[]
  readonly onEdge: (atTop: boolean) => void
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  readonly locale: Locale
  readonly plugin: string
  readonly filter: string
  readonly feed: Feed
  readonly query: LogQuery
}

export function LineList({
  hasList,
  shown,
  onEdge,
  openId,
  onOpen,
  locale,
  plugin,
  filter,
  feed,
  query,
}: LineListProps) {
  return hasList && shown.length > 0 ? (
    <VirtualList
      label={t('list')}
      rows={shown}
      height={ROW}
      rowKey={(row) => row.entry.id}
      onEdge={onEdge}
      current={openId}
      onOpen={(row) => onOpen(row.entry.id)}
      rowClass={(row) => row.entry.level}
      row={(row) => <LogLine row={row} locale={locale} plugin={plugin === ''} needle={filter} />}
    />
  ) : (
    <NoLines feed={feed} narrowed={filter !== '' || plugin !== ''} onReset={query.reset} />
  )
}
