import type { EndpointInfo, MessageRow } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, FailureNotice } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Confirm, Section, State } from '../../ui/parts/index.js'
import { t } from './unsent-texts.js'

/** Messages of a page, and those of the newest page that are shown at first. */
const LIMIT = 50
const MOST_AT_FIRST = 5
const MOST_TEXT = 300

interface Unsent {
  readonly messages: readonly MessageRow[]
  readonly total: number
  readonly nextBefore?: string
  /** Key of the resource, because the page before stays until the next one comes. */
  readonly of: string
}

interface UnsentListProps {
  readonly endpoint: EndpointInfo
  readonly now: number
}

/** Loads the page of unsent messages that begins at `before`; nothing where the host does not list them. */
function useUnsent({ adapter, name }: EndpointInfo, before: string) {
  const { has } = useCatalogue()
  const isServed = has('endpoint:unsentMessages')
  const list = `endpoint:unsentMessages ${adapter} ${name}`
  const key = before ? `${list} ${before}` : list
  const resource = useResource<Unsent | undefined>(
    isServed ? key : 'absent endpoint:unsent',
    async (signal) => {
      if (!isServed) return undefined
      const params = { adapter, endpointId: name, limit: LIMIT, ...(before ? { before } : {}) }
      return { ...(await host().rpc('endpoint:unsentMessages', params, { signal })), of: key }
    },
    'endpoint:unsentMessages',
  )
  return { ...resource, hasCome: resource.data?.of === key }
}

/** The messages of an endpoint that did not arrive, each with its reason and a way to send it again. */
export function UnsentList({ endpoint, now }: UnsentListProps) {
  const query = useQuery({ unsent: '' })
  const before = query.values.unsent
  const [unfolded, setUnfolded] = useState(false)
  const { data, failure, reload, hasCome } = useUnsent(endpoint, before)
  const isEmptied = before !== '' && hasCome && data?.messages.length === 0
  useEffect(() => {
    // All messages of the last page were sent again.
    if (isEmptied) query.set({ unsent: '' }, { replace: true })
  }, [isEmptied])
  if (failure && !data) return <FailureNotice failure={failure} onRetry={reload} />
  if (!data || data.total === 0) return null
  const { messages, total } = data
  const whole = unfolded || before !== ''
  const toPage = (next: string): void => {
    setUnfolded(true)
    query.set({ unsent: next })
  }
  return (
    <Section title={t('title')} fact={t('fact', { count: total })}>
      <ul class="unsent">
        {(whole ? messages : messages.slice(0, MOST_AT_FIRST)).map((message) => (
          <Item key={message.id} endpoint={endpoint} message={message} now={now} onSent={reload} />
        ))}
      </ul>
      {whole ? (
        <CursorPager before={before} next={hasCome ? data.nextBefore : undefined} onBefore={toPage} />
      ) : (
        <MoreButton count={messages.length - MOST_AT_FIRST} onMore={() => setUnfolded(true)} />
      )}
    </Section>
  )
}

function MoreButton({ count, onMore }: { readonly count: number; readonly onMore: () => void }) {
  if (count <= 0) return null
  return (
    <button type="button" class="linkish" onClick={onMore}>
      {t('more', { count })}
    </button>
  )
}

interface ItemProps extends UnsentListProps {
  readonly message: MessageRow
  readonly onSent: () => void
}

function Item({ endpoint, message, now, onSent }: ItemProps) {
  const [asking, setAsking] = useState(false)
  const { id, channel, text, state, error, timestamp } = message
  const mayHaveArrived = state === 'unknown'
  const target = channel.name ?? channel.id
  const action = useAction(async () => {
    try {
      const { messageId } = await host().rpc('endpoint:resendMessage', {
        adapter: endpoint.adapter,
        endpointId: endpoint.name,
        id,
        mayHaveArrived,
      })
      toast(t(messageId === '' ? 'waits' : 'sent', { target }), 'ok')
    } finally {
      // Where it failed again, another row has the new reason.
      setAsking(false)
      onSent()
    }
  })
  const isOffline = endpoint.status !== 'online'
  return (
    <li>
      <time class="muted" dateTime={new Date(timestamp).toISOString()}>
        {moment(timestamp, now, currentLocale())}
      </time>
      <div>
        <p class="row">
          <b>{target}</b>
          <State tone={mayHaveArrived ? 'wait' : 'wrong'}>{t(mayHaveArrived ? 'unknown' : 'failed')}</State>
        </p>
        <p class="text break">{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text || t('noText')}</p>
        {error ? <p class="bad break">{error}</p> : null}
      </div>
      <Button
        busy={action.busy}
        label={t('againTo', { target })}
        {...(isOffline ? { disabled: true, title: t('offline') } : action.blocked)}
        onClick={() => (mayHaveArrived ? setAsking(true) : action.run())}
      >
        {t('again')}
      </Button>
      {asking ? (
        <Confirm
          title={t('ask')}
          action={t('again')}
          busy={action.busy}
          onClose={() => setAsking(false)}
          onConfirm={() => action.run()}
        >
          <p>{t('askText', { target })}</p>
        </Confirm>
      ) : null}
    </li>
  )
}
