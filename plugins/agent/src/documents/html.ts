import { Parser } from 'htmlparser2'
import { tidyLines } from './tidy-lines.js'

/** Elements whose content people do not read. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'canvas', 'iframe', 'object'])
const CELLS = new Set(['td', 'th'])
const BLOCKS = new Set([
  ...['p', 'div', 'section', 'article', 'main', 'header', 'footer', 'nav', 'aside', 'ul', 'ol', 'dl', 'table'],
  ...['blockquote', 'figure', 'details', 'pre', 'title', 'form'],
])
const LINES = new Set(['br', 'li', 'tr', 'dt', 'dd', 'hr', 'option', 'figcaption'])
const PIECE = 16_384

/** Returns the text of a page of HTML: what people read of it, with headings and list items marked as in Markdown. */
export function htmlText(html: string): string {
  const text: string[] = []
  let silent = 0
  const open = (name: string): void => {
    if (SILENT.has(name)) silent++
    const heading = /^h([1-6])$/.exec(name)?.[1]
    if (heading !== undefined) text.push('\n\n', `${'#'.repeat(Number(heading))} `)
    else if (BLOCKS.has(name)) text.push('\n\n')
    else if (LINES.has(name)) text.push(name === 'li' ? '\n- ' : '\n')
  }
  const close = (name: string): void => {
    if (SILENT.has(name)) silent = Math.max(0, silent - 1)
    else if (BLOCKS.has(name) || /^h[1-6]$/.test(name)) text.push('\n\n')
    else if (CELLS.has(name)) text.push('\t')
  }
  const parser = new Parser({
    onopentagname: open,
    onclosetag: close,
    ontext: (piece) => {
      if (silent === 0) text.push(piece.replace(/\s+/g, ' '))
    },
  })
  for (let at = 0; at < html.length; at += PIECE) parser.write(html.slice(at, at + PIECE))
  parser.end()
  const lines = text.join('').split('\n')
  return tidyLines(lines.map((line) => line.replace(/^ +/, '').trimEnd().replace(/ {2,}/g, ' ')).join('\n'))
}
