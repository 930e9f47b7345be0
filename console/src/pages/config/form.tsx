import { SECRET_MASK } from '@mynah/contract/wire'
import { useId } from 'preact/hooks'
import { Button, EmptyState } from '../../ui/index.js'
import { joinList } from '../../kit/join-list.js'
import type { FieldContext } from './controls.js'
import { Control } from './fields.js'
import { brief, equal, isRecord, variablesOf, type Json, type Section } from './model.js'
import { problemsBelow, describeProblem } from './problems.js'
import { describe, isSecret, kindOf, needsRestart, propertiesOf, resolve } from './schema.js'
import { t } from './texts.js'
import type { Problem } from './yaml-tools.js'

interface FormProps {
  readonly section: Section
  /** All sections. A nested section is not repeated in its parent. */
  readonly sections: readonly Section[]
  readonly value: unknown
  readonly before: unknown
  readonly problems: readonly Problem[]
  readonly context: FieldContext
  readonly onYaml: () => void
}

export function SectionForm({ section, sections, value, before, problems, context, onYaml }: FormProps) {
  const schema = section.schema && resolve(section.schema, value)
  const about = schema ? describe(schema) : ''
  const first = problems[0]
  const elsewhere = (name: string): boolean =>
    sections.some(({ key }) => `${key}.`.startsWith(`${section.key}.${name}.`))
  const jump = (): void =>
    document.querySelector<HTMLElement>('.config-field.wrong :is(input, select, textarea, button)')?.focus()
  return (
    <div class="inner config-form">
      <header class="config-head">
        <h2>
          <code>{section.key}</code>
        </h2>
        <span class="muted grow">
          {about}
          {about ? '. ' : ''}
          {section.plugin ? (
            <>
              {' '}
              {t('plugin')} <a href={`/plugins/${encodeURIComponent(section.plugin)}`}>{section.plugin}</a>
            </>
          ) : null}
        </span>
        {first ? (
          <button type="button" class="linkish bad" title="F8" onClick={jump}>
            {t('problems', { count: problems.length, first: String(first.path[0] ?? section.key) })}
          </button>
        ) : null}
      </header>
      {schema ? (
        <Fields
          schema={schema}
          value={value}
          before={before}
          problems={problems}
          context={context}
          elsewhere={elsewhere}
        />
      ) : (
        <EmptyState title={t('noSchema')} action={<Button onClick={onYaml}>{t('openYaml')}</Button>} />
      )}
    </div>
  )
}

interface FieldsProps {
  readonly schema: Json
  readonly value: unknown
  readonly before: unknown
  readonly problems: readonly Problem[]
  readonly context: FieldContext
}

function Fields({
  schema,
  value,
  before,
  problems,
  context,
  elsewhere,
}: FieldsProps & { readonly elsewhere: (name: string) => boolean }) {
  if (kindOf(schema) !== 'group')
    return <Row name="" schema={schema} value={value} before={before} problems={problems} context={context} />
  const declared = propertiesOf(schema)
  const names = new Set(declared.map(([name]) => name))
  const record = isRecord(value) ? value : {}
  const former = isRecord(before) ? before : {}
  const others = [...new Set([...Object.keys(record), ...Object.keys(former)])].filter(
    (name) => !names.has(name) && !elsewhere(name),
  )
  return (
    <>
      {declared.map(([name, inner]) => (
        <Row
          key={name}
          name={name}
          schema={inner}
          value={record[name]}
          before={former[name]}
          problems={problemsBelow(problems, [name])}
          context={context}
        />
      ))}
      {others.map((name) => (
        <Row
          key={name}
          name={name}
          schema={{}}
          value={record[name]}
          before={former[name]}
          problems={problemsBelow(problems, [name])}
          context={context}
        />
      ))}
    </>
  )
}

export interface RowProps extends FieldsProps {
  readonly name: string
  /** Whether it says what applies without a value and what the value was; default true. */
  readonly hints?: boolean
}

export function Row({ name, schema, value, before, problems, context, hints = true }: RowProps) {
  const id = useId()
  const changed = !equal(value, before)
  const path = name === '' ? [] : [name]
  return (
    <div class={`config-field${changed ? ' changed' : ''}${problems.length > 0 ? ' wrong' : ''}`}>
      <div class="config-label">
        <p>
          <code>{name}</code>
          {changed ? <span class="sr"> {t('changed')}</span> : null}
        </p>
        <p class="muted" id={`${id}-about`}>
          {describe(schema)}
          {needsRestart(schema) ? ` (${t('restart')})` : ''}
        </p>
      </div>
      <div class="config-control">
        <Control
          context={context}
          schema={schema}
          value={value}
          path={path}
          label={name}
          describedBy={`${id}-about ${id}-hint`}
          invalid={problems.length > 0}
        />
        <div class="config-hint" id={`${id}-hint`}>
          {problems.map((problem, index) => (
            <ProblemLine key={index} problem={problem} />
          ))}
          {hints ? (
            <ValueHint
              name={name}
              schema={resolve(schema, value)}
              value={value}
              before={before}
              changed={changed}
              onSet={(next) => context.set(path, next)}
            />
          ) : null}
        </div>
      </div>
    </div>
  )
}

function ProblemLine({ problem }: { readonly problem: Problem }) {
  const inner = problem.path.slice(1).map((part) => (typeof part === 'number' ? part + 1 : part))
  return (
    <p class="bad">
      {inner.length > 0 ? <code>{inner.join('.')}: </code> : null}
      {describeProblem(problem)}
    </p>
  )
}

interface HintProps {
  readonly name: string
  readonly schema: Json
  readonly value: unknown
  readonly before: unknown
  readonly changed: boolean
  readonly onSet: (value: unknown) => void
}

/** Says what applies without a value, what the value was, and where it comes from. */
function ValueHint(props: HintProps) {
  const { name, schema, value, before, changed, onSet } = props
  const variables = variablesOf(value)
  return (
    <>
      {changed ? (
        <p>
          {formerValue(schema, before)} <LinkButton label={t('undo')} name={name} onClick={() => onSet(before)} />
        </p>
      ) : (
        <DefaultHint schema={schema} value={value} />
      )}
      {variables.length > 0 ? (
        <p>
          {t('envText', { name: joinList(variables) })} <a href="/env">{t('toEnv')}</a>
        </p>
      ) : null}
      {variables.length === 0 && isSecret(schema) && (value === SECRET_MASK || (changed && value !== undefined)) ? (
        <p>
          {t('secret')} <LinkButton label={t('unsetIt')} name={name} onClick={() => onSet(undefined)} />
        </p>
      ) : null}
    </>
  )
}

interface LinkButtonProps {
  readonly label: string
  readonly name: string
  readonly onClick: () => void
}

const LinkButton = ({ label, name, onClick }: LinkButtonProps) => (
  <button type="button" class="linkish" onClick={onClick}>
    {label}
    <span class="sr"> {name}</span>
  </button>
)

function formerValue(schema: Json, before: unknown): string {
  const fallback = schema['default']
  if (before === undefined) return fallback === undefined ? t('unset') : t('notSet', { value: brief(fallback) })
  return isSecret(schema) ? '' : t('was', { value: brief(before) })
}

function DefaultHint({ schema, value }: { readonly schema: Json; readonly value: unknown }) {
  const fallback = schema['default']
  if (value !== undefined) return fallback !== undefined && equal(value, fallback) ? <p>{t('default')}</p> : null
  const kind = kindOf(schema)
  if (kind === 'group' || kind === 'record') return null
  const hasDefault = fallback !== undefined && !['', '[]', '{}'].includes(brief(fallback))
  return <p>{hasDefault ? t('notSet', { value: brief(fallback) }) : t('unset')}</p>
}
