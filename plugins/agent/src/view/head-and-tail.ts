/** Bounds of one text. */
export const MAX_BYTES = 50 * 1024
export const MAX_LINES = 2_000
/** The share of the beginning. */
const HEAD = 0.7
/** UTF-8 has at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

interface Bounds {
  readonly lines: number
  readonly bytes: number
}

/**
 * Returns the beginning and the end of a text with a mark between them, which ends with the note.
 *
 * @param bytes how much of the text is shown at most
 */
export function headAndTail(text: string, note: string, bytes = MAX_BYTES): string {
  const most = { lines: MAX_LINES * HEAD, bytes: bytes * HEAD }
  const head = takeLines(text.split('\n'), most, 'head')
  const rest = text.slice(head.length)
  const others = { lines: MAX_LINES - most.lines, bytes: bytes - most.bytes }
  const tail = takeLines(rest.split('\n').reverse(), others, 'tail')
  const left = rest.slice(0, rest.length - tail.length)
  const lines = left.split('\n').length - 1
  return `${head}\n[… ${left.length} characters, ${lines} lines left out${note} …]\n${tail}`
}

/** Returns lines within the bounds: whole ones, and a part of one that is too long for what is left. */
function takeLines(lines: readonly string[], max: Bounds, end: 'head' | 'tail'): string {
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    if (kept.length === max.lines) break
    const left = max.bytes - bytes
    bytes += Buffer.byteLength(line) + 1
    if (bytes > max.bytes) {
      // A whole document may be one line between two short ones.
      if (kept.length === 0 || left >= max.bytes / 2) kept.push(partOf(line, left, end))
      break
    }
    kept.push(line)
  }
  return (end === 'head' ? kept : kept.reverse()).join('\n')
}

/** Returns a part of a long line, without splitting a character. */
function partOf(line: string, maxBytes: number, end: 'head' | 'tail'): string {
  const length = Math.floor(maxBytes / MAX_BYTES_PER_UNIT)
  const isHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
  if (end === 'head') return line.slice(0, isHalf(line.charCodeAt(length)) ? length - 1 : length)
  const from = Math.max(0, line.length - length)
  return line.slice(isHalf(line.charCodeAt(from)) ? from + 1 : from)
}
