import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { cellText, isNumeric, readCell, type Column } from './model.js'
import { t } from './texts.js'

/** A longer text may be cut, so that the pointer shows it. */
const TITLED = 24

/** Shows a value as it is read. */
export function Value({ value }: { readonly value: unknown }) {
  return <>{shownValue(value)}</>
}

function shownValue(value: unknown): ComponentChildren {
  if (value === null || value === undefined) return <span class="null">{t('null')}</span>
  if (value === '') return <span class="muted">{t('emptyText')}</span>
  return cellText(value).slice(0, 300)
}

/** Returns the value in plain words. */
function wordOf(value: unknown): string {
  if (value === null || value === undefined) return t('null')
  return value === '' ? t('emptyText') : cellText(value).slice(0, 300)
}

export interface CellOptions {
  readonly column: Column
  readonly value: unknown
  /** The value before a pending change, or absent. */
  readonly before?: { readonly value: unknown } | undefined
  /** Whether nothing was entered yet. The host fills in defaults. */
  readonly unset?: boolean
  readonly editable: boolean
}

/** Renders a cell that is not edited. A function instead of a component, because a table has hundreds of cells. */
export function cellOf({ column, value, before, unset = false, editable }: CellOptions): VNode {
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
  const text = cellText(value)
  const title = text.length > TITLED ? text.slice(0, 1000) : undefined
  if (!editable)
    return (
      <span class={css} title={title} tabIndex={-1}>
        {shown}
      </span>
    )
  return (
    <button
      type="button"
      class={css}
      tabIndex={-1}
      aria-label={`${t('edit', { column: column.name })}: ${unset ? '–' : wordOf(value)}`}
      title={title}
    >
      {shown}
    </button>
  )
}

interface CellInputProps {
  readonly column: Column
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** `back` returns the focus to the cell, for keyboard users. */
  readonly onEnd: (back: boolean) => void
}

/** Shows the cell that is being edited. */
export function CellInput({ column, value, onChange, onEnd }: CellInputProps) {
  const [text, setText] = useState(() => cellText(value))
  const input = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  // Focus at once, so that typing goes into the cell.
  useLayoutEffect(() => input.current?.select(), [])
  const end = (next: unknown, back: boolean): void => {
    // Removing the input triggers a blur, which must not end the edit twice.
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
        // Otherwise the same key press would open the refocused cell again.
        event.preventDefault()
        event.stopPropagation()
        end(next.value, true)
      }}
      onBlur={() => end(text === cellText(value) ? value : readCell(text, column), false)}
    />
  )
}
