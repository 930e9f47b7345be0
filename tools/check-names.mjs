// `node tools/check-names.mjs`: names what documentation and comments call by a name that no code has.
//
// Only spans of code are read. A name with a capital inside must be in the code. A plain word that is the whole span,
// or the path of a file, is a finding if it is an old name of docs/adr/0001-names.md.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCode } from './check-lines.mjs'
import { filesIn, root } from './lib.mjs'
import { scan } from './scan.mjs'

const OLD_NAMES = 'docs/adr/0001-names.md'
const IDENTIFIER = /[A-Za-z_$][\w$]*/g
const HAS_CAPITAL_INSIDE = /[a-z][A-Z]\w/
const FILE = /(?<=\/)[\w.-]+\.(?:[cm]?ts|tsx|mjs)\b/g
const SPAN = /`([^`\n]+)`/g
/** Pages that say how something was called. */
const ABOUT_THE_PAST = new Set([OLD_NAMES, 'CHANGELOG.md'])

/** Returns the new name of each old name and old file of the table. */
export function oldNames(table) {
  const rows = table.matchAll(/^(?:\| `([^`\s]+)` \| `([^`]+)` \||- `([^`\s]+)` → `([^`]+)`)/gm)
  return new Map(Array.from(rows, ([, name, successor, other, next]) => [basename(name ?? other), successor ?? next]))
}

const numbered = (text) => text.split('\n').map((line, index) => ({ line: index + 1, text: line }))

/** Returns the lines of a page, and the names that its own blocks of code declare. */
function readPage(page) {
  const own = new Set()
  let inCode = false
  const lines = numbered(page).filter(({ text }) => {
    const isFence = /^\s*(?:```|~~~)/.test(text)
    if (inCode && !isFence) for (const [name] of text.matchAll(IDENTIFIER)) own.add(name)
    if (isFence) inCode = !inCode
    return !inCode && !isFence
  })
  return { lines, own }
}

/** Tests and their data have words of their own. */
const isOfTests = (file) => /(?:^|\/)test\/|\.test\./.test(file)
const isSentence = ({ kind, text }) => kind === 'string' && /\S\s+\S/.test(text)

/** Returns the comments of a source by line, all names in the rest of it, and those outside of sentences. */
function readCode(code) {
  const lines = []
  const names = new Set()
  const plainNames = new Set()
  const add = (text, to) => {
    for (const [name] of text.matchAll(IDENTIFIER)) for (const set of to) set.add(name)
  }
  let at = 0
  for (const token of scan(code).filter((each) => each.kind === 'comment' || isSentence(each))) {
    const { kind, from, to, text } = token
    add(code.slice(at, from), [names, plainNames])
    at = to
    const before = code.slice(0, from).split('\n').length - 1
    if (kind === 'comment') lines.push(...numbered(text).map((part) => ({ ...part, line: part.line + before })))
    else add(text, [names])
  }
  add(code.slice(at), [names, plainNames])
  return { lines, names, plainNames }
}

function readData(text) {
  const names = new Set(text.match(IDENTIFIER))
  return { lines: [], names, plainNames: names }
}

/**
 * Returns the stale names of some files.
 *
 * @param texts the text of each file by its name
 * @param old the successors of old names
 */
export function staleNames(texts, old) {
  const all = new Set()
  const productive = new Set()
  const files = new Set(Array.from(texts.keys(), (file) => basename(file)))
  const read = Array.from(texts).flatMap(([file, text]) => {
    if (file.endsWith('.md')) return ABOUT_THE_PAST.has(file) ? [] : [{ file, ...readPage(text) }]
    const { lines, names, plainNames } = isCode(file) ? readCode(text) : readData(text)
    for (const name of names) all.add(name)
    if (!isOfTests(file)) for (const name of plainNames) productive.add(name)
    return [{ file, lines, own: names }]
  })
  const staleIn = (span, own) => {
    const isNew = (name) => own.has(name) || (old.has(name) ? productive : all).has(name)
    const names = (span.match(IDENTIFIER) ?? []).filter((name) => HAS_CAPITAL_INSIDE.test(name) || name === span)
    return [
      ...names.filter((name) => !isNew(name) && (old.has(name) || HAS_CAPITAL_INSIDE.test(name))),
      ...(span.match(FILE) ?? []).filter((name) => old.has(name) && !files.has(name) && !own.has(name.split('.')[0])),
    ]
  }
  return read.flatMap(({ file, lines, own }) =>
    lines.flatMap(({ line, text }) =>
      Array.from(text.matchAll(SPAN))
        .flatMap(([, span]) => staleIn(span, own))
        .map((name) => {
          const successor = old.get(name)
          return `${file}:${line}: no code has \`${name}\`${successor ? `; its name is \`${successor}\` now` : ''}`
        }),
    ),
  )
}

const isRead = (file) =>
  !/(?:^|\/)(?:dist|\.cache)\/|package-lock\.json$/.test(file) &&
  (isCode(file) || /\.(?:md|json|ya?ml|service)$/.test(file))

/** Returns the stale names of the project, one text each. */
export function checkNames() {
  const texts = new Map(filesIn(root, isRead).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  return staleNames(texts, oldNames(readFileSync(join(root, OLD_NAMES), 'utf8')))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = checkNames()
  for (const line of found) process.stdout.write(`${line}\n`)
  process.exitCode = found.length ? 1 : 0
}
