// One value of a row: NULL told from empty text, edited in place.
import { useEffect, useRef, useState } from 'preact/hooks'
import { cellText, isNumeric, readCell, type Column } from './model.js'
import { p } from './texts.js'

/** A value as it is read. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span class="null">{p('null')}</span>
  if (value === '') return <span class="muted">{p('emptyText')}</span>
  return <>{cellText(value).slice(0, 300)}</>
}

/** The same in plain words. */
const wordOf = (value: unknown): string => (value === null || value === undefined ? p('null') : value === '' ? p('emptyText') : cellText(value).slice(0, 300))

interface CellProps {
  readonly column: Column
  readonly value: unknown
  /** Before the change that waits; absent where nothing changed. */
  readonly before?: { readonly value: unknown } | undefined
  readonly editable: boolean
  /** Nothing was entered yet: the host fills in what it can. */
  readonly unset?: boolean
  readonly onChange: (value: unknown) => void
}

export function Cell({ column, value, before, editable, unset = false, onChange }: CellProps) {
  const [text, setText] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const editing = text !== undefined
  useEffect(() => { if (editing) input.current?.select() }, [editing])
  const end = (next: unknown): void => {
    setText(undefined)
    if (!Object.is(next, value)) onChange(next)
    queueMicrotask(() => button.current?.focus())
  }
  const shown = <>{before ? <s><Value value={before.value} /></s> : null} {unset ? <span class="muted">–</span> : <Value value={value} />}</>
  if (!editable) return <span class={isNumeric(column) ? 'cell num' : 'cell'} title={cellText(value).slice(0, 1000)}>{shown}</span>
  if (text !== undefined) {
    return (
      <input ref={input} class="cell-input mono" aria-label={p('edit', { column: column.name })} value={text} spellcheck={false} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const next = event.key === 'Enter' ? { value: readCell(text, column) } : event.key === 'Escape' ? { value } : event.key === '0' && event.altKey ? { value: null } : undefined
          if (!next) return
          // The focus goes back to the cell, which the same press would open again.
          event.preventDefault()
          event.stopPropagation()
          end(next.value)
        }}
        onBlur={() => { setText(undefined); const next = text === cellText(value) ? value : readCell(text, column); if (!Object.is(next, value)) onChange(next) }} />
    )
  }
  return (
    <button ref={button} type="button" class={`cell${before ? ' changed' : ''}${isNumeric(column) ? ' num' : ''}`} aria-label={`${p('edit', { column: column.name })}: ${unset ? '–' : wordOf(value)}`} title={cellText(value).slice(0, 1000)} onClick={() => setText(cellText(value))}
      onKeyDown={(event) => { if (event.key === '0' && event.altKey) { event.preventDefault(); onChange(null) } }}>{shown}</button>
  )
}
