// Every text that a report shows of a log line is in the public code of a package. So no text of a person, a
// platform or a model can be in it: what the code does not contain is not shown.
import { readFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type AnyNode, type Expression } from 'acorn'
import type { InstalledPackage } from './packages.js'
import { fixedLetters, type Template } from './template.js'

/** The texts in the code of packages. */
export interface CodeTexts {
  /** Texts of any kind, also those of log lines. */
  readonly messages: readonly Template[]
  /** Texts of errors. */
  readonly errors: readonly Template[]
  /** Texts without a value: names of states, kinds and codes. */
  readonly words: ReadonlySet<string>
}

const CODE_FILE = /\.[cm]?js$/
const NOT_CODE = /(?:^test$|^tests$|^node_modules$|\.test\.[cm]?js$)/
/** Packages that no host loads. */
const NOT_IN_HOST = new Set(['@mynah/console', '@mynah/sdk'])
/** Less would fit texts that were made elsewhere. */
const LEAST_LETTERS = 8
const MAX_WORD = 64

/** Texts of the errors that the language and the runtime throw. */
const RUNTIME: readonly Template[] = [
  ['Cannot read properties of undefined (reading ', ')'],
  ['Cannot read properties of null (reading ', ')'],
  ['Cannot set properties of undefined (setting ', ')'],
  ['Cannot set properties of null (setting ', ')'],
  ['', ' is not a function'],
  ['', ' is not iterable'],
  ['', ' is not defined'],
  ['', ' is not a constructor'],
  ['Unexpected token ', ' is not valid JSON'],
  ['Unexpected end of JSON input'],
  ['Maximum call stack size exceeded'],
  ['Assignment to constant variable.'],
  ['Converting circular structure to JSON', ''],
  ['The operation was aborted due to timeout'],
  ['This operation was aborted'],
  ['fetch failed'],
  ['other side closed'],
  ['socket hang up'],
  ['Cannot find module ', ' imported from ', ''],
  ['Cannot find package ', ' imported from ', ''],
]

/** Reads the code of packages. A file that is not a module of JavaScript has no texts. */
export async function readCodeTexts(packages: readonly InstalledPackage[]): Promise<CodeTexts> {
  const collected = new Collector()
  for (const { name, folder } of packages)
    for (const file of NOT_IN_HOST.has(name) ? [] : codeFiles(folder)) collected.add(await readFile(file, 'utf8'))
  return collected.texts()
}

function codeFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_CODE.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return codeFiles(path)
    return entry.isFile() && CODE_FILE.test(entry.name) ? [path] : []
  })
}

class Collector {
  readonly #messages = new Map<string, Template>()
  readonly #errors = new Map<string, Template>(RUNTIME.map((template) => [template.join('\0'), template]))
  readonly #words = new Set<string>()

  texts(): CodeTexts {
    return { messages: [...this.#messages.values()], errors: [...this.#errors.values()], words: this.#words }
  }

  add(source: string): void {
    try {
      const module = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
      this.#walk(module, false)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }

  #walk(node: AnyNode, ofError: boolean): void {
    const inError = ofError || isError(node)
    if (node.type === 'Property' && !node.computed && node.key.type === 'Identifier') this.#words.add(node.key.name)
    const template = templateOf(node)
    if (template) this.#keep(template, inError)
    // The parts of a joined text are no texts of their own.
    const inner = node.type === 'BinaryExpression' && template ? valuesOf(node) : childrenOf(node)
    for (const child of inner) this.#walk(child, inError)
  }

  #keep(template: Template, isOfError: boolean): void {
    const [only = ''] = template
    if (template.length === 1 && only.length <= MAX_WORD) this.#words.add(only)
    if (fixedLetters(template) < LEAST_LETTERS) return
    const key = template.join('\0')
    this.#messages.set(key, template)
    if (isOfError) this.#errors.set(key, template)
  }
}

/** Returns whether a node makes an error, such as `new TypeError(…)`. */
const isError = (node: AnyNode): boolean =>
  node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name.endsWith('Error')

/** Returns the template of an expression that makes a text, or undefined. */
function templateOf(node: AnyNode): Template | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : undefined
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const parts = joined(node).map((part) => templateOf(part))
  return parts.some((part) => part !== undefined) ? concatenated(parts) : undefined
}

/** Returns the operands of a chain of `+`. */
function joined(node: AnyNode): AnyNode[] {
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return [node]
  return [...joined(node.left), ...joined(node.right)]
}

function concatenated(parts: readonly (Template | undefined)[]): Template {
  return parts.reduce<string[]>(
    (all, part) => {
      const [first = '', ...rest] = part ?? ['', '']
      return [...all.slice(0, -1), `${all.at(-1) ?? ''}${first}`, ...rest]
    },
    [''],
  )
}

/** Returns the values within a joined text. */
const valuesOf = (node: AnyNode): Expression[] =>
  joined(node).flatMap((part) => (part.type === 'TemplateLiteral' ? part.expressions : [])) as Expression[]

function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) children.push(item)
  }
  return children
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
