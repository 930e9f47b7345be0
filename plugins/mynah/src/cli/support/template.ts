/** The fixed parts of a text of the code. Between two of them is a value. */
export type Template = readonly string[]

const LETTERS = /\p{L}/gu

/** Returns the number of letters that do not depend on values. */
export const fixedLetters = (template: Template): number =>
  template.reduce((sum, part) => sum + (part.match(LETTERS)?.length ?? 0), 0)

/** Returns the values of a text that was made from a template, or undefined where it was not. Takes linear time. */
export function valuesIn(text: string, template: Template): string[] | undefined {
  const first = template[0] ?? ''
  const last = template.at(-1) ?? ''
  if (template.length === 1) return text === first ? [] : undefined
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const end = text.length - last.length
  const values: string[] = []
  let at = first.length
  for (const part of template.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return undefined
    values.push(text.slice(at, found))
    at = found + part.length
  }
  if (at > end) return undefined
  return [...values, text.slice(at, end)]
}

/** Returns a template with values filled in. */
export const filled = (template: Template, values: readonly string[]): string =>
  template.map((part, index) => part + (values[index] ?? '')).join('')
