import { clock } from '../../kit/time-format.js'
import { currentLocale, formatNumber } from '../../lib/i18n.js'
import type { Minute } from './use-volume.js'
import { t } from './texts.js'

const HEIGHT = 32
const STEP = 10

export function Volume({
  minutes,
  chosen,
  onChoose,
}: {
  readonly minutes: readonly Minute[]
  readonly chosen: number | undefined
  readonly onChoose: (at: number | undefined) => void
}) {
  const locale = currentLocale()
  const most = Math.max(1, ...minutes.map((minute) => minute.count))
  const index = minutes.findIndex((minute) => minute.at === chosen)
  const current = minutes[index]
  const bar = (count: number, position: number): string => {
    const height = Math.max(2, (count / most) * HEIGHT)
    return count === 0 ? '' : `M${position * STEP + 1} ${HEIGHT}v-${height}h${STEP - 2}v${height}z`
  }
  const text = current
    ? t('volumeAt', { time: clock(current.at, locale), count: current.count, errors: current.errors })
    : t('volumeAll')
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowRight: index < 0 ? minutes.length - 1 : index + 1,
      ArrowLeft: index < 0 ? minutes.length - 1 : index - 1,
      Home: 0,
      End: minutes.length - 1,
    }[event.key]
    if (event.key === 'Escape' && current) onChoose(undefined)
    else if (to === undefined) return
    else onChoose(minutes[Math.max(0, Math.min(minutes.length - 1, to))]?.at)
    event.preventDefault()
  }
  const onClick = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const minute = minutes[Math.floor(((event.clientX - box.left) / box.width) * minutes.length)]
    onChoose(minute?.at === chosen ? undefined : minute?.at)
  }
  return (
    <div class="volume">
      <span class="axis" aria-hidden="true">
        <i>{formatNumber(most)}</i>
        <i>0</i>
      </span>
      <div class="plot">
        <div
          class="bars"
          role="slider"
          tabIndex={0}
          aria-label={t('volume')}
          aria-valuemin={0}
          aria-valuemax={minutes.length - 1}
          aria-valuenow={index < 0 ? minutes.length - 1 : index}
          aria-valuetext={text}
          title={text}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <svg viewBox={`0 0 ${minutes.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {current ? <rect class="chosen" x={index * STEP} width={STEP} height={HEIGHT} /> : null}
            <path class="on" d={minutes.map((minute, position) => bar(minute.count, position)).join('')} />
            {minutes.some(({ errors }) => errors > 0) ? (
              <path class="err" d={minutes.map((minute, position) => bar(minute.errors, position)).join('')} />
            ) : null}
          </svg>
        </div>
        <p class="scale" aria-hidden="true">
          {[0, 15, 30, 45, 59].map((at) => (
            <span key={at}>{minutes[at] ? clock(minutes[at].at, locale) : ''}</span>
          ))}
        </p>
      </div>
    </div>
  )
}
