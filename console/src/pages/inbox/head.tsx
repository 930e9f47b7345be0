import { type Query } from '../../lib/router.js'
import { clock } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { PageHead, Select } from '../../ui/index.js'
import { Segments, Stale } from '../../ui/parts/index.js'
import { type Message, type Request, type Notice } from './model.js'
import { type Inbox } from './use-inbox.js'
import { t } from './texts.js'

type InboxQuery = Query<{ open: string; endpoint: string; show: string; tab: string }>

interface InboxHeadProps {
  readonly inbox: Inbox
  readonly query: InboxQuery
  readonly unread: number
  readonly waiting: readonly Request[]
}

export function InboxHead({ inbox, query, unread, waiting }: InboxHeadProps) {
  const { show, endpoint } = query.values
  const names = (inbox.endpoints ?? []).map((row) => row.name)
  const { failure } = inbox.resource
  return (
    <PageHead
      title={t('page.inbox')}
      fact={
        <>
          <span>{t('fact', { unread, requests: waiting.length })}</span>
          {failure && !inbox.known ? <CachedAt messages={inbox.messages} /> : null} <Stale resource={inbox.resource} />
        </>
      }
      actions={
        <>
          <Segments
            label={t('show')}
            value={show}
            onChange={(value) => query.set({ show: value })}
            options={[
              { value: '', label: t('all') },
              { value: 'unread', label: t('unread'), count: unread },
            ]}
          />
          <EndpointFilter
            names={names}
            value={endpoint}
            onChange={(value) => query.set({ endpoint: value, open: '' })}
          />
        </>
      }
    />
  )
}

interface ColumnTabsProps {
  readonly query: InboxQuery
  readonly unread: number
  readonly waiting: readonly Request[]
  readonly unreadNotices: readonly Notice[]
}

export function ColumnTabs({ query, unread, waiting, unreadNotices }: ColumnTabsProps) {
  return (
    <div class="inbox-tabs">
      <Segments
        wide
        label={t('column')}
        value={query.values.tab}
        onChange={(value) => query.set({ tab: value, open: '' })}
        options={[
          { value: 'messages', label: t('messages'), count: unread },
          { value: 'requests', label: t('requests'), count: waiting.length },
          { value: 'notices', label: t('notices'), count: unreadNotices.length },
        ]}
      />
    </div>
  )
}

interface EndpointFilterProps {
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (name: string) => void
}

function EndpointFilter({ names, value, onChange }: EndpointFilterProps) {
  if (names.length < 2 && !value) return null
  const offered = new Set([...names, ...(value ? [value] : [])])
  return (
    <Select
      compact
      label={t('endpoint')}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t('allEndpoints') }, ...[...offered].map((name) => ({ value: name, label: name }))]}
    />
  )
}

/** Says how old the newest cached message is. */
function CachedAt({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null
  const newest = Math.max(...messages.map((row) => row.timestamp))
  return <span class="bad">{t('asOf', { time: clock(newest, currentLocale()) })}</span>
}
