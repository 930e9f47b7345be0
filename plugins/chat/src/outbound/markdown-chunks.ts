/** Above this, a piece ends at the next empty line. */
const LONG_CHARS = 2_000
/** Above this, a piece ends at the next line break. */
const LONGEST_CHARS = 4_000
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})(?:[^~\n].*)?)$/

/**
 * Divides Markdown into pieces that can be parsed one by one, at empty lines where there are some and never within a
 * fenced block: the time to parse hostile Markdown grows with the square of its length.
 */
export function markdownChunks(source: string): readonly string[] {
  if (source.length <= LONG_CHARS) return [source]
  const chunks: string[] = []
  let lines: string[] = []
  let size = 0
  let fence: string | undefined
  for (const line of source.split('\n')) {
    const isEmpty = line.trim() === ''
    if (fence === undefined && (size > LONGEST_CHARS || (isEmpty && size > LONG_CHARS))) {
      chunks.push(lines.join('\n'))
      lines = []
      size = 0
    }
    lines.push(line)
    size += line.length + 1
    fence = fenceAfter(line, fence)
  }
  chunks.push(lines.join('\n'))
  return chunks.filter((chunk) => chunk.trim() !== '')
}

/** Returns the fence that is open after a line. */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  if (open === undefined) {
    const [, ticks, tildes] = FENCE.exec(line) ?? []
    return ticks ?? tildes
  }
  const words = line.trim()
  const isEnd = words.length >= open.length && words === (open[0] as string).repeat(words.length)
  return isEnd ? undefined : open
}
