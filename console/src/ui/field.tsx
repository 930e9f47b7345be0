import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.js'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'url' | 'search' | 'number' | 'color'
  readonly name?: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly mono?: boolean
  /** Shown at the end of the control. */
  readonly end?: ComponentChildren
  readonly inputRef?: { current: HTMLInputElement | null }
  /** The label is for screen readers only, as in a filter row. */
  readonly compact?: boolean
}

export function Field({
  label,
  value,
  onInput,
  type = 'text',
  name,
  hint,
  error,
  placeholder,
  autocomplete,
  required,
  mono,
  end,
  inputRef,
  compact,
}: FieldProps) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} class={compact ? 'sr' : undefined}>
        {label}
      </label>
      <div class="control">
        {type === 'search' ? <Icon name="search" /> : null}
        <input
          id={id}
          ref={inputRef ?? null}
          class={mono ? 'mono' : undefined}
          type={type as 'text'}
          name={name}
          value={value}
          placeholder={placeholder}
          required={required}
          autocomplete={autocomplete ?? 'off'}
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {type === 'search' && !value ? (
          <kbd class="slash" aria-hidden="true">
            /
          </kbd>
        ) : null}
        {end}
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

export interface SelectProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  /** The label is for screen readers only, as in a filter row. */
  readonly compact?: boolean
}

export function Select<T extends string>({ label, value, options, onChange, compact }: SelectProps<T>) {
  const id = useId()
  return (
    <div class={compact ? 'field compact' : 'field'}>
      <label for={id} class={compact ? 'sr' : undefined}>
        {label}
      </label>
      <div class="control">
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

export interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly disabled?: boolean
}

export function Switch({ label, on, onChange, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      disabled={disabled}
      onClick={() => onChange(!on)}
    >
      <i aria-hidden="true" />
      {label}
    </button>
  )
}
