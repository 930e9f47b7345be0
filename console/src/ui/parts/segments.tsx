import { useId } from 'preact/hooks'
import { formatNumber } from '../../lib/i18n.js'

interface Segment<T extends string> {
  readonly value: T
  readonly label: string
  readonly count?: number | undefined
  readonly bad?: boolean
}

export interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly Segment<T>[]
  readonly onChange: (value: T) => void
  /** As wide as there is room. */
  readonly wide?: boolean
}

export function Segments<T extends string>({ label, value, options, onChange, wide }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset class={wide ? 'segments wide' : 'segments'}>
      <legend class="sr">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.bad && option.count ? 'bad' : undefined}>
          <input
            type="radio"
            class="sr"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.count === undefined ? null : <small>{formatNumber(option.count)}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
