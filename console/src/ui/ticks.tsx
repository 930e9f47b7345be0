export type TickTone = 'on' | 'warn' | 'err' | 'ink' | 'off'

export interface Tick {
  /** Height from 0 to 1. */
  readonly value: number
  readonly tone?: TickTone
}

export interface TicksProps {
  readonly ticks: readonly Tick[]
  /** The meaning of the strip, in words. */
  readonly label: string
}

const STEP = 5
const BAR = 4
const HEIGHT = 24

const bars = (ticks: readonly Tick[], tone: TickTone): string =>
  ticks
    .map((tick, index) => {
      if ((tick.tone ?? 'on') !== tone) return ''
      const height = Math.max(2, Math.min(1, tick.value) * HEIGHT)
      return `M${index * STEP} ${HEIGHT - height}h${BAR}v${height}h-${BAR}z`
    })
    .join('')

export function Ticks({ ticks, label }: TicksProps) {
  return (
    <svg
      class="ticks"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, ticks.length * STEP - 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {(['off', 'on', 'warn', 'err', 'ink'] as const).map((tone) => {
        const path = bars(ticks, tone)
        return path === '' ? null : <path key={tone} class={tone} d={path} />
      })}
    </svg>
  )
}
