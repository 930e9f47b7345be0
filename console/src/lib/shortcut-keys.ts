export interface KeyPress {
  readonly key: string
  readonly ctrl: boolean
  readonly meta: boolean
  readonly alt: boolean
}

/** Meaning of a key: an action, the start of a pair, or nothing. */
export type KeyMeaning = { readonly action: string } | 'prefix' | undefined

const single: Readonly<Record<string, string>> = {
  '?': 'sheet',
  '/': 'filter',
  r: 'refresh',
  '[': 'previous',
  ']': 'next',
}
const PAIR_MS = 1500

const TEXT = 'input:not([type=radio]):not([type=checkbox]), textarea, select, [role=menu] *'
/** Elements that the space bar and Enter activate. */
const PRESSED = 'a, button, input, summary, [role=tab], [role=option], [role=treeitem]'

/** Returns whether the focused element handles a key itself, by typing or activation. Selects handle no letters. */
export function isHandledByTarget(target: EventTarget | null, key: string): boolean {
  // A function key types nothing.
  if (!(target instanceof HTMLElement) || /^F\d/.test(key)) return false
  return (
    target.isContentEditable || target.matches(TEXT) || ((key === ' ' || key === 'Enter') && target.matches(PRESSED))
  )
}

/** Reads key presses; `typing` is true inside inputs, where only the palette key counts. */
export class Keys {
  #prefixAt = Number.NEGATIVE_INFINITY

  read(
    press: KeyPress,
    state: { readonly typing: boolean; readonly enabled: boolean; readonly now: number },
  ): KeyMeaning {
    if ((press.ctrl || press.meta) && !press.alt && press.key.toLowerCase() === 'k') return { action: 'palette' }
    if (press.ctrl || press.meta || press.alt || state.typing || !state.enabled) return undefined
    if (state.now - this.#prefixAt <= PAIR_MS) {
      this.#prefixAt = Number.NEGATIVE_INFINITY
      return { action: `go:${press.key}` }
    }
    if (press.key === 'g') {
      this.#prefixAt = state.now
      return 'prefix'
    }
    const action = single[press.key]
    return action === undefined ? undefined : { action }
  }
}
