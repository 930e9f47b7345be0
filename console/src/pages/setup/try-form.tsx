import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { useDraft } from '../../kit/use-draft.js'
import { useLazy } from '../../lib/use-lazy.js'
import { Button, Code, Skeleton } from '../../ui/index.js'
import { KeptNote, Quote, State } from '../../ui/parts/index.js'
import { isSecret } from '../config/schema.js'
import type { FieldContext } from '../config/controls.js'
import { getIn, equal, setIn, type Json } from '../config/model.js'
import type { Problem } from '../config/yaml-tools.js'
import { fieldsOf, withEmptyLines, withoutEmptyLines, type FieldChoice } from './model.js'
import { SecretsChoice, useSecretsPlace } from './secrets-choice.js'
import { t } from './texts.js'
import type { Tried } from './wire.js'

const loadTools = () => import('../config/yaml-tools.js')
const loadForm = () => import('../config/row.js')
const CONTROLS = ':is(input, select, textarea, button)'

export interface TryFormProps extends FieldChoice {
  /** Name of the new item, under which the draft is kept. */
  readonly name: string
  /** Schema of the new item. */
  readonly schema: Json
  /** Whether a secret has its whole description, which says where it is found on the platform; default false. */
  readonly explainsSecrets?: boolean
  /** Whether the first field gets the focus. */
  readonly focus: boolean
  /** The most that a test takes, in seconds. */
  readonly seconds: number
  readonly saveLabel: string
  /** Returns the first part of the names of variables for the secrets of a value. */
  readonly owner: (value: Json) => string
  readonly test: (value: Json) => Promise<Tried>
  /** Resolves to the name of the saved item. */
  readonly save: (value: Json) => Promise<string>
  /** Returns what the file gets, with the item below the keys of its section. */
  readonly preview: (value: Json) => Json
}

/** A form made from a schema, whose values are tried by the host before they are saved. */
export function TryForm(props: TryFormProps) {
  const { schema, seconds, saveLabel } = props
  const { loaded: tools } = useLazy(loadTools)
  // Tokens and keys are in it.
  const draft = useDraft<Json>(`setup ${props.name}`, withEmptyLines(schema, props), { secret: true })
  const { value: typed, set: setValue } = draft
  const value = withoutEmptyLines(typed)
  const [tried, setTried] = useState<{ readonly value: Json; readonly result: Tried }>()
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const form = useRef<HTMLFormElement>(null)
  const readOnly = useWriteBlock() !== undefined
  // A result is that of the values that were tried.
  const result = tried && equal(tried.value, value) ? tried.result : undefined
  const test = useAction(async (andSave: boolean) => {
    const found = tools?.check(schema, value) ?? []
    setProblems(found)
    if (found.length > 0) return focusFirst(form.current)
    const answer = await props.test(value)
    setTried({ value, result: answer })
    setProblems((answer.details ?? []).map(problemOf))
    if (andSave && answer.ok) await store(answer.message)
  }, 'here')
  const secrets = useSecretsPlace({ schema, value, owner: props.owner(value), save: props.save })
  /** Leads away from the page, so that the toast has what the test has said. */
  const store = async (said: string): Promise<void> => {
    const name = await secrets.save()
    draft.clear()
    toast(t('saved', { name, said }), 'ok')
  }
  const save = useAction(() => store(result?.ok ? result.message : ''), 'here')
  const context: FieldContext = {
    section: '',
    valueAt: (path) => getIn(typed, path),
    problems,
    readOnly,
    set: (path, next) => {
      setValue((now) => setIn(now, path, next) as Json)
      setProblems((now) => now.filter((problem) => problem.path[0] !== path[0]))
    },
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (result?.ok) save.run()
    else test.run(true)
  }
  return (
    <form class="setup-form" ref={form} onSubmit={submit} noValidate>
      <KeptNote draft={draft} />
      <Fields {...props} value={typed} problems={problems} context={context} form={form} />
      <div class="setup-result" role="status">
        {test.busy ? <p class="muted">{t('testing', { seconds })}</p> : null}
        {[test.failure, save.failure].map((failure) => (failure === undefined ? null : <Quote>{failure}</Quote>))}
        {result && !test.busy ? <Result result={result} /> : null}
      </div>
      {result ? <SecretsChoice place={secrets} readOnly={readOnly} /> : null}
      {result?.ok && tools ? <Review yaml={tools.toYaml(props.preview(secrets.shown))} /> : null}
      <Actions
        result={result}
        test={test}
        save={save}
        isLoading={tools === undefined}
        saveLabel={result?.ok === false ? t('saveAnyway') : saveLabel}
      />
    </form>
  )
}

const Review = ({ yaml }: { readonly yaml: string }) => (
  <section class="setup-review" aria-label={t('review')}>
    <h2>{t('review')}</h2>
    <Code text={yaml.trimEnd()} label={t('review')} />
  </section>
)

interface ActionsProps {
  readonly result: Tried | undefined
  readonly test: Action<[andSave: boolean]>
  readonly save: Action<[]>
  readonly isLoading: boolean
  readonly saveLabel: string
}

/** The button that Enter presses leads on: the test with the saving, and after a test alone the saving. */
function Actions({ result, test, save, isLoading, saveLabel }: ActionsProps) {
  const works = result?.ok === true
  const asNext = { kind: 'primary', type: 'submit' } as const
  return (
    <div class="row setup-actions">
      {works ? null : (
        <Button {...asNext} busy={test.busy || isLoading} {...test.blocked}>
          {t('testAndSave')}
        </Button>
      )}
      <Button kind="quiet" onClick={() => test.run(false)} busy={test.busy || isLoading} {...test.blocked}>
        {t(result ? 'testAgain' : 'test')}
      </Button>
      {result ? (
        <Button {...(works ? asNext : { kind: 'quiet', onClick: () => save.run() })} busy={save.busy} {...save.blocked}>
          {saveLabel}
        </Button>
      ) : null}
    </div>
  )
}

interface FieldsProps extends FieldChoice {
  readonly schema: Json
  readonly value: Json
  readonly problems: readonly Problem[]
  readonly context: FieldContext
  readonly focus: boolean
  readonly explainsSecrets?: boolean
  readonly form: RefObject<HTMLFormElement | null>
}

function Fields(props: FieldsProps) {
  const { schema, value, problems, context, focus, explainsSecrets = false, form: element, ...choice } = props
  const { loaded: form } = useLazy(loadForm)
  const { basic, more } = fieldsOf(schema, choice)
  useEffect(() => {
    if (focus && form) element.current?.querySelector<HTMLElement>(`.config-field ${CONTROLS}`)?.focus()
  }, [focus, form])
  const problemsOf = (name: string): Problem[] => problems.filter(({ path }) => path[0] === name)
  if (!form) return <Skeleton label={t('loading')} />
  const rows = (fields: typeof basic) =>
    fields.map(([name, inner]) => (
      <form.Row
        key={name}
        name={name}
        schema={inner}
        value={value[name]}
        before={value[name]}
        problems={problemsOf(name)}
        context={context}
        hints={false}
        brief={!(explainsSecrets && isSecret(inner))}
      />
    ))
  return (
    <>
      {rows(basic)}
      {more.length > 0 ? (
        <details class="setup-more" open={more.some(([name]) => problemsOf(name).length > 0)}>
          <summary>{t('more')}</summary>
          {rows(more)}
        </details>
      ) : null}
    </>
  )
}

function Result({ result }: { readonly result: Tried }) {
  const { ok, message, missing = [], models, tokens, ms } = result
  const facts = [
    models ? t('listed', { count: models.length }) : '',
    tokens ? t('tokens', { input: tokens.input, output: tokens.output }) : '',
    tokens?.cost === undefined ? '' : t('cost', { cost: String(Number(tokens.cost.toPrecision(2))) }),
    t('took', { ms }),
  ].filter(Boolean)
  return (
    <>
      <p class="row">
        <State tone={ok ? 'well' : 'wrong'}>{t(ok ? 'works' : 'worksNot')}</State>
        <span class="muted">{facts.join(' · ')}</span>
      </p>
      <Quote tone={ok ? 'plain' : 'err'}>{message}</Quote>
      {missing.length > 0 ? (
        <>
          <p>{t('missing')}</p>
          <ul>
            {missing.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

/** Returns a mistake that the host has found. Its words are in the message below the form. */
const problemOf = ({ path }: { readonly path: string }): Problem => ({
  path: path.split(/[.[\]]+/).filter(Boolean),
  keyword: 'refused',
  expected: '',
})

function focusFirst(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>(`.config-field.wrong ${CONTROLS}`)?.focus())
}
