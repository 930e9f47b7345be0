// The lines of JSON that the process which reads a document writes to the host.

/** The most characters of the text of one line, so that the host has little to do at a time. */
export const MAX_PIECE = 32_768

/** A page, more of the page before, or the end. */
export type Reading =
  | { readonly page: string }
  | { readonly more: string }
  /** `problem` is the reason in words why not all could be read, `cause` an error of the library. */
  | { readonly isDone: true; readonly problem?: string; readonly cause?: string }

/** Returns the lines of a page. */
export function pageLines(text: string): Reading[] {
  const lines: Reading[] = [{ page: text.slice(0, MAX_PIECE) }]
  for (let at = MAX_PIECE; at < text.length; at += MAX_PIECE) lines.push({ more: text.slice(at, at + MAX_PIECE) })
  return lines
}

/** Returns what a line says, or `undefined` where it is none of these. */
export function readingOf(line: string): Reading | undefined {
  const value = parsed(line)
  const { page, more, isDone, problem, cause } = value
  if (typeof page === 'string') return { page }
  if (typeof more === 'string') return { more }
  if (isDone !== true) return undefined
  return {
    isDone,
    ...(typeof problem === 'string' ? { problem } : {}),
    ...(typeof cause === 'string' ? { cause } : {}),
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
