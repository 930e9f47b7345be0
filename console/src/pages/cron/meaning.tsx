// What a task in the making means: its expression in words, its next five runs, the coming day with it.
import { clock, dayOf, weekday } from '../../kit/when.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { EmptyState } from '../../ui/index.js'
import { Section } from '../../ui/parts/index.js'
import { DayStrip } from './day-strip.js'
import { day, sharing } from './model.js'
import type { Preview } from './preview.js'
import { p } from './texts.js'
import type { MemoryRow, Task } from './wire.js'
import { useWords } from './words.js'

interface MeaningProps {
  readonly expression: string
  readonly preview: Preview
  readonly timezone: string
  readonly own: Task
  readonly others: readonly Task[]
  readonly memory: readonly MemoryRow[]
  readonly now: number
}

export function Meaning({
  expression,
  preview: { runs = [], error },
  timezone,
  own,
  others,
  memory,
  now,
}: MeaningProps) {
  const words = useWords()
  const locale = currentLocale()
  const zone = timezone.trim() && runs.length > 0 ? timezone.trim() : others.find((task) => task.timezone)?.timezone
  const [first] = runs
  const together = first === undefined ? [] : sharing(others, first)
  return (
    <div class="stack">
      <Section title={p('means')}>
        <p class="meaning" role="status">
          {words(expression) ?? p('fields')}
        </p>
      </Section>
      <Section title={p('nextFive')} fact={zone}>
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
          <EmptyState title={error ?? p('noPreview')} />
        )}
      </Section>
      <Section
        title={p('dayWith')}
        actions={
          <span class="legend muted">
            <i class="on" />
            {p('others')} <i class="own" />
            {p('thisOne')}
          </span>
        }
      >
        <DayStrip day={day([...others, own], memory, now)} timeZone={zone} />
        {first === undefined ? null : (
          <p class="muted">
            {together.length === 0
              ? p('alone', { time: clock(first, locale, zone) })
              : p('together', { count: together.length, time: clock(first, locale, zone) })}
          </p>
        )}
      </Section>
    </div>
  )
}
