import type { EndpointInfo, MessageRow } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { clockOrDay } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, FailureNotice } from '../../ui/index.js'
import { Confirm, Section, State } from '../../ui/parts/index.js'
import { t } from './unsent-texts.js'

/** Messages that are loaded, and those that are shown at first. */
const LIMIT = 50
const MOST_AT_FIRST = 5
const MOST_TEXT = 300

interface Unsent {
  readonly messages: readonly MessageRow[]
  readonly total: number
}

interface UnsentListProps {
  readonly endpoint: EndpointInfo
  readonly now: number
}

/** The messages of an endpoint that did not arrive, each with its reason and a way to send it again. */
export function UnsentList({ endpoint, now }: UnsentListProps) {
  const { has } = useCatalogue()
  const [whole, setWhole] = useState(false)
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
  const isServed = has('endpoint:unsentMessages')
  const unsent = useResource<Unsent | undefined>(
    isServed ? `endpoint:unsentMessages ${endpoint.adapter} ${endpoint.name}` : 'absent endpoint:unsent',
    (signal) =>
      isServed
        ? host().rpc('endpoint:unsentMessages', { ...at, limit: LIMIT }, { signal })
        : Promise.resolve(undefined),
    'endpoint:unsentMessages',
  )
  const { data, failure, reload } = unsent
  if (failure && !data) return <FailureNotice failure={failure} onRetry={reload} />
  if (!data || data.total === 0) return null
  return (
    <Section title={t('title')} fact={t('fact', { count: data.total })}>
      <ul class="unsent">
        {(whole ? data.messages : data.messages.slice(0, MOST_AT_FIRST)).map((message) => (
          <Item key={message.id} endpoint={endpoint} message={message} now={now} onSent={reload} />
        ))}
      </ul>
      {!whole && data.messages.length > MOST_AT_FIRST ? (
        <button type="button" class="linkish" onClick={() => setWhole(true)}>
          {t('more', { count: data.messages.length - MOST_AT_FIRST })}
        </button>
      ) : null}
    </Section>
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
        {clockOrDay(timestamp, now, currentLocale())}
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
