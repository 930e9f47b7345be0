import { useEffect, useRef } from 'preact/hooks'

/** Keys, separated by spaces, and their meaning. */
export type KeyRow = readonly [keys: string, meaning: string]

const registered = new Set<{ readonly current: readonly KeyRow[] }>()

/** Registers the keys of this page. Buttons with a hotkey are listed without it. */
export function usePageKeys(rows: readonly KeyRow[]): readonly KeyRow[] {
  const latest = useRef(rows)
  latest.current = rows
  useEffect(() => {
    registered.add(latest)
    return () => {
      registered.delete(latest)
    }
  }, [])
  return rows
}

function nameOf(button: Element): string {
  const shown = button.cloneNode(true) as Element
  for (const hidden of shown.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
  return button.getAttribute('aria-label') ?? shown.textContent ?? ''
}

/** Returns the keys of the current page: registered ones, then those of its buttons. */
export function pageKeys(): readonly KeyRow[] {
  const rows: KeyRow[] = []
  const told = new Set<string>()
  const add = (keys: string, meaning: string): void => {
    const shown = keys.length === 1 ? keys.toUpperCase() : keys
    if (told.has(shown)) return
    for (const key of [shown, ...shown.split(' ')]) told.add(key)
    rows.push([shown, meaning])
  }
  for (const { current } of registered) for (const [keys, meaning] of current) add(keys, meaning)
  for (const button of document.querySelectorAll('main [aria-keyshortcuts]'))
    add(button.getAttribute('aria-keyshortcuts') ?? '', nameOf(button))
  return rows
}
