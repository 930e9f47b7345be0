// Keys as shortcuts: single ones, and `g` followed by another.

export interface KeyPress { readonly key: string; readonly ctrl: boolean; readonly meta: boolean; readonly alt: boolean }

/** What a key means: an action by name, the beginning of a pair, or nothing. */
export type KeyMeaning = { readonly action: string } | 'prefix' | undefined

const single: Readonly<Record<string, string>> = { '?': 'sheet', '/': 'filter', 'r': 'refresh', '[': 'previous', ']': 'next' }
const PAIR_MS = 1500

/** Reads key presses; `typing` is true inside inputs, where only the palette key counts. */
export class Keys {
  #prefixAt = Number.NEGATIVE_INFINITY

  read(press: KeyPress, state: { readonly typing: boolean; readonly enabled: boolean; readonly now: number }): KeyMeaning {
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
