// `node tools/check-lines.mjs [folder...]`: names lines of code over 120 characters.
//
// A line may be longer for an address, for one quoted string, and inside a template of several lines: these cannot be
// broken without a change of the text. Comments, regular expressions and other templates can.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exceptionsOf, isIn, withoutExceptions } from './exceptions.mjs'
import { filesIn, root } from './lib.mjs'
import { scan } from './scan.mjs'

const WIDTH = 120
const ADDRESS = /\bhttps?:\/\/\S{1,2000}/g

/** Returns whether a file is code that people write. */
export const isCode = (file) =>
  /\.(?:[cm]?[jt]s|tsx|css)$/.test(file) && !/(?:^|\/)(?:dist|dist-demo|\.cache|types\/src|coverage)\//.test(file)

/** Returns the lines of `code` that are too long, counted from 1. */
export function longLines(code) {
  const lines = code.split('\n')
  if (!lines.some((line) => line.length > WIDTH)) return []
  const starts = []
  for (let at = 0, i = 0; i < lines.length; at += lines[i].length + 1, i++) starts.push(at)
  const tokens = scan(code)
  return lines.flatMap((line, index) => {
    if (line.length <= WIDTH) return []
    const [from, to] = [starts[index], starts[index] + line.length]
    const here = tokens.filter((token) => token.from < to && token.to > from)
    if (here.some(({ kind, from: begin, to: end }) => kind === 'template' && (begin < from || end > to))) return []
    const unbroken = [
      ...here.filter(({ kind }) => kind === 'string').map(({ text }) => text.length),
      ...Array.from(line.matchAll(ADDRESS), ([address]) => address.length),
    ]
    return line.length - Math.max(0, ...unbroken) <= WIDTH ? [] : [index + 1]
  })
}

/** Returns the long lines of the project, one text each. */
export function checkLines(folders = []) {
  const findings = filesIn(root, isCode)
    .filter(isIn(folders))
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8')
      const lines = code.split('\n')
      return longLines(code).map((line) => {
        const source = lines[line - 1]
        return { file, line, source, message: `${source.length} characters: ${source.trim().slice(0, 80)}` }
      })
    })
  return withoutExceptions(findings, exceptionsOf('lines'), isIn(folders))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = checkLines(process.argv.slice(2))
  for (const line of found) process.stdout.write(`${line}\n`)
  process.exitCode = found.length ? 1 : 0
}
