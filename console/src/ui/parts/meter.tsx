export interface MeterProps {
  readonly value: number
  readonly max: number
  readonly faded?: boolean
}

export function Meter({ value, max, faded = false }: MeterProps) {
  return (
    <span class={faded ? 'meter faded' : 'meter'} aria-hidden="true">
      <i style={{ width: `${max > 0 ? Math.max(1, Math.min(100, (value / max) * 100)) : 0}%` }} />
    </span>
  )
}
