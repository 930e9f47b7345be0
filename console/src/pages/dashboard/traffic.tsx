import type { Activity } from '@mynah/contract/types'
import { clock, elapsed, weekday } from '../../kit/time-format.js'
import { duration } from '../../lib/format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { Segments } from '../../ui/parts/segments.js'
import { Section } from '../../ui/parts/section.js'
import { t } from './lazy-texts.js'
import { trafficOf, type Traffic as TrafficFigures } from './traffic-figures.js'
import type { RangeName } from './use-sources.js'

const BAR = 8
const STEP = 10
const HEIGHT = 80

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const ranges = ['hour', 'day', 'week'] as const

export interface TrafficProps {
  /** Absent on hosts that do not count. */
  readonly activity: Activity | undefined
  /** Seconds since the start of the host, before which nothing is counted. */
  readonly uptime: number | undefined
  readonly range: RangeName
  readonly onRange: (range: RangeName) => void
}

/** Returns how long each bar is, in words. */
function barLength(step: number): string {
  const minutes = step / MINUTE_MS
  return minutes < 60 ? t('each', { minutes }) : t('eachHours', { hours: minutes / 60 })
}

export function Traffic({ activity, uptime, range, onRange }: TrafficProps) {
  if (!activity) return null
  const figures = trafficOf(activity)
  const length = figures.received.length * activity.step
  const isShort = uptime !== undefined && uptime * 1000 < length - activity.step
  return (
    <Section
      title={t('messages')}
      fact={
        <>
          {barLength(activity.step)} {isShort ? `· ${t('since', { time: duration(uptime, currentLocale()) })} ` : ''}
          <span class="legend in">{t('in')}</span> <span class="legend out">{t('out')}</span>
        </>
      }
      actions={
        <>
          <Segments
            label={t('range')}
            value={range}
            options={ranges.map((value) => ({ value, label: t(`range.${value}`) }))}
            onChange={onRange}
          />
          {pages().some(({ path }) => path === '/traces') ? <a href="/traces">{t('traces')}</a> : null}
        </>
      }
    >
      <Figures figures={figures} answers={activity.answers} />
      <Bars figures={figures} activity={activity} />
    </Section>
  )
}

interface FiguresProps {
  readonly figures: TrafficFigures
  readonly answers: Activity['answers']
}

function Figures({ figures: { total, failed }, answers: { count, medianMs } }: FiguresProps) {
  return (
    <dl class="figures">
      <div>
        <dt>{t('total')}</dt>
        <dd>{formatNumber(total)}</dd>
      </div>
      <div>
        <dt>{t('answered')}</dt>
        <dd>
          {formatNumber(count)}
          {total > 0 ? <small> {Math.round((count / total) * 100)} %</small> : null}
        </dd>
      </div>
      <div>
        <dt>{t('median')}</dt>
        <dd>{count === 0 ? '–' : elapsed(medianMs)}</dd>
      </div>
      <div class={failed > 0 ? 'bad' : undefined}>
        <dt>{t('notSent')}</dt>
        <dd class={failed > 0 ? 'bad' : 'quiet-zero'}>{formatNumber(failed)}</dd>
      </div>
    </dl>
  )
}

interface BarsProps {
  readonly figures: TrafficFigures
  readonly activity: Activity
}

function Bars({ figures: { received, sent, total, top }, activity: { from, step } }: BarsProps) {
  const locale = currentLocale()
  const length = received.length * step
  const bar = (value: number, index: number, below: number): string => {
    const height = (value / top) * HEIGHT
    return height > 0 ? `M${index * STEP} ${HEIGHT - (below / top) * HEIGHT - height}h${BAR}v${height}h-${BAR}z` : ''
  }
  const width = Math.max(1, received.length * STEP - (STEP - BAR))
  const mark = (time: number): string => (length > DAY_MS ? weekday(time, locale) : clock(time, locale))
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => from + part * length)
  return (
    <div class="bars">
      <div class="scale" aria-hidden="true">
        <span>{formatNumber(top)}</span>
        <span>{formatNumber(top / 2)}</span>
        <span>0</span>
      </div>
      <svg
        role="img"
        aria-label={t('chart', { received: total, sent: sent.reduce((sum, value) => sum + value, 0), top })}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path class="grid" d={`M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}`} />
        <path class="in" d={received.map((value, index) => bar(value, index, sent[index] ?? 0)).join('')} />
        <path class="out" d={sent.map((value, index) => bar(value, index, 0)).join('')} />
      </svg>
      <div class="times" aria-hidden="true">
        {marks.map((time) => (
          <span key={time}>{mark(time)}</span>
        ))}
      </div>
    </div>
  )
}
