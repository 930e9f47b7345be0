import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface TextAreaProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly rows?: number
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly mono?: boolean
  readonly compact?: boolean
  /** Control or Command with Enter. */
  readonly onSubmit?: () => void
}

export function TextArea({
  label,
  value,
  onInput,
  rows = 4,
  hint,
  error,
  placeholder,
  mono,
  compact,
  onSubmit,
}: TextAreaProps) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} class={compact ? 'sr' : undefined}>
        {label}
      </label>
      <div class="control">
        <textarea
          id={id}
          class={mono ? 'mono' : undefined}
          rows={rows}
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!onSubmit || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            onSubmit()
          }}
        />
      </div>
      {error ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      ) : null}
    </div>
  )
}
