import { useLayoutEffect, useRef } from 'preact/hooks'

interface Place {
  readonly row: number
  readonly column: number
}

const STOP = 'button, input, [tabindex]'

/**
 * Makes a table one tab stop: arrow keys, Home, End, PageUp and PageDown move through its cells, those of its head
 * included. Everything in cells that takes the focus has `tabIndex={-1}`.
 */
export function useGridFocus<E extends HTMLElement>() {
  const box = useRef<E>(null)
  const place = useRef<Place>({ row: 1, column: 1 })
  const stop = useRef<HTMLElement | undefined>(undefined)
  const rows = (): HTMLTableRowElement[] => [...(box.current?.querySelector('table')?.rows ?? [])]
  const elementAt = ({ row, column }: Place): HTMLElement | undefined => {
    const all = rows()
    const cells = all[Math.max(0, Math.min(all.length - 1, row))]?.cells
    return cells?.[Math.max(0, Math.min(cells.length - 1, column))]?.querySelector<HTMLElement>(STOP) ?? undefined
  }
  const setStop = (element: HTMLElement | undefined): void => {
    if (stop.current && stop.current !== element) stop.current.tabIndex = -1
    stop.current = element
    if (element) element.tabIndex = 0
  }
  // Elements of another page of rows, or of a cell that was edited, are others.
  useLayoutEffect(() => setStop(elementAt(place.current) ?? box.current?.querySelector<HTMLElement>(STOP) ?? undefined))

  const placeOf = (target: EventTarget | null): Place | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null
    const line = cell?.closest('tr')
    return cell && line ? { row: rows().indexOf(line), column: cell.cellIndex } : undefined
  }
  const focus = (to: Place): boolean => {
    const element = elementAt(to)
    if (!element) return false
    element.focus()
    return true
  }
  const onFocusIn = ({ target }: FocusEvent): void => {
    const at = placeOf(target)
    if (!at || !(target instanceof HTMLElement)) return
    place.current = at
    setStop(target)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, altKey, shiftKey } = event
    if (altKey || shiftKey || (target instanceof Element && target.matches('input'))) return
    const at = placeOf(target)
    const to = at && nextPlace(event, at, rows(), box.current?.clientHeight ?? 0)
    if (!at || !to) return
    event.preventDefault()
    const step = Math.sign(to.row - at.row) || Math.sign(to.column - at.column)
    // A cell in which nothing takes the focus is passed over.
    const further = to.row === at.row ? { ...to, column: to.column + step } : { ...to, row: to.row + step }
    if (!focus(to)) focus(further)
  }
  return { box, place, focus, onFocusIn, onKeyDown }
}

/** Returns where a key leads, or undefined if it does not move. */
function nextPlace(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Place,
  rows: readonly HTMLTableRowElement[],
  height: number,
): Place | undefined {
  const control = ctrlKey || metaKey
  const last = { row: rows.length - 1, column: (rows[row]?.cells.length ?? 1) - 1 }
  const pageful = Math.max(1, Math.floor(height / (rows[row]?.offsetHeight || height)) - 1)
  const moves: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    Home: { row: control ? 1 : row, column: 1 },
    End: { row: control ? last.row : row, column: last.column },
    PageDown: { row: Math.min(last.row, row + pageful), column },
    PageUp: { row: Math.max(1, row - pageful), column },
  }
  const to = Object.hasOwn(moves, key) ? moves[key] : undefined
  return to && to.row >= 0 && to.row <= last.row && to.column >= 1 && to.column <= last.column ? to : undefined
}
