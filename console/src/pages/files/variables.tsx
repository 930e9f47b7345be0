import { useEffect, useRef, useState } from 'preact/hooks'
import { useDraft } from '../../kit/use-draft.js'
import { nextTask } from '../../lib/use-deferred-mount.js'
import { Button, Field } from '../../ui/index.js'
import { ShowMore } from '../../ui/parts/show-more.js'
import { isVariable, parseEnv } from './model.js'
import { t } from './texts.js'
import { MORE, rowsToShow, STEP, type Variable } from './variable-rows.js'
import { VariableTable } from './variable-table.js'

const NAME = /^[A-Za-z_]\w{0,127}$/

interface VariablesProps {
  readonly text: string
  readonly before: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

export function Variables({ text, before, onChange }: VariablesProps) {
  // A pasted line may have a secret behind the name.
  const { value: name, set: setName } = useDraft('env name', '', { secret: true })
  const [filter, setFilter] = useState('')
  const [most, setMost] = useState(STEP)
  // These stay in view wherever they are in the file: a field that goes away while it is typed in loses the focus.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const lines = parseEnv(text).filter(isVariable)
  const names = new Set(lines.map((line) => line.name))
  const taken = [...before.keys()].filter((item) => !names.has(item))
  const { shown, gone, left } = rowsToShow({ lines, gone: taken }, { filter, most, touched })
  const change: VariablesProps['onChange'] = (changes) => {
    setTouched((former) => new Set([...Object.keys(changes).slice(0, STEP), ...former].slice(0, 2 * STEP)))
    onChange(changes)
  }
  const { table, focusValue } = useValueFocus()
  /** Draws more rows, in two tasks. */
  const more = (): void => {
    const draw = (): void => setMost((former) => former + MORE / 2)
    draw()
    nextTask(draw)
  }
  /** Goes on to the value, which is hidden while it is typed. */
  const enter = (): void => {
    if (!NAME.test(name)) return
    change(names.has(name) ? {} : { [name]: '' })
    setTouched((former) => new Set([name, ...former]))
    setFilter('')
    focusValue(name)
    setName('')
  }
  const addAll = (pasted: readonly Variable[]): void => {
    change(Object.fromEntries(pasted.map((line) => [line.name, line.value])))
    setFilter('')
    setName('')
  }
  return (
    <div ref={table} class="env-variables">
      {lines.length > STEP || filter !== '' ? (
        <Field
          compact
          type="search"
          label={t('findVariable')}
          placeholder={t('findVariable')}
          value={filter}
          onInput={setFilter}
        />
      ) : null}
      <VariableTable shown={shown} gone={gone} filtered={filter !== ''} before={before} onChange={change} />
      <ShowMore left={left} step={MORE} onMore={more} />
      <AddForm onEnter={enter} onAll={addAll} name={name} onName={setName} />
    </div>
  )
}

/** Returns what puts the focus on the value of a variable, after it has a row. */
function useValueFocus() {
  const table = useRef<HTMLDivElement>(null)
  const [entering, setEntering] = useState<string>()
  useEffect(() => {
    if (entering === undefined) return
    table.current?.querySelector<HTMLInputElement>(`input[aria-label="${entering}"]`)?.focus()
    setEntering(undefined)
  }, [entering])
  return { table, focusValue: setEntering }
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
