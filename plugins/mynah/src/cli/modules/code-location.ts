// Where in a file a failure stands, as people write it: `plugins/bot.js:3:11`.
import { relative, sep } from 'node:path'
import { framesIn, pathOf } from '../../process/attribution.js'

/** A place in a source file, with the line that stands there. */
export interface CodePlace {
  readonly file: string
  readonly line: number
  readonly column?: number
  readonly text?: string
}

const MOST_LINES = 60
const MOST_TEXT = 120
const HEAD = /^(file:\/\/\S+|\/.+|\[stdin\]):(\d+)$/

/** The place at the head of a stack: Node shows the line of a syntax error there, with marks below it. */
export function placeAtHead(stack: string | undefined): CodePlace | undefined {
  const lines = (stack ?? '').split('\n', MOST_LINES)
  const head = HEAD.exec((lines[0] as string).trim())
  const file = head && pathOf(head[1] as string)
  if (!file) return undefined
  const place = { file, line: Number(head[2]) }
  // Some Nodes show lines before it too; the one that is meant has the marks below.
  const marks = lines.findIndex((line, index) => index > 1 && /^ *\^+ *$/.test(line))
  return marks < 0
    ? { ...place, ...(lines[1] ? { text: lines[1] } : {}) }
    : { ...place, text: lines[marks - 1] as string, column: (lines[marks] as string).indexOf('^') + 1 }
}

/** The innermost frame of a stack in a file of the host's own folders. */
export function placeInStack(stack: string | undefined, root: string): CodePlace | undefined {
  const own = framesIn(stack ?? '').find(
    ({ file }) => file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`),
  )
  return own && { file: own.file, line: own.line, column: own.column }
}

/** A place relative to the host's folder, so that no path of the machine is told. */
export function describePlace({ file, line, column }: CodePlace, root: string): string {
  const near = relative(root, file)
  const shown = near.startsWith('..') ? file.slice(file.lastIndexOf(sep) + 1) : near.replaceAll(sep, '/')
  return `${shown}:${line}${column === undefined ? '' : `:${column}`}`
}

/** The line of a place as a clause, so that it fits into one line of a log. */
export function quotedLine({ text }: CodePlace): string {
  const line = text?.trim()
  return line ? ` in: ${line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line}` : ''
}
