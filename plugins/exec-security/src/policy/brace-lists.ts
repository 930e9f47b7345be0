/**
 * Returns the texts that bash makes of one without quotes that holds brace lists, or undefined where there is a
 * sequence or more than `limit` texts. A brace without a comma of its own is a character.
 */
export function bracedTexts(text: string, limit: number): readonly string[] | undefined {
  const list = firstList(text)
  if (list === undefined) return [text]
  // Two points without a comma may be a sequence.
  if (list.items.length < 2) return undefined
  const ends = bracedTexts(text.slice(list.end), limit)
  const choices: string[] = []
  for (const item of list.items) {
    const made = bracedTexts(item, limit)
    if (made === undefined) return undefined
    choices.push(...made)
  }
  if (ends === undefined || choices.length * ends.length > limit) return undefined
  return choices.flatMap((choice) => ends.map((end) => text.slice(0, list.start) + choice + end))
}

interface List {
  readonly start: number
  readonly end: number
  /** A single one belongs to a sequence. */
  readonly items: readonly string[]
}

function firstList(text: string): List | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    // bash keeps `{}` at the beginning, for find.
    const list = start === 0 && text[1] === '}' ? undefined : listAt(text, start)
    if (list !== undefined) return list
  }
  return undefined
}

/** Reads the list that a brace opens. As in bash, one that closes before any comma or two points is a character. */
function listAt(text: string, start: number): List | undefined {
  const items: string[] = []
  let depth = 0
  let from = start + 1
  let isList = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '{') depth += 1
    else if (sign === '}' && depth > 0) depth -= 1
    else if (depth === 0 && sign === ',') {
      items.push(text.slice(from, at))
      from = at + 1
      isList = true
    } else if (depth === 0 && text.startsWith('..', at) && text[at + 2] !== '}') isList = true
    else if (sign === '}' && isList) return { start, end: at + 1, items: [...items, text.slice(from, at)] }
  }
  return undefined
}
