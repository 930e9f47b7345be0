import { EFFECTS, type Effect, type Option, type ProgramSpec } from './program-spec.js'

/**
 * Parses descriptions of programs, written like the synopsis and options of a manual page:
 *
 *     # A comment.
 *     sort|gsort <read>...
 *       -b -d -f --reverse
 *       --help --version: query
 *       -k -t --key <text>
 *       --sort [text]
 *       tolerant
 *       recursive: -r
 *
 *     git stash push <read>...
 *
 * A line at the margin begins a block with its synopsis: the names of the program, its subcommands, its operands.
 *
 * - `a|b` are names of the same program. A line that ends with `|` is continued by the next one.
 * - `git stash push` describes a subcommand of `git stash`, which needs a block of its own before.
 * - `python -m venv` describes what an option of `ends-options` selects. `*` is any other value.
 * - `<effect>` is an operand. The last one repeats: `<effect>...`. The effects are listed in `program-spec.ts`.
 * - `<command>...` as the last operand is a command that the program runs, `<assignment>...` before it are
 *   `NAME=value`.
 * - A name that begins with a point is a block that is only there for the `like:` of others.
 *
 * Indented lines describe options or properties:
 *
 * - `-a --all` are flags, and `-a --all: effect` flags that do more than shape the output.
 * - `-k --key <effect>` take a value, `--sort [effect]` an attached one or none, `--arg <name> <effect>` a name and a
 *   value.
 * - `-f*` is a family of options, and `*` every other option.
 * - A word of {@link PROPERTIES} is a property of the program; several are separated by commas.
 * - `like: a b` copies what the blocks `a` and `b` describe so far. The synopsis and later lines add to it or replace
 *   it.
 * - `works-in:` lists options whose value is the folder in which the program works.
 * - `recursive:`, `changes-operands:`, `replaces-operand:`, `ends-options:` and `edits-operands-unless:` list options
 *   of the block. `edits-operands` alone has no exception.
 * - `prefixes:`, `stdin:`, `without-operands:` and `style:` have one value.
 *
 * @throws ManualError at the first mistake, with its line and word
 */
export function parseManual(text: string): ReadonlyMap<string, ProgramSpec> {
  return new ManualParser().parse(text)
}

/** A mistake in a description. */
export class ManualError extends Error {
  constructor(
    readonly line: number,
    readonly word: string,
    problem: string,
  ) {
    super(`line ${line}, "${word}": ${problem}`)
    this.name = 'ManualError'
  }
}

const PROPERTIES = {
  network: 'network',
  'options-first': 'optionsFirst',
  'no-abbreviations': 'noAbbreviations',
  'single-hyphen': 'singleHyphen',
  'numeric-options': 'numericOptions',
  'no-options': 'noOptions',
  tolerant: 'tolerant',
  'mixed-operands': 'mixedOperands',
  'other-subcommands': 'otherSubcommands',
  'last-is-target': 'lastIsTarget',
} as const

const OPTION_LISTS = {
  recursive: 'recursive',
  'works-in': 'worksIn',
  'changes-operands': 'changesOperands',
  'replaces-operand': 'replacesOperand',
  'ends-options': 'endsOptions',
  'edits-operands-unless': 'editsUnless',
} as const

const COMMAND = 'command...'
const ASSIGNMENTS = 'assignment...'

type Properties = Omit<ProgramSpec, 'options' | 'subcommands' | 'modules'>

/** A program while its block is parsed. */
type Draft = { -readonly [Key in keyof Properties]: Properties[Key] } & {
  readonly options: Map<string, Option>
  subcommands?: Map<string, Draft>
  modules?: Map<string, Draft>
}

interface Line {
  readonly number: number
  readonly words: readonly string[]
}

class ManualParser {
  readonly #programs = new Map<string, Draft>()
  #draft: Draft | undefined
  /** Options that this block itself describes: none may be described twice. */
  #described = new Set<string>()
  /** Options that the lists of this block name, with their lines. */
  #listed: { readonly name: string; readonly word: string; readonly line: number }[] = []
  /** Names that have a block of their own, by what they belong to. Others may come from `like`. */
  readonly #defined = new Map<object, Set<string>>()

  parse(text: string): ReadonlyMap<string, ProgramSpec> {
    const lines = text.split('\n')
    for (let at = 0; at < lines.length; at++) {
      const number = at + 1
      let line = lines[at] ?? ''
      if (/^\s*(?:# .*)?$/.test(line)) continue
      while (line.endsWith('|')) line += lines[++at]?.trim() ?? ''
      const words = line.trim().split(/\s+/)
      if (/^\S/.test(line)) this.#synopsis({ number, words })
      else this.#body({ number, words })
    }
    this.#endBlock()
    return new Map([...this.#programs].filter(([name]) => !name.startsWith('.')))
  }

  #synopsis(line: Line): void {
    this.#endBlock()
    const end = line.words.findIndex((word) => word.startsWith('<'))
    const path = end < 0 ? line.words : line.words.slice(0, end)
    const draft: Draft = { options: new Map() }
    this.#define(draft, path, line.number)
    this.#draft = draft
    if (end >= 0) this.#operands(draft, line.words.slice(end), line.number)
  }

  /** Adds a block under its names to the program or subcommand that it belongs to. */
  #define(draft: Draft, path: readonly string[], line: number): void {
    const siblings = this.#siblings(path, line)
    const defined = this.#defined.get(siblings) ?? new Set()
    this.#defined.set(siblings, defined)
    for (const name of (path.at(-1) ?? '').split('|')) {
      if (name === '' || defined.has(name)) throw new ManualError(line, name, 'has a block already')
      defined.add(name)
      siblings.set(name, draft)
    }
  }

  /** Returns where the last word of a synopsis belongs: among programs, subcommands or modules. */
  #siblings(path: readonly string[], line: number): Map<string, Draft> {
    let siblings = this.#programs
    for (let at = 0; at < path.length - 1; at++) {
      const word = path[at] ?? ''
      const parent = siblings.get(word)
      if (parent === undefined) throw new ManualError(line, word, 'is not described above')
      // Subcommands that `like` has copied are shared with the block that they come from.
      if (this.#defined.get(siblings)?.has(word) !== true) throw new ManualError(line, word, 'has no block of its own')
      const option = path[at + 1] ?? ''
      if (!option.startsWith('-')) {
        siblings = parent.subcommands ??= new Map()
        continue
      }
      if (parent.endsOptions?.includes(option.slice(1)) !== true)
        throw new ManualError(line, option, `is not one of the ends-options of ${word}`)
      siblings = parent.modules ??= new Map()
      at += 1
    }
    return siblings
  }

  #operands(draft: Draft, words: readonly string[], line: number): void {
    const operands = words.map((word) => {
      const [, name] = /^<([^<>]+)>(?:\.\.\.)?$/.exec(word) ?? []
      if (name === undefined) throw new ManualError(line, word, 'is not an operand such as <read>')
      return { word, name: word.endsWith('...') ? `${name}...` : name }
    })
    if (operands.at(-1)?.name === COMMAND) {
      const before = operands.slice(0, -1).filter(({ name }) => name !== ASSIGNMENTS)
      draft.command = { after: before.length, assignments: before.length < operands.length - 1 }
      for (const { word, name } of before)
        if (name !== 'text') throw new ManualError(line, word, 'is not <text>, as all operands before a command are')
      return
    }
    draft.operands = operands.map(({ word, name }, at) => {
      const isLast = at === operands.length - 1
      if (name.endsWith('...') !== isLast) throw new ManualError(line, word, 'only the last operand ends with "..."')
      return effectOf(isLast ? name.slice(0, -3) : name, word, line)
    })
  }

  #body({ number, words }: Line): void {
    const draft = this.#draft
    const [first = '', ...rest] = words
    if (draft === undefined) throw new ManualError(number, first, 'belongs to no program')
    if (/^[a-z]/.test(first)) {
      if (first.endsWith(':')) this.#setting(draft, first.slice(0, -1), rest, number)
      else this.#properties(draft, words, number)
    } else {
      this.#options(draft, words, number)
    }
  }

  #properties(draft: Draft, words: readonly string[], line: number): void {
    for (const [at, word] of words.entries()) {
      const isLast = at === words.length - 1
      const name = isLast ? word : word.replace(/,$/, '')
      if (!isLast && name === word) throw new ManualError(line, word, 'is not followed by a comma')
      if (name === 'edits-operands') draft.editsUnless = []
      else if (Object.hasOwn(PROPERTIES, name)) draft[PROPERTIES[name as keyof typeof PROPERTIES]] = true
      else throw new ManualError(line, word, 'is not a property')
    }
  }

  #setting(draft: Draft, key: string, values: readonly string[], line: number): void {
    if (values.length === 0) throw new ManualError(line, `${key}:`, 'has no value')
    if (key === 'like') {
      for (const name of values) this.#copy(draft, name, line)
    } else if (Object.hasOwn(OPTION_LISTS, key)) {
      draft[OPTION_LISTS[key as keyof typeof OPTION_LISTS]] = this.#optionList(draft, values, line)
    } else {
      if (values.length > 1) throw new ManualError(line, values[1] ?? '', `is one value too many for ${key}`)
      setValue(draft, key, values[0] ?? '', line)
    }
  }

  #optionList(draft: Draft, words: readonly string[], line: number): readonly string[] {
    return words.map((word) => {
      const name = this.#optionName(draft, word, line)
      this.#listed.push({ name, word, line })
      return name
    })
  }

  #copy(draft: Draft, name: string, line: number): void {
    const from = this.#programs.get(name)
    if (from === undefined) throw new ManualError(line, name, 'is not described above')
    if (this.#described.size > 0) throw new ManualError(line, name, 'is copied after options: `like:` comes first')
    const { options, subcommands, modules, ...properties } = from
    const { operands = from.operands } = draft
    for (const [option, description] of options) draft.options.set(option, description)
    Object.assign(draft, properties, operands && { operands })
    if (subcommands !== undefined) draft.subcommands = new Map([...(draft.subcommands ?? []), ...subcommands])
    if (modules !== undefined) draft.modules = new Map([...(draft.modules ?? []), ...modules])
  }

  #options(draft: Draft, words: readonly string[], line: number): void {
    const { count, kind, effect } = this.#argument(words, line)
    for (const [at, written] of words.slice(0, count).entries()) {
      // The colon before an effect belongs to the line.
      const word = count < words.length && at === count - 1 ? written.replace(/:$/, '') : written
      const name = this.#optionName(draft, word, line)
      if (this.#described.has(name)) throw new ManualError(line, word, 'is described twice')
      this.#described.add(name)
      draft.options.set(name, { name, kind, effect })
    }
  }

  /** Parses what follows the options of a line. */
  #argument(
    words: readonly string[],
    line: number,
  ): { readonly count: number; readonly kind: Option['kind']; readonly effect: Effect } {
    const last = words.at(-1) ?? ''
    const [, value, optional] = /^<([^<>]+)>$|^\[([^[\]]+)\]$/.exec(last) ?? []
    const count = words.length - 1
    if (value !== undefined) {
      const effect = effectOf(value, last, line)
      if (words.at(-2) === '<name>') return { count: count - 1, kind: 'pair', effect }
      return { count, kind: 'value', effect }
    }
    if (optional !== undefined) return { count, kind: 'optional', effect: effectOf(optional, last, line) }
    if (words.at(-2)?.endsWith(':') === true) return { count, kind: 'flag', effect: effectOf(last, last, line) }
    return { count: words.length, kind: 'flag', effect: 'text' }
  }

  /** Returns the name of an option without its hyphens. In an expression of find one hyphen belongs to the name. */
  #optionName(draft: Draft, word: string, line: number): string {
    if (word === '*') return word
    if (word.startsWith('--') && word.length > 3) return word.slice(2)
    if (draft.style === 'find' && /^(?:-[A-Za-z][\w-]*|[!(),])$/.test(word)) return word
    if (word.startsWith('-') && (word.length === 2 || (draft.singleHyphen === true && word.length > 2)))
      return word.slice(1)
    throw new ManualError(line, word, 'is not an option such as -a or --all')
  }

  #endBlock(): void {
    for (const { name, word, line } of this.#listed)
      if (this.#draft?.options.has(name) !== true) throw new ManualError(line, word, 'is not described in its block')
    this.#listed = []
    this.#described = new Set()
  }
}

function setValue(draft: Draft, key: string, value: string, line: number): void {
  if (key === 'prefixes') draft.prefixes = value
  else if (key === 'without-operands') draft.withoutOperands = effectOf(value, value, line)
  else if (key === 'stdin' && (value === 'code' || value === 'shell')) draft.stdin = value
  else if (key === 'style' && (value === 'tar' || value === 'find')) draft.style = value
  else throw new ManualError(line, `${key}: ${value}`, 'is not understood')
}

function effectOf(name: string, word: string, line: number): Effect {
  const effect = EFFECTS.find((known) => known === name)
  if (effect === undefined) throw new ManualError(line, word, 'is not an effect')
  return effect
}
