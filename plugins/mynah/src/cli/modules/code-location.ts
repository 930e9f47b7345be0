import { relative, sep } from 'node:path'
import { framesIn, pathOf } from '../../process/attribution.js'

/** A location in a source file, with the text of the line. */
export interface CodeLocation {
  readonly file: string
  readonly line: number
  readonly column?: number
  readonly text?: string
}

const MOST_LINES = 60
const MOST_TEXT = 120
const HEAD = /^(file:\/\/\S+|\/.+|\[stdin\]):(\d+)$/

/** Returns the location at the head of a stack, where Node shows the line of a syntax error with marks below it. */
export function locationAtHead(stack: string | undefined): CodeLocation | undefined {
  const lines = (stack ?? '').split('\n', MOST_LINES)
  const head = HEAD.exec((lines[0] as string).trim())
  const file = head && pathOf(head[1] as string)
  if (!file) return undefined
  const place = { file, line: Number(head[2]) }
  // Some versions of Node show previous lines too. The relevant line has the marks below it.
  const marks = lines.findIndex((line, index) => index > 1 && /^ *\^+ *$/.test(line))
  return marks < 0
    ? { ...place, ...(lines[1] ? { text: lines[1] } : {}) }
    : { ...place, text: lines[marks - 1] as string, column: (lines[marks] as string).indexOf('^') + 1 }
}

/** Returns the innermost frame of a stack in a file of the host. */
export function locationInStack(stack: string | undefined, root: string): CodeLocation | undefined {
  const own = framesIn(stack ?? '').find(
    ({ file }) => file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`),
  )
  return own && { file: own.file, line: own.line, column: own.column }
}

/** Returns the path of a file relative to the folder of the host, or its name where it is elsewhere. */
export function relativePath(file: string, root: string): string {
  const near = relative(root, file)
  return near.startsWith('..') ? file.slice(file.lastIndexOf(sep) + 1) : near.replaceAll(sep, '/')
}

/**
 * Formats a location relative to the folder of the host, such as `plugins/bot.js:3:11`, to hide paths of the machine.
 */
export function formatLocation({ file, line, column }: CodeLocation, root: string): string {
  return `${relativePath(file, root)}:${line}${column === undefined ? '' : `:${column}`}`
}

/** Returns the line of a location as a clause for a log line. */
export function quotedLine({ text }: CodeLocation): string {
  const line = text?.trim()
  return line ? ` in: ${line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line}` : ''
}
