import type { Trace } from '@mynah/contract/types'
import { useMemo } from 'preact/hooks'
import { copyText } from '../../kit/export-text.js'
import { clockSeconds, elapsed } from '../../kit/time-format.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { Button, Icon, Menu } from '../../ui/index.js'
import { problemSteps, stageTime, stepTree } from './model.js'
import { t } from './texts.js'
import { TraceTree } from './trace-tree.js'

export function TraceView({ trace, onBack }: { readonly trace: Trace; readonly onBack: () => void }) {
  const locale = currentLocale()
  const place = trace.channel.name ?? trace.channel.id
  const wrong = problemSteps(trace)
  const total = Math.max(trace.durationMs, ...trace.steps.map(({ ms }) => ms), 0.01)
  const tree = useMemo(() => stepTree(trace), [trace])
  const parts = (['models', 'tools', 'sending'] as const)
    .map((name) => ({ name, ms: stageTime(tree, { models: 'model', tools: 'tool', sending: 'send' }[name]) }))
    .filter((part) => part.ms > 0)
  const copy = (): void => copyText(JSON.stringify(trace, null, 2))
  const key = [trace.adapter, trace.endpointId, trace.channel.type, trace.channel.parent?.id ?? '', trace.channel.id]
    .map(encodeURIComponent)
    .join('/')
  return (
    <article class="trace">
      <TraceHead onBack={onBack} trace={trace} place={place} locale={locale} channelKey={key} onCopy={copy} />
      <p class="said">{trace.text || '–'}</p>
      <p class="trace-sum">
        <span class={wrong.length > 0 ? 'amber' : 'muted'}>
          {wrong.length > 0 ? t('wrong.n', { count: wrong.length }) : t('fine')}
        </span>
        <b>{t('answered', { time: elapsed(trace.durationMs) })}</b>
        {parts.map((part) => (
          <span key={part.name} class="muted">
            {t(part.name, { time: elapsed(part.ms) })}
          </span>
        ))}
        <span class="muted">{t('replies', { count: trace.replies })}</span>
      </p>
      <TraceTree tree={tree} total={total} />
    </article>
  )
}

interface TraceHeadProps {
  readonly onBack: () => void
  readonly trace: Trace
  readonly place: string
  readonly locale: Locale
  readonly channelKey: string
  readonly onCopy: () => void
}

function TraceHead({ onBack, trace, place, locale, channelKey, onCopy }: TraceHeadProps) {
  return (
    <header class="row">
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <h2 class="grow">
        <b>{trace.sender.name ?? trace.sender.id}</b>{' '}
        <span class="muted">
          {t('in', { place, endpoint: trace.endpointId, time: clockSeconds(trace.startedAt, locale) })}
          {trace.host ? ` ${t('onHost', { host: trace.host })}` : ''}
        </span>
      </h2>
      <Button href={`/inbox?open=${encodeURIComponent(channelKey)}`}>{t('conversation')}</Button>
      <Menu
        label={t('more')}
        items={[
          { label: t('log'), onSelect: () => navigate(`/logs?filter=${encodeURIComponent(trace.messageId)}`) },
          { label: t('copyJson'), onSelect: onCopy },
        ]}
      >
        <Icon name="more" />
      </Menu>
    </header>
  )
}
