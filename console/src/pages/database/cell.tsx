// One value of a row: NULL told from empty text, edited in place.
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { cellText, isNumeric, readCell, type Column } from './model.js'
import { t } from './texts.js'

/** A value as it is read. */
export function Value({ value }: { readonly value: unknown }) {
  return <>{shownValue(value)}</>
}

function shownValue(value: unknown): ComponentChildren {
  if (value === null || value === undefined) return <span class="null">{t('null')}</span>
  if (value === '') return <span class="muted">{t('emptyText')}</span>
  return cellText(value).slice(0, 300)
}

/** The same in plain words. */
function wordOf(value: unknown): string {
  if (value === null || value === undefined) return t('null')
  return value === '' ? t('emptyText') : cellText(value).slice(0, 300)
}

export interface CellOptions {
  readonly column: Column
  readonly value: unknown
  /** Before the change that waits; absent where nothing changed. */
  readonly before?: { readonly value: unknown } | undefined
  /** Nothing was entered yet: the host fills in what it can. */
  readonly unset?: boolean
  /** Begins to edit it; absent where it cannot be. */
  readonly onEdit?: (() => void) | undefined
  readonly onChange: (value: unknown) => void
}

/** A cell at rest. No component of its own: a table has hundreds, and each would take longer than what it shows. */
export function cellOf({ column, value, before, unset = false, onEdit, onChange }: CellOptions): VNode {
  const shown = (
    <>
      {before ? (
        <>
          <s>{shownValue(before.value)}</s>{' '}
        </>
      ) : null}
      {unset ? <span class="muted">–</span> : shownValue(value)}
    </>
  )
  const css = `cell${before ? ' changed' : ''}${isNumeric(column) ? ' num' : ''}`
  const title = cellText(value).slice(0, 1000)
  if (!onEdit)
    return (
      <span class={css} title={title}>
        {shown}
      </span>
    )
  return (
    <button
      type="button"
      class={css}
      aria-label={`${t('edit', { column: column.name })}: ${unset ? '–' : wordOf(value)}`}
      title={title}
      onClick={onEdit}
      onKeyDown={(event) => {
        if (event.key === '0' && event.altKey) {
          event.preventDefault()
          onChange(null)
        }
      }}
    >
      {shown}
    </button>
  )
}

interface CellInputProps {
  readonly column: Column
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** `back` when the person goes on from this cell by the keyboard. */
  readonly onEnd: (back: boolean) => void
}

/** The cell that is being edited. */
export function CellInput({ column, value, onChange, onEnd }: CellInputProps) {
  const [text, setText] = useState(() => cellText(value))
  const input = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  // What is typed at once is meant for it.
  useLayoutEffect(() => input.current?.select(), [])
  const end = (next: unknown, back: boolean): void => {
    // What leaves the document loses the focus, which is no second end.
    if (ended.current) return
    ended.current = true
    onEnd(back)
    if (!Object.is(next, value)) onChange(next)
  }
  return (
    <input
      ref={input}
      class="cell-input mono"
      aria-label={t('edit', { column: column.name })}
      value={text}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        let next: { readonly value: unknown } | undefined
        if (event.key === 'Enter') next = { value: readCell(text, column) }
        else if (event.key === 'Escape') next = { value }
        else if (event.key === '0' && event.altKey) next = { value: null }
        if (!next) return
        // The focus goes back to the cell, which the same press would open again.
        event.preventDefault()
        event.stopPropagation()
        end(next.value, true)
      }}
      onBlur={() => end(text === cellText(value) ? value : readCell(text, column), false)}
    />
  )
}
