/** State of the composer that decides what a key does. */
export interface ComposerState {
  readonly json: boolean
  readonly text: string
  /** How many messages back the recalled one is. 0 while none is recalled. */
  readonly recalled: number
  readonly canRecall: boolean
  readonly quoting: boolean
}

export type ComposerAction = 'send' | 'recall-older' | 'recall-newer' | 'drop-quote' | 'clear'

type KeyPress = Pick<KeyboardEvent, 'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>

const hasModifier = ({ ctrlKey, metaKey }: KeyPress): boolean => ctrlKey || metaKey
const hasModifierOrShift = (press: KeyPress): boolean => hasModifier(press) || press.shiftKey

const ACTIONS: Partial<Record<string, (press: KeyPress, state: ComposerState) => ComposerAction | undefined>> = {
  Enter(press, { json }) {
    if (press.altKey) return undefined
    return (json ? hasModifier(press) : !press.shiftKey) ? 'send' : undefined
  },
  ArrowUp(press, { json, text, recalled, canRecall }) {
    const untouched = text === '' || recalled > 0
    return !json && untouched && canRecall && !hasModifierOrShift(press) ? 'recall-older' : undefined
  },
  ArrowDown: (press, { recalled }) => (recalled > 0 && !hasModifierOrShift(press) ? 'recall-newer' : undefined),
  Escape(_press, { quoting, recalled }) {
    if (quoting) return 'drop-quote'
    return recalled > 0 ? 'clear' : undefined
  },
}

/** Returns what a key does, or nothing where the text field handles it. */
export function composerAction(press: KeyPress, state: ComposerState): ComposerAction | undefined {
  // Enter that ends the composition of a Chinese word belongs to the input method.
  if (press.isComposing || press.keyCode === 229) return undefined
  return ACTIONS[press.key]?.(press, state)
}
