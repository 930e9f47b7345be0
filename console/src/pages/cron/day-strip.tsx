// The coming day as a strip with a scale of hours.
import { clock } from '../../kit/time-format.js'
import { joinList } from '../../kit/join-list.js'
import { currentLocale } from '../../lib/i18n.js'
import { Ticks } from '../../ui/index.js'
import { hours, type Day } from './model.js'
import { t } from './texts.js'

/** What the day brings, in a sentence. */
export function daySentence(day: Day, timeZone: string | undefined): string {
  if (!day.fullest) return t('dayNone')
  return day.fullest.count > 1
    ? t('dayFact', { runs: day.runs, time: clock(day.fullest.at, currentLocale(), timeZone), count: day.fullest.count })
    : t('dayFew', { runs: day.runs })
}

export function DayStrip({ day, timeZone }: { readonly day: Day; readonly timeZone: string | undefined }) {
  const onMove = (event: PointerEvent): void => {
    const element = event.currentTarget as HTMLElement
    const box = element.getBoundingClientRect()
    const index = Math.floor(((event.clientX - box.left) / box.width) * day.names.length)
    const names = day.names[index] ?? []
    element.title =
      names.length > 0 ? `${clock(day.from + index * 900_000, currentLocale(), timeZone)}: ${joinList(names)}` : ''
  }
  return (
    <div class="cron-day" onPointerMove={onMove}>
      <Ticks ticks={day.ticks} label={`${t('dayTicks')}: ${daySentence(day, timeZone)}`} />
      <p class="scale" aria-hidden="true">
        <span>{t('now')}</span>
        {hours(day.from, (time) => clock(time, currentLocale(), timeZone)).map(({ at, text, sixth }) => (
          <span key={at} class={sixth ? undefined : 'third'} style={{ left: `${at * 100}%` }}>
            {text}
          </span>
        ))}
      </p>
    </div>
  )
}
