import type { Trace } from '@mynah/contract/types'
import { copyText } from '../../kit/export-text.js'
import { clockSeconds, elapsed } from '../../kit/time-format.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { Button, Icon, Menu } from '../../ui/index.js'
import { groups, scaleMarks, stageTime, timedSteps, problemSteps, type TimedStep } from './model.js'
import { t } from './texts.js'

const stages = [
  'accept',
  'store',
  'middleware',
  'command',
  'ai',
  'model',
  'tool',
  'send',
  'dispatch',
  'context',
  'intake',
  'turn',
  'wait',
  'render',
  'speech',
  'handling',
] as const
const outcomes = [
  'none',
  'skipped',
  'passed',
  'matched',
  'failed',
  'sent',
  'unknown',
  'waits',
  'stored',
  'remembered',
  'unsaved',
  'dropped',
  'taken up',
  'found',
  'slow',
  'unmarked',
  'text',
  'drawn',
  'spoken',
  'handed over',
  'steers',
  'ended',
  'ran',
  'refused',
  'stop',
  'tool-calls',
] as const

/** Returns a stage in the person's language. */
export const stageName = (stage: string): string => {
  const known = stages.find((item) => item === stage)
  return known ? t(`stage.${known}`) : stage
}

/** Returns the outcome of a step in the current language, or as the host reports it. */
export const outcomeName = (outcome: string): string => {
  const known = outcomes.find((item) => item === outcome)
  return known ? t(`outcome.${known}`) : outcome
}

export function TraceView({ trace, onBack }: { readonly trace: Trace; readonly onBack: () => void }) {
  const locale = currentLocale()
  const place = trace.channel.name ?? trace.channel.id
  const wrong = problemSteps(trace)
  const total = Math.max(trace.durationMs, trace.steps.at(-1)?.ms ?? 0, 0.01)
  const steps = timedSteps(trace)
  const scale = scaleMarks(total)
  const parts = (['models', 'tools', 'sending'] as const)
    .map((name) => ({ name, ms: stageTime(trace, { models: 'model', tools: 'tool', sending: 'send' }[name]) }))
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
      <div
        class="trace-table"
        role="table"
        aria-label={t('list')}
        ref={(element) => element?.style.setProperty('--step', `${((scale[1] ?? total) / total) * 100}%`)}
      >
        <div class="trace-row head" role="row">
          <span role="columnheader">{t('at')}</span>
          <span role="columnheader">{t('what')}</span>
          <span role="columnheader">{t('outcome')}</span>
          <span role="columnheader" class="scale">
            <span class="sr">{t('took')}</span>
            {scale.map((mark) => (
              <i key={mark} style={{ left: `${(mark / total) * 100}%` }}>
                {mark === 0 ? '0' : elapsed(mark)}
              </i>
            ))}
          </span>
          <span role="columnheader">{t('took')}</span>
        </div>
        {groups
          .filter((group) => steps.has(group))
          .map((group) => (
            <div key={group} role="rowgroup">
              <p class="trace-group" role="row">
                <span role="cell">{t(`group.${group}`)}</span>
              </p>
              {steps.get(group)?.map((item) => (
                <StepRow key={item.key} item={item} total={total} />
              ))}
            </div>
          ))}
      </div>
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

function StepRow({ item, total }: { readonly item: TimedStep; readonly total: number }) {
  const { step, tone } = item
  const named = step.stage === 'model' || step.stage === 'tool' || step.stage === 'command' || step.stage === 'ai'
  const waited = Math.min(step.waitedMs ?? 0, item.duration)
  const counted = step.stage === 'middleware' && /^\d+$/.test(step.name)
  const plain = step.name === step.stage || (step.stage === 'store' && step.name === 'accept')
  const name = (
    <span>
      {counted ? t('middlewares', { count: step.name }) : stageName(step.stage)}
      {step.name && !counted && !plain ? <> {named ? <code>{step.name}</code> : step.name}</> : null}
    </span>
  )
  return (
    <div class={`trace-row ${tone}`} role="row">
      <span role="cell">{elapsed(item.from)}</span>
      <span role="cell" class="what">
        {name}
        {step.reason ? <small>{step.reason}</small> : null}
      </span>
      <span role="cell" class="outcome">
        {outcomeName(step.outcome)}
      </span>
      <StepBar waited={waited} tone={tone} item={item} total={total} />
      <span role="cell">{elapsed(item.duration)}</span>
    </div>
  )
}

interface StepBarProps {
  readonly waited: number
  readonly tone: 'wrong' | 'quiet' | 'plain'
  readonly item: TimedStep
  readonly total: number
}

function StepBar({ waited, tone, item, total }: StepBarProps) {
  return (
    <span role="cell" class="gantt" title={waited > 0 ? t('waited', { time: elapsed(waited) }) : undefined}>
      <i
        class={tone}
        style={{
          left: `${(item.from / total) * 100}%`,
          width: `max(2px, ${((item.duration - waited) / total) * 100}%)`,
        }}
      />
      {waited > 0 ? (
        <i
          class="waited"
          style={{
            left: `${((item.from + item.duration - waited) / total) * 100}%`,
            width: `${(waited / total) * 100}%`,
          }}
        />
      ) : null}
    </span>
  )
}
