// Form controls, one for each kind of value, nested as deep as the schema.
import type { ComponentType } from 'preact'
import { SECRET_MASK } from '@mynah/contract/wire'
import { useId, useState } from 'preact/hooks'
import { Button, Icon } from '../../ui/index.js'
import { brief, isRecord, variablesOf, type Json, type Path } from './model.js'
import {
  choicesOf,
  describe,
  emptyOf,
  isSecret,
  itemsOf,
  kindOf,
  propertiesOf,
  resolve,
  valuesOf,
  type Kind,
} from './schema.js'
import { t } from './texts.js'
import type { Problem } from './yaml-tools.js'

export interface FieldContext {
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

/** A value that is only a reference to the environment is text whatever the schema says. */
const isReference = (value: unknown): boolean => variablesOf(value).length > 0

const CONTROLS: Readonly<Record<Kind, ComponentType<ControlProps>>> = {
  flag: FlagControl,
  choice: ChoiceControl,
  number: NumberControl,
  text: TextControl,
  texts: TextsControl,
  list: ListControl,
  record: RecordControl,
  group: GroupControl,
  json: JsonControl,
}

export function Control(props: ControlProps) {
  const schema = resolve(props.schema, props.value)
  const { value } = props
  if (isReference(value)) return <TextControl {...props} schema={schema} />
  const kind = kindOf(schema)
  // Show values of the wrong type as raw text and mark them invalid.
  if ((kind === 'texts' || kind === 'list') && value !== undefined && !Array.isArray(value))
    return <TextControl {...props} schema={schema} />
  if ((kind === 'group' || kind === 'record') && value !== undefined && !isRecord(value))
    return <JsonControl {...props} schema={schema} />
  const KindControl = CONTROLS[kind]
  return <KindControl {...props} schema={schema} />
}

function NumberControl(props: ControlProps) {
  return <TextControl {...props} numeric />
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns a number for digits, else the text as typed, which is then reported as invalid. */
function parseInput(text: string, numeric: boolean): unknown {
  if (text === '') return undefined
  return numeric && /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

function TextControl({
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
          // An emptied secret is taken out only by its button, so that a slip does not lose it.
          context.set(path, text === '' && inList ? '' : parseInput(text, numeric))
        }}
        onBlur={() => setDraft(undefined)}
      />
      {isReference(value) ? <span class="env-tag">{t('fromEnv')}</span> : null}
    </div>
  )
}

function FlagControl({ context, schema, value, path, label, describedBy }: ControlProps) {
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

function ChoiceControl({ context, schema, value, path, label, describedBy, invalid }: ControlProps) {
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

const wrong = (context: FieldContext, path: Path): boolean =>
  context.problems.some(
    (problem) =>
      problem.path.length >= path.length && path.every((part, index) => String(part) === String(problem.path[index])),
  )

function TextsControl(props: ControlProps) {
  const { context, schema, value, path, label } = props
  const list = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <div class="text-list">
      {list.map((item, index) => (
        <div key={index} class="text-row">
          <Control
            {...props}
            schema={itemsOf(schema)}
            value={item}
            path={[...path, index]}
            label={`${label} ${t('item', { count: index + 1 })}`}
            invalid={wrong(context, [...path, index])}
          />
          <Remove
            label={t('removeItem', { name: brief(item) || String(index + 1) })}
            off={context.readOnly}
            onClick={() => context.set([...path, index], undefined)}
          />
        </div>
      ))}
      <Add
        label={t('add')}
        name={label}
        off={context.readOnly}
        onClick={() => context.set([...path, list.length], '')}
      />
    </div>
  )
}

const Add = ({
  label,
  name,
  off,
  onClick,
}: {
  readonly label: string
  readonly name: string
  readonly off: boolean
  readonly onClick: () => void
}) => (
  <button type="button" class="add-row" disabled={off} onClick={onClick}>
    <Icon name="plus" />
    {label}
    <span class="sr"> {name}</span>
  </button>
)
const Remove = ({
  label,
  off,
  onClick,
}: {
  readonly label: string
  readonly off: boolean
  readonly onClick: () => void
}) => (
  <button type="button" class="icon-button" disabled={off} aria-label={label} title={label} onClick={onClick}>
    <Icon name="close" />
  </button>
)

/** What names an item of a list: its first short texts. */
function titleOf(item: unknown): string {
  if (!isRecord(item)) return brief(item)
  const told = ['name', 'id', 'adapter', 'alias']
    .map((key) => item[key])
    .filter((text): text is string => typeof text === 'string' && text !== '' && text !== SECRET_MASK)
  return (
    told.slice(0, 2).join(' · ') ||
    Object.values(item)
      .filter((text): text is string => typeof text === 'string' && text !== SECRET_MASK)
      .slice(0, 2)
      .join(' · ')
  )
}

function ListControl(props: ControlProps) {
  const { context, schema, value, path, label } = props
  const list = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <div class="item-list">
      {list.map((item, index) => (
        <details key={index} open={wrong(context, [...path, index])}>
          <summary>
            <span class="grow">{titleOf(item) || t('item', { count: index + 1 })}</span>
            <Remove
              label={t('removeItem', { name: titleOf(item) || String(index + 1) })}
              off={context.readOnly}
              onClick={() => context.set([...path, index], undefined)}
            />
          </summary>
          <GroupControl
            {...props}
            schema={resolve(itemsOf(schema), item)}
            value={item}
            path={[...path, index]}
            label={`${label} ${index + 1}`}
          />
        </details>
      ))}
      <Add
        label={t('add')}
        name={label}
        off={context.readOnly}
        onClick={() => context.set([...path, list.length], emptyOf(itemsOf(schema)))}
      />
    </div>
  )
}

function RecordControl(props: ControlProps) {
  const { context, schema, value, path, label } = props
  const record = isRecord(value) ? value : {}
  const inner = valuesOf(schema) ?? {}
  return (
    <div class="item-list">
      {Object.entries(record).map(([key, item]) => (
        <details key={key} open={wrong(context, [...path, key])}>
          <summary>
            <code class="grow">{key}</code>
            <span class="muted">{isRecord(item) ? '' : brief(item)}</span>
            <Remove
              label={t('removeItem', { name: key })}
              off={context.readOnly}
              onClick={() => context.set([...path, key], undefined)}
            />
          </summary>
          <div class="nested">
            <Control {...props} schema={inner} value={item} path={[...path, key]} label={`${label} ${key}`} />
          </div>
        </details>
      ))}
      <AddKey
        label={label}
        readOnly={context.readOnly}
        taken={(key) => Object.hasOwn(record, key)}
        onAdd={(key) => context.set([...path, key], emptyOf(resolve(inner, undefined)))}
      />
    </div>
  )
}

interface AddKeyProps {
  readonly label: string
  readonly readOnly: boolean
  readonly taken: (key: string) => boolean
  readonly onAdd: (key: string) => void
}

/** Adds a key to a record. Empty and existing keys are ignored. */
function AddKey({ label, readOnly, taken, onAdd }: AddKeyProps) {
  const [name, setName] = useState('')
  const key = name.trim()
  const add = (): void => {
    if (!key || taken(key)) return
    onAdd(key)
    setName('')
  }
  return (
    <div class="text-row">
      <div class="control">
        <input
          class="mono"
          aria-label={`${label}: ${t('keyName')}`}
          placeholder={t('keyName')}
          value={name}
          readOnly={readOnly}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              add()
            }
          }}
        />
      </div>
      <Button kind="quiet" disabled={!key || readOnly} onClick={add}>
        {t('add')}
      </Button>
    </div>
  )
}

function GroupControl({ context, schema, value, path, label }: ControlProps) {
  const record = isRecord(value) ? value : {}
  const declared = propertiesOf(schema)
  const names = new Set(declared.map(([name]) => name))
  const others = Object.entries(record).filter(([name]) => !names.has(name))
  return (
    <div class="nested" role="group" aria-label={label}>
      {declared.map(([name, inner]) => (
        <Labelled key={name} name={name} schema={inner} value={record[name]} path={[...path, name]} context={context} />
      ))}
      {others.map(([name, item]) => (
        <Labelled key={name} name={name} schema={{}} value={item} path={[...path, name]} context={context} />
      ))}
    </div>
  )
}

interface LabelledProps {
  readonly name: string
  readonly schema: Json
  readonly value: unknown
  readonly path: Path
  readonly context: FieldContext
}

/** A field inside a group: its name and meaning above the control. */
function Labelled({ name, schema, value, path, context }: LabelledProps) {
  const id = useId()
  const about = describe(schema)
  return (
    <div class={wrong(context, path) ? 'sub-field wrong' : 'sub-field'}>
      <p>
        <code>{name}</code>
        {about ? (
          <span class="muted" id={id}>
            {' '}
            {about}
          </span>
        ) : null}
      </p>
      <Control
        context={context}
        schema={schema}
        value={value}
        path={path}
        label={name}
        describedBy={about ? id : undefined}
        invalid={wrong(context, path)}
      />
    </div>
  )
}

/** What a form has no control for, as JSON; what cannot be read stays in the field until it can. */
function JsonControl({ context, value, path, label, describedBy }: ControlProps) {
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
