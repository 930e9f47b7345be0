import { clock, dayOf, weekday } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { EmptyState } from '../../ui/index.js'
import { Section } from '../../ui/parts/index.js'
import { DayStrip } from './day-strip.js'
import { day, sharing } from './model.js'
import type { Preview } from './preview.js'
import { t } from './texts.js'
import type { MemoryRow, Task } from './wire.js'
import { useCronDescription } from './use-cron-description.js'

interface MeaningProps {
  readonly expression: string
  readonly preview: Preview
  readonly own: Task
  readonly others: readonly Task[]
  readonly memory: readonly MemoryRow[]
  readonly now: number
}

export function Meaning({
  expression,
  preview: { runs = [], error, timezone: zone },
  own,
  others,
  memory,
  now,
}: MeaningProps) {
  const words = useCronDescription()
  const locale = currentLocale()
  const [first] = runs
  const together = first === undefined ? [] : sharing(others, first)
  return (
    <div class="stack">
      <Section title={t('means')}>
        <p class="meaning" role="status">
          {words(expression) ?? t('fields')}
        </p>
      </Section>
      <Section title={t('nextFive')} fact={zone === undefined ? undefined : t('zone', { zone })}>
        {runs.length > 0 ? (
          <ol class="next-runs">
            {runs.slice(0, 5).map((time) => (
              <li key={time}>
                <span>
                  {weekday(time, locale, zone)} {dayOf(time, locale, zone)}
                </span>
                <span>{clock(time, locale, zone)}</span>
                <span class="muted">{ago(time, now, locale)}</span>
              </li>
            ))}
          </ol>
        ) : (
          <EmptyState title={error ?? t('noPreview')} />
        )}
      </Section>
      <Section
        title={t('dayWith')}
        actions={
          <span class="legend muted">
            <i class="on" />
            {t('others')} <i class="own" />
            {t('thisOne')}
          </span>
        }
      >
        <DayStrip day={day([...others, own], memory, now)} timeZone={zone} />
        {first === undefined ? null : (
          <p class="muted">
            {together.length === 0
              ? t('alone', { time: clock(first, locale, zone) })
              : t('together', { count: together.length, time: clock(first, locale, zone) })}
          </p>
        )}
      </Section>
    </div>
  )
}
