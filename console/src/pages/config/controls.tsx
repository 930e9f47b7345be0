import { SECRET_MASK } from '@mynah/contract/wire'
import { useState } from 'preact/hooks'
import { brief, variablesOf, type Json, type Path } from './model.js'
import { choicesOf, isSecret } from './schema.js'
import { t } from './texts.js'
import type { Problem } from './yaml-tools.js'

export interface FieldContext {
  /** The key of the section whose values these are. */
  readonly section: string
  readonly valueAt: (path: Path) => unknown
  readonly problems: readonly Problem[]
  readonly set: (path: Path, value: unknown) => void
  readonly readOnly: boolean
}

export interface ControlProps {
  readonly context: FieldContext
  readonly schema: Json
  readonly value: unknown
  readonly path: Path
  readonly label: string
  readonly describedBy?: string | undefined
  readonly invalid?: boolean
}

/** Returns whether a value refers to the environment. It is edited as text, whatever its schema. */
export const isReference = (value: unknown): boolean => variablesOf(value).length > 0

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns a number for digits, else the text as typed, which is then reported as invalid. */
function parseInput(text: string, numeric: boolean): unknown {
  if (text === '') return undefined
  return numeric && /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

export function TextControl({
  context,
  schema,
  value,
  path,
  label,
  describedBy,
  invalid,
  numeric = false,
}: ControlProps & { readonly numeric?: boolean }) {
  const secret = isSecret(schema) && !isReference(value)
  const masked = value === SECRET_MASK
  const shown = value === undefined || masked ? '' : textOf(value)
  const [draft, setDraft] = useState<string>()
  const fallback = schema['default']
  const inList = typeof path.at(-1) === 'number'
  return (
    <div class={numeric ? 'control narrow' : 'control'}>
      <input
        class="mono"
        type={(secret ? 'password' : 'text') as 'text'}
        inputMode={numeric ? 'decimal' : undefined}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid ? 'true' : undefined}
        autocomplete="off"
        spellcheck={false}
        readOnly={context.readOnly}
        placeholder={masked ? '••••••••' : brief(fallback)}
        value={draft ?? shown}
        onInput={(event) => {
          const text = event.currentTarget.value
          setDraft(numeric && /^-?\d*\.?\d*$/.test(text) && text !== '' ? text : undefined)
          // Only its button removes an emptied secret, so that a slip does not lose it.
          context.set(path, text === '' && inList ? '' : parseInput(text, numeric))
        }}
        onBlur={() => setDraft(undefined)}
      />
      {isReference(value) ? <span class="env-tag">{t('fromEnv')}</span> : null}
    </div>
  )
}

export function NumberControl(props: ControlProps) {
  return <TextControl {...props} numeric />
}

export function FlagControl({ context, schema, value, path, label, describedBy }: ControlProps) {
  const on = value === undefined ? schema['default'] === true : value === true
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={context.readOnly}
      onClick={() => context.set(path, !on)}
    >
      <i aria-hidden="true" />
      {t(on ? 'yes' : 'no')}
    </button>
  )
}

export function ChoiceControl({ context, schema, value, path, label, describedBy, invalid }: ControlProps) {
  const choices = choicesOf(schema) ?? []
  const fallback = schema['default']
  const index = choices.findIndex((choice) => choice === value)
  return (
    <div class="control medium">
      <select
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid ? 'true' : undefined}
        disabled={context.readOnly}
        value={String(index)}
        onChange={(event) => context.set(path, choices[Number(event.currentTarget.value)])}
      >
        {index < 0 ? (
          <option value="-1">{value === undefined && fallback === undefined ? '–' : brief(value ?? fallback)}</option>
        ) : null}
        {choices.map((choice, at) => (
          <option key={at} value={String(at)}>
            {brief(choice)}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Edits values without a control of their own as JSON. Invalid text stays in the field. */
export function JsonControl({ context, value, path, label, describedBy }: ControlProps) {
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const input = (next: string): void => {
    setText(next)
    if (next.trim() === '') {
      setProblem(undefined)
      return context.set(path, undefined)
    }
    try {
      context.set(path, JSON.parse(next) as unknown)
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      setProblem(t('jsonBad', { error: error.message }))
    }
  }
  return (
    <>
      <div class="control">
        <textarea
          class="mono"
          rows={4}
          aria-label={`${label}, ${t('jsonHint')}`}
          aria-describedby={describedBy}
          aria-invalid={problem ? 'true' : undefined}
          readOnly={context.readOnly}
          spellcheck={false}
          value={text ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
          onInput={(event) => input(event.currentTarget.value)}
          onBlur={() => {
            if (!problem) setText(undefined)
          }}
        />
      </div>
      {problem ? <p class="error bad">{problem}</p> : null}
    </>
  )
}
