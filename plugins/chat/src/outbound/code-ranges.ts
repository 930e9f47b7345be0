// Where code stands in a text: fenced blocks, and spans between backticks. What looks like a picture there is told of, not shown.

/** From one place of a text up to another. */
export type Range = readonly [from: number, to: number]

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** The ranges of code, in order; a block that does not end goes on to the end of the text. */
export function findCode(text: string): readonly Range[] {
  const found: Range[] = []
  let fence: { readonly mark: string; readonly from: number } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark] = FENCE.exec(line) ?? []
    if (fence) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) {
        found.push([fence.from, at + line.length])
        fence = undefined
      }
    } else if (mark !== undefined && !(mark.startsWith('`') && line.trim().slice(mark.length).includes('`')))
      fence = { mark, from: at }
    else found.push(...spansIn(line, at))
    at += line.length + 1
  }
  if (fence) found.push([fence.from, text.length])
  return found
}

/** Spans of a line: between runs of backticks of one length. */
function spansIn(line: string, offset: number): Range[] {
  if (!line.includes('`')) return []
  const runs = Array.from(line.matchAll(/`+/g), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
    length: match[0].length,
  }))
  const found: Range[] = []
  for (let at = 0; at < runs.length; at++) {
    const begin = runs[at] as (typeof runs)[number]
    // A length that does not come again is looked for once: there are few different ones in a line.
    let next = at + 1
    while (next < runs.length && runs[next]?.length !== begin.length) next++
    const end = runs[next]
    if (!end) continue
    found.push([offset + begin.from, offset + end.to])
    at = next
  }
  return found
}
