import type { ComponentType } from 'preact'
import { SECRET_MASK } from '@mynah/contract/wire'
import { useId, useState } from 'preact/hooks'
import { Button, Icon } from '../../ui/index.js'
import {
  ChoiceControl,
  FlagControl,
  isReference,
  JsonControl,
  NumberControl,
  TextControl,
  type ControlProps,
  type FieldContext,
} from './controls.js'
import { Item, Remove } from './item.js'
import { brief, isRecord, type Json, type Path } from './model.js'
import { pathText } from './setting-path.js'
import { describe, emptyOf, itemsOf, kindOf, propertiesOf, resolve, valuesOf, type Kind } from './schema.js'
import { t } from './texts.js'

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
/** Returns a title for an item of a list, from its first short texts. */
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
        <Item
          key={index}
          open={wrong(context, [...path, index])}
          title={<span class="grow">{titleOf(item) || t('item', { count: index + 1 })}</span>}
          remove={{
            label: t('removeItem', { name: titleOf(item) || String(index + 1) }),
            off: context.readOnly,
            onClick: () => context.set([...path, index], undefined),
          }}
        >
          <GroupControl
            {...props}
            schema={resolve(itemsOf(schema), item)}
            value={item}
            path={[...path, index]}
            label={`${label} ${index + 1}`}
          />
        </Item>
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
        <Item
          key={key}
          open={wrong(context, [...path, key])}
          title={
            <>
              <code class="grow">{key}</code>
              <span class="muted">{isRecord(item) ? '' : brief(item)}</span>
            </>
          }
          remove={{
            label: t('removeItem', { name: key }),
            off: context.readOnly,
            onClick: () => context.set([...path, key], undefined),
          }}
        >
          <div class="nested">
            <Control {...props} schema={inner} value={item} path={[...path, key]} label={`${label} ${key}`} />
          </div>
        </Item>
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

/** Shows a field inside a group, with its name and description above the control. */
function Labelled({ name, schema, value, path, context }: LabelledProps) {
  const id = useId()
  const about = describe(schema)
  return (
    <div class={wrong(context, path) ? 'sub-field wrong' : 'sub-field'} data-setting={pathText(context.section, path)}>
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
