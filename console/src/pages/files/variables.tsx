import { useState } from 'preact/hooks'
import { useDraft } from '../../kit/use-draft.js'
import { Button, EmptyState, Icon } from '../../ui/index.js'
import { isVariable, parseEnv } from './model.js'
import { t } from './texts.js'

const NAME = /^[A-Za-z_]\w{0,127}$/

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
  const add = (): void => {
    if (!NAME.test(name) || names.has(name)) return
    onChange({ [name]: '' })
    setShown(new Set([...shown, name]))
    setName('')
  }
  return (
    <>
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
      <AddForm onAdd={add} name={name} onName={setName} names={names} />
    </>
  )
}

interface AddFormProps {
  readonly onAdd: () => void
  readonly name: string
  readonly onName: (name: string) => void
  readonly names: Set<string>
}

function AddForm({ onAdd, name, onName, names }: AddFormProps) {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd()
      }}
    >
      <div class="control env-new">
        <input
          class="mono"
          aria-label={`${t('add')}: ${t('name')}`}
          placeholder="NAME"
          value={name}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onName(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" disabled={!NAME.test(name) || names.has(name)} title={t('badName')}>
        {t('add')}
      </Button>
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
