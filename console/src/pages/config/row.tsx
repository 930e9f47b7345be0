import { SECRET_MASK } from '@mynah/contract/wire'
import { useId } from 'preact/hooks'
import { joinList } from '../../kit/join-list.js'
import type { FieldContext } from './controls.js'
import { Control } from './fields.js'
import { brief, equal, variablesOf, type Json, type Path } from './model.js'
import { describeProblem } from './describe-problem.js'
import { describe, firstSentence, isSecret, kindOf, needsRestart, resolve } from './schema.js'
import { pathText } from './setting-path.js'
import { t } from './texts.js'
import type { Problem } from './yaml-tools.js'

export interface FieldsProps {
  readonly schema: Json
  readonly value: unknown
  readonly before: unknown
  readonly problems: readonly Problem[]
  readonly context: FieldContext
}

export interface RowProps extends FieldsProps {
  readonly name: string
  /** Whether it shows the default and the value before; default true. */
  readonly hints?: boolean
  /** Whether it shows the first sentence of its description only; default false. */
  readonly brief?: boolean
  /** Where the value is in its section; default below its name. */
  readonly path?: Path
}

export function Row(props: RowProps) {
  const { name, schema, value, before, problems, context, hints = true, brief: isBrief = false, path: at } = props
  const id = useId()
  const changed = !equal(value, before)
  const path = at ?? (name === '' ? [] : [name])
  const about = describe(schema)
  return (
    <div
      class={`config-field${changed ? ' changed' : ''}${problems.length > 0 ? ' wrong' : ''}`}
      data-setting={pathText(context.section, path)}
    >
      <div class="config-label">
        <p>
          <code>{name}</code>
          {changed ? <span class="sr"> {t('changed')}</span> : null}
        </p>
        <p class="muted" id={`${id}-about`} title={isBrief ? about : undefined}>
          {isBrief ? firstSentence(about) : about}
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
            <ProblemLine key={index} problem={problem} context={context} />
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

interface ProblemLineProps {
  readonly problem: Problem
  readonly context: FieldContext
}

function ProblemLine({ problem, context }: ProblemLineProps) {
  const inner = problem.path.slice(1).map((part) => (typeof part === 'number' ? part + 1 : part))
  return (
    <p class="bad">
      {inner.length > 0 ? <code>{inner.join('.')}: </code> : null}
      {describeProblem(problem)}{' '}
      {problem.keyword === 'unknown' && !context.readOnly ? <UnknownKey problem={problem} context={context} /> : null}
    </p>
  )
}

/** Removes a key that is not known, or gives its value to the one that was meant. */
function UnknownKey({ problem: { path, near }, context }: ProblemLineProps) {
  const name = String(path.at(-1) ?? '')
  const value = context.valueAt(path)
  const meant = near === undefined ? undefined : [...path.slice(0, -1), near]
  // A stored secret is known by its path, and does not move.
  const canMove = meant && context.valueAt(meant) === undefined && !JSON.stringify(value ?? '').includes(SECRET_MASK)
  return (
    <>
      {canMove ? (
        <LinkButton
          label={t('use', { name: near ?? '' })}
          name={name}
          onClick={() => {
            context.set(meant, value)
            context.set(path, undefined)
          }}
        />
      ) : null}{' '}
      <LinkButton label={t('removeKey')} name={name} onClick={() => context.set(path, undefined)} />
    </>
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
