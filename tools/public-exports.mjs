// Reads the public exports of packages, with their sentences and signatures, from the compiled declarations.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, workspaces } from './lib.mjs'

const DECLARATION = /^export (?:declare )?(?:abstract )?(const|function|class|interface|type|enum) ([\w$]+)/
const OWN_DECLARATION = /^(?:declare )?(const|function|class|interface|type) ([\w$]+)/
const LIST = /^export (type )?\{([^}]*)\} from '([^']+)';/
const STAR = /^export (?:type )?\* from '([^']+)';/
const OWN_LIST = /^export (?:type )?\{([^}]*)\};/
/** Names that a module declares for itself or imports, which a list exports later. */
const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)';/

const manifests = new Map()
/** Returns the folder and the manifest of a package of this project. */
function packageOf(name) {
  if (manifests.size === 0)
    for (const folder of workspaces())
      manifests.set(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name, folder)
  return manifests.get(name)
}

/** Returns the declaration file of an import, or undefined outside of this project. */
function fileOf(from, to) {
  if (to.startsWith('.')) return join(dirname(from), to.replace(/\.js$/, '.d.ts'))
  const [, name, sub] = /^((?:@[\w-]+\/)?[\w-]+)(?:\/(.+))?$/.exec(to) ?? []
  const folder = packageOf(name)
  if (!folder) return undefined
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const types = exports[sub ? `./${sub}` : '.']?.types
  return types && join(root, folder, types)
}

/** Returns the text of a comment, without stars. */
const proseOf = (comment) =>
  comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()

/** Splits a declaration file into its top-level statements, each with the comment before it. */
function* statementsOf(text) {
  const lines = text.split('\n')
  for (let at = 0, comment = ''; at < lines.length; at++) {
    if (lines[at].startsWith('/**')) {
      const first = at
      while (!lines[at].includes('*/')) at++
      comment = lines.slice(first, at + 1).join('\n')
      continue
    }
    if (!/^(?:export|declare|import|interface|type) /.test(lines[at])) continue
    const first = at
    // A statement goes on in indented lines and the closing line after them.
    while (
      at + 1 < lines.length &&
      (/^[ \t}]/.test(lines[at + 1]) || (lines[at].endsWith('{') && lines[at + 1] === ''))
    )
      at++
    yield { comment, code: lines.slice(first, at + 1).join('\n') }
    comment = ''
  }
}

const namesIn = (list) =>
  list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((entry) => {
      const [name, as = name] = entry.split(' as ')
      return { name: name.trim(), as: as.trim() }
    })

const read = new Map()

/** Returns the exports of a declaration file by name: `{ name, kind, code, doc }`. */
export function exportsOfFile(file) {
  if (!read.has(file)) {
    const declarations = new Declarations(file)
    // Known before it is read, for files that export each other.
    read.set(file, declarations.found)
    if (existsSync(file)) declarations.read()
  }
  return read.get(file)
}

/** The exports of one declaration file. */
class Declarations {
  found = new Map()
  #file
  #text = ''
  /** The names that the file declares for itself or imports, and may export in a list. */
  #local = new Map()

  constructor(file) {
    this.#file = file
  }

  read() {
    this.#text = readFileSync(this.#file, 'utf8')
    for (const statement of statementsOf(this.#text)) {
      const flat = statement.code.replaceAll('\n', ' ')
      const match = FORMS.find(([form]) => form.test(flat))
      if (match) this[match[1]](match[0].exec(flat))
      else this.declaration(statement)
    }
  }

  #put(entry) {
    const other = this.found.get(entry.name)
    // A token and its type have one name, and overloads too: the first sentence is that of all.
    if (!other) this.found.set(entry.name, entry)
    else this.found.set(entry.name, { ...other, doc: other.doc || entry.doc, code: `${other.code}\n${entry.code}` })
  }

  #from(to) {
    const target = fileOf(this.#file, to)
    return target ? exportsOfFile(target) : new Map()
  }

  import([, list, to]) {
    for (const { name, as } of namesIn(list)) this.#local.set(as, () => this.#from(to).get(name))
  }

  star([, to]) {
    for (const entry of this.#from(to).values()) this.#put(entry)
  }

  list([, , list, to]) {
    const target = this.#from(to)
    for (const { name, as } of namesIn(list))
      this.#put({ kind: 'type', code: '', doc: '', ...target.get(name), name: as, external: target.size === 0 })
  }

  ownList([, list]) {
    for (const { name, as } of namesIn(list)) {
      const entry = this.#local.get(name)?.()
      if (entry) this.#put({ ...entry, name: as })
    }
  }

  declaration({ comment, code }) {
    const [, kind, name] = DECLARATION.exec(code) ?? OWN_DECLARATION.exec(code) ?? []
    if (!kind) return
    const doc = proseOf(comment)
    if (!code.startsWith('export')) {
      this.#local.set(name, () => ({ name, kind, code, doc }))
      return
    }
    for (const as of kind === 'const' ? constantsIn(code) : [name])
      this.#put({ name: as, kind, code, doc: doc || aliasDoc(this.#text, this.#file, as) })
  }
}
const FORMS = [
  [IMPORT, 'import'],
  [STAR, 'star'],
  [LIST, 'list'],
  [OWN_LIST, 'ownList'],
]

/** Returns the names of `export declare const a: …, b: …`, which a destructured import becomes. */
function constantsIn(code) {
  const names = []
  let depth = 0
  for (const [part] of code.replace(/^export declare const /, '').matchAll(/=>|[<({[]|[>)}\]]|,|[\w$]+(?=:| = )|./gs)) {
    if (/^[<({[]$/.test(part)) depth++
    else if (/^[>)}\]]$/.test(part)) depth--
    else if (part === ',' && depth === 0) names.push(undefined)
    else if (depth === 0 && /^[\w$]+$/.test(part) && (names.length === 0 || names.at(-1) === undefined))
      names[Math.max(0, names.length - 1)] = part
  }
  return names.filter(Boolean)
}

/** Returns the sentence of the export that an alias of a whole module (`Api.name`) stands for. */
function aliasDoc(text, file, name) {
  const api = /^import type \* as Api from '([^']+)';/m.exec(text)?.[1]
  const target = api && fileOf(file, api)
  return (target && exportsOfFile(target).get(name)?.doc) ?? ''
}

/** The packages whose public exports are documented, with the entries that people import. */
export const DOCUMENTED = {
  mynah: ['.', './agent', './ai', './testing'],
  '@mynah/sdk': ['.'],
  '@mynah/contract': ['.', './wire', './type', './validate', './example'],
}

/** Returns the exports of an entry of a package, by name. */
export function publicExports(name, entry = '.') {
  const file = fileOf('', entry === '.' ? name : `${name}/${entry.slice(2)}`)
  if (!file) throw new Error(`there is no ${name} ${entry}`)
  return Array.from(exportsOfFile(file).values()).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the public exports without a sentence, one line each. */
export function undocumentedExports() {
  return Object.entries(DOCUMENTED).flatMap(([name, entries]) => {
    const missing = new Set(
      entries.flatMap((entry) =>
        publicExports(name, entry)
          .filter(({ doc, external }) => !doc && !external)
          .map((found) => `${name} (${entry}): ${found.name} has no sentence`),
      ),
    )
    return [...missing]
  })
}
