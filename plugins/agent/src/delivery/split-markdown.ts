const FENCE = /^ {0,3}(?:(`{3,})[^`\n]*|(~{3,})(?:[^~\n].*)?)$/

/**
 * Splits Markdown in two, at a paragraph or a line break where one is near enough. A fenced block across the cut ends
 * in the first part and goes on in the second one.
 *
 * @param length the most characters of the first part, without the end of a fence
 */
export function splitMarkdown(text: string, length: number): readonly [string, string] {
  if (text.length <= length) return [text, '']
  const head = text.slice(0, length)
  const breakAt = Math.max(head.lastIndexOf('\n\n'), head.lastIndexOf('\n'), 0)
  const at = breakAt > length / 2 ? breakAt : lastWholeCharacter(head)
  const first = text.slice(0, at)
  const fence = openFence(first)
  if (!fence) return [first, text.slice(at).trimStart()]
  // Indents of code stay.
  const rest = text.slice(at).replace(/^\n/, '')
  return [`${first}\n${fence.end}`, `${fence.line}\n${rest}`]
}

/** Returns the line that opened the fenced block at the end of a text, and the line that ends it. */
function openFence(text: string): { readonly line: string; readonly end: string } | undefined {
  let open: { readonly line: string; readonly end: string } | undefined
  for (const line of text.split('\n')) {
    const [, ticks, tildes] = FENCE.exec(line) ?? []
    const end = ticks ?? tildes
    if (!open && end !== undefined) open = { line, end }
    else if (open && isEnd(line.trim(), open.end)) open = undefined
  }
  return open
}

const isEnd = (line: string, fence: string): boolean =>
  line.length >= fence.length && line === (fence[0] as string).repeat(line.length)

/** Returns the length of a text without half a surrogate pair at its end. */
const lastWholeCharacter = (text: string): number => (/[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length)
