import { useEffect, useRef, useState } from 'preact/hooks'
import { useDraft } from '../../kit/use-draft.js'
import { Button, EmptyState, Icon } from '../../ui/index.js'
import { isVariable, parseEnv, type EnvLine } from './model.js'
import { t } from './texts.js'

const NAME = /^[A-Za-z_]\w{0,127}$/

type Variable = Extract<EnvLine, { name: string }>

interface VariablesProps {
  readonly text: string
  readonly before: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

export function Variables({ text, before, onChange }: VariablesProps) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  // A pasted line may have a secret behind the name.
  const { value: name, set: setName } = useDraft('env name', '', { secret: true })
  const lines = parseEnv(text).filter(isVariable)
  const names = new Set(lines.map((line) => line.name))
  const gone = [...before.keys()].filter((item) => !names.has(item))
  const toggle = (item: string): void => {
    const next = new Set(shown)
    if (!next.delete(item)) next.add(item)
    setShown(next)
  }
  const table = useRef<HTMLDivElement>(null)
  const [entering, setEntering] = useState<string>()
  useEffect(() => {
    if (entering === undefined) return
    table.current?.querySelector<HTMLInputElement>(`input[aria-label="${entering}"]`)?.focus()
    setEntering(undefined)
  }, [entering])
  /** Goes on to the value, which is hidden while it is typed. */
  const enter = (): void => {
    if (!NAME.test(name)) return
    if (!names.has(name)) onChange({ [name]: '' })
    setEntering(name)
    setName('')
  }
  const addAll = (pasted: readonly Variable[]): void => {
    onChange(Object.fromEntries(pasted.map((line) => [line.name, line.value])))
    setName('')
  }
  return (
    <div ref={table} class="env-variables">
      {lines.length === 0 && gone.length === 0 ? (
        <EmptyState title={t('noVariables')} />
      ) : (
        <div class="table env-table">
          <table>
            <caption class="sr">{t('envTitle')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('name')}</th>
                <th scope="col">{t('value')}</th>
                <th scope="col">
                  <span class="sr">{t('actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <VariableRow
                  key={line.name}
                  line={line}
                  before={before}
                  shown={shown}
                  onChange={onChange}
                  onToggle={toggle}
                />
              ))}
              {gone.map((item) => (
                <RemovedRow key={item} name={item} onChange={onChange} before={before} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <AddForm onEnter={enter} onAll={addAll} name={name} onName={setName} />
    </div>
  )
}

interface AddFormProps {
  readonly onEnter: () => void
  readonly onAll: (pasted: readonly Variable[]) => void
  readonly name: string
  readonly onName: (name: string) => void
}

/** Takes a name, or a whole file. Its field is seen, so nothing that may be a value stays in it. */
function AddForm({ onEnter, onAll, name, onName }: AddFormProps) {
  const [refused, setRefused] = useState(false)
  const take = (event: Event, text: string): void => {
    const variables = parseEnv(text.replaceAll('\r\n', '\n')).filter(isVariable)
    const isName = /^[A-Z_][A-Z0-9_]{0,127}$/.test(text.trim())
    setRefused(variables.length === 0 && !isName)
    event.preventDefault()
    if (variables.length > 0) onAll(variables)
    else if (isName) onName(text.trim())
  }
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onEnter()
      }}
    >
      <div class="control env-new">
        <input
          class="mono"
          aria-label={`${t('add')}: ${t('name')}`}
          aria-describedby="env-new-hint"
          placeholder="NAME"
          value={name}
          autocomplete="off"
          spellcheck={false}
          onPaste={(event) => take(event, event.clipboardData?.getData('text') ?? '')}
          onDrop={(event) => take(event, event.dataTransfer?.getData('text') ?? '')}
          onKeyDown={(event) => {
            if (event.key !== '=') return
            event.preventDefault()
            onEnter()
          }}
          onInput={(event) => {
            setRefused(false)
            onName(event.currentTarget.value)
          }}
        />
      </div>
      <Button type="submit" disabled={!NAME.test(name)} title={t('badName')}>
        {t('add')}
      </Button>
      <p id="env-new-hint" class={refused ? 'bad' : 'muted'} role={refused ? 'alert' : undefined}>
        {t(refused ? 'noName' : 'pasteHint')}
      </p>
    </form>
  )
}

interface RemovedRowProps {
  readonly name: string
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
  readonly before: ReadonlyMap<string, string>
}

function RemovedRow({ name, onChange, before }: RemovedRowProps) {
  return (
    <tr key={name} class="removed">
      <th scope="row">
        <code>
          <s>{name}</s>
        </code>
      </th>
      <td />
      <td class="num">
        <button type="button" class="linkish" onClick={() => onChange({ [name]: before.get(name) })}>
          {t('undo', { name: name })}
        </button>
      </td>
    </tr>
  )
}

interface VariableRowProps {
  readonly line: { readonly name: string; readonly value: string; readonly raw: string }
  readonly before: ReadonlyMap<string, string>
  readonly shown: ReadonlySet<string>
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
  readonly onToggle: (item: string) => void
}

function VariableRow({ line, before, shown, onChange, onToggle }: VariableRowProps) {
  return (
    <tr class={before.get(line.name) === line.value ? undefined : 'changed'}>
      <th scope="row">
        <code>{line.name}</code>
      </th>
      <td>
        <div class="control">
          <input
            class="mono"
            type={(shown.has(line.name) ? 'text' : 'password') as 'text'}
            aria-label={line.name}
            autocomplete="off"
            spellcheck={false}
            value={line.value}
            onInput={(event) => onChange({ [line.name]: event.currentTarget.value })}
          />
          <button
            type="button"
            class="icon-button"
            aria-pressed={shown.has(line.name)}
            aria-label={t(shown.has(line.name) ? 'hidden' : 'shown', { name: line.name })}
            onClick={() => onToggle(line.name)}
          >
            <Icon name="eye" />
          </button>
        </div>
      </td>
      <td class="num">
        <button
          type="button"
          class="icon-button"
          aria-label={t('remove', { name: line.name })}
          title={t('remove', { name: line.name })}
          onClick={() => onChange({ [line.name]: undefined })}
        >
          <Icon name="close" />
        </button>
      </td>
    </tr>
  )
}
