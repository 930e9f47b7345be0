import { useMemo, useRef, useState } from 'preact/hooks'
import { useLocale } from '../../lib/i18n.js'
import { EmptyState, Icon } from '../../ui/index.js'
import { t } from './texts.js'
import type { Variable } from './variable-rows.js'

interface VariableTableProps {
  readonly shown: readonly Variable[]
  /** Names that were taken out. */
  readonly gone: readonly string[]
  readonly filtered: boolean
  readonly before: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

export function VariableTable({ shown, gone, filtered, before, onChange }: VariableTableProps) {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set())
  const toggle = (item: string): void => {
    const next = new Set(visible)
    if (!next.delete(item)) next.add(item)
    setVisible(next)
  }
  // The rows keep one object, so that they are drawn again only if they differ.
  const actions = useRef({ onChange, toggle })
  actions.current = { onChange, toggle }
  if (shown.length === 0 && gone.length === 0)
    return <EmptyState title={t(filtered ? 'noVariableMatch' : 'noVariables')} />
  return (
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
          {shown.map((line) => (
            <VariableRow
              key={line.name}
              name={line.name}
              value={line.value}
              changed={before.get(line.name) !== line.value}
              visible={visible.has(line.name)}
              actions={actions}
            />
          ))}
          {gone.map((item) => (
            <RemovedRow key={item} name={item} onChange={onChange} before={before} />
          ))}
        </tbody>
      </table>
    </div>
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
  readonly name: string
  readonly value: string
  readonly changed: boolean
  readonly visible: boolean
  readonly actions: {
    readonly current: {
      readonly onChange: VariableTableProps['onChange']
      readonly toggle: (name: string) => void
    }
  }
}

function VariableRow({ name, value, changed, visible, actions }: VariableRowProps) {
  return useMemo(
    () => (
      <tr class={changed ? 'changed' : undefined}>
        <th scope="row">
          <code>{name}</code>
        </th>
        <td>
          <div class="control">
            <input
              class="mono"
              type={(visible ? 'text' : 'password') as 'text'}
              aria-label={name}
              autocomplete="off"
              spellcheck={false}
              value={value}
              onInput={(event) => actions.current.onChange({ [name]: event.currentTarget.value })}
            />
            <button
              type="button"
              class="icon-button"
              aria-pressed={visible}
              aria-label={t(visible ? 'hidden' : 'shown', { name })}
              onClick={() => actions.current.toggle(name)}
            >
              <Icon name="eye" />
            </button>
          </div>
        </td>
        <td class="num">
          <button
            type="button"
            class="icon-button"
            aria-label={t('remove', { name })}
            title={t('remove', { name })}
            onClick={() => actions.current.onChange({ [name]: undefined })}
          >
            <Icon name="close" />
          </button>
        </td>
      </tr>
    ),
    [name, value, changed, visible, useLocale()],
  )
}
