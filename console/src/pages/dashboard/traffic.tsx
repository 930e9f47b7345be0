// The messages of the hour: four figures, and a bar for each minute with its scale.
import type { Activity } from '@mynah/contract/types'
import { clock } from '../../kit/time-format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { Section } from '../../ui/parts/section.js'
import { trafficOf } from './model.js'
import { t } from './texts.js'

const BAR = 8
const STEP = 10
const HEIGHT = 80

export function Traffic({ activity }: { readonly activity: Activity }) {
  const { received, sent, failed, total, top } = trafficOf(activity)
  const { count, medianMs } = activity.answers
  const bar = (value: number, index: number, below: number): string => {
    const height = (value / top) * HEIGHT
    return height > 0 ? `M${index * STEP} ${HEIGHT - (below / top) * HEIGHT - height}h${BAR}v${height}h-${BAR}z` : ''
  }
  const width = Math.max(1, received.length * STEP - (STEP - BAR))
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => activity.from + part * received.length * activity.step)
  return (
    <Section
      title={t('messages')}
      fact={
        <>
          {t('lastHour')} <span class="legend in">{t('in')}</span> <span class="legend out">{t('out')}</span>
        </>
      }
      actions={pages().some(({ path }) => path === '/traces') ? <a href="/traces">{t('traces')}</a> : null}
    >
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
          <dd>
            {count === 0 ? (
              '–'
            ) : (
              <>
                {(medianMs / 1000).toFixed(1)}
                <small> s</small>
              </>
            )}
          </dd>
        </div>
        <div class={failed > 0 ? 'bad' : undefined}>
          <dt>{t('notSent')}</dt>
          <dd class={failed > 0 ? 'bad' : 'quiet-zero'}>{formatNumber(failed)}</dd>
        </div>
      </dl>
      <div class="bars">
        <div class="scale" aria-hidden="true">
          <span>{top}</span>
          <span>{top / 2}</span>
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
            <span key={time}>{clock(time, currentLocale())}</span>
          ))}
        </div>
      </div>
    </Section>
  )
}
