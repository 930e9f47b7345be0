/**
 * Returns what bash makes of a text without quotes that holds brace lists, or undefined where there is a sequence or
 * more than `limit` texts. A brace without a comma of its own is a character.
 */
export function bracedTexts(text: string, limit: number): readonly string[] | undefined {
  const list = firstList(text)
  if (list === undefined) return /\{[^{},]*\.\.[^{},]*\}/.test(text) ? undefined : [text]
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

/** Finds the first brace that closes and has a comma between its own items. */
function firstList(
  text: string,
): { readonly start: number; readonly end: number; readonly items: readonly string[] } | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const items: string[] = []
    let depth = 0
    let from = start + 1
    for (let at = start; at < text.length; at++) {
      const sign = text[at]
      if (sign === '{') depth += 1
      else if (sign === '}') depth -= 1
      if ((sign === ',' && depth === 1) || depth === 0) {
        items.push(text.slice(from, at))
        from = at + 1
      }
      if (depth > 0) continue
      if (items.length > 1) return { start, end: at + 1, items }
      break
    }
  }
  return undefined
}
