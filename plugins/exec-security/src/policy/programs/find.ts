import { OptionSet } from '../option-set.js'
import { substitute } from './placeholder.js'
import { globPattern } from '../patterns.js'
import { HOLE, fileArg, mayBeOption, staticArg, type Arg } from '../words.js'
import type { Option, ProgramSpec } from './program-spec.js'
import type { ParsedArgs, ArgUse } from '../parsed-args.js'
import type { CommandContext } from '../resolved.js'

const LEADING_WILD = /^[\u0001\u0002]/
/** Variables that hold one word. */
const ONE_WORD = /^(?:USER|LOGNAME|E?UID)$/

/** Parses the words of find: folders, then an expression of tests and actions, each a word of its own. */
export function parseFind(words: readonly Arg[], spec: ProgramSpec): ParsedArgs {
  return new FindParser(words, spec).parse()
}

/** Where find begins without a folder. */
const HERE = staticArg('.')
/** Options that precede the folders. */
const LEADING_OPTIONS = /^(?:-[HLPEXdsx]|-O\d|-D)*$/

class FindParser {
  readonly #words: readonly Arg[]
  readonly #spec: ProgramSpec
  readonly #options: OptionSet
  readonly #uses: ArgUse[] = []
  readonly #folders: Arg[] = []
  readonly #innerCommands: (readonly Arg[])[] = []
  readonly #given = new Set<string>()
  #unknown: string | undefined
  #uncertain: Arg | undefined
  #at = 0

  constructor(words: readonly Arg[], spec: ProgramSpec) {
    this.#words = words
    this.#spec = spec
    this.#options = OptionSet.of(spec)
  }

  parse(): ParsedArgs {
    for (; this.#at < this.#words.length; this.#at++) {
      const arg = this.#words[this.#at] as Arg
      if (!/^[-(!,)]/.test(arg.shape) || arg.shape === '-') this.#folder(arg)
      else this.#expression(arg)
    }
    // Below the root only names are found. Of other folders everything may be.
    for (const arg of this.#folders.length === 0 ? [HERE] : this.#folders)
      this.#uses.push({ effect: arg.value === '/' ? 'list' : 'listTree', arg })
    return {
      effects: this.#options.effects,
      spec: this.#spec,
      uses: this.#uses,
      operands: this.#folders,
      command: [],
      innerCommands: this.#innerCommands,
      givenOptions: this.#given,
      subcommandPath: [],
      unknown: this.#unknown,
      uncertain: this.#uncertain,
    }
  }

  #folder(arg: Arg): void {
    // Folders precede the expression.
    if (!LEADING_OPTIONS.test([...this.#given].join(''))) this.#unknown ??= arg.text
    if (mayBeOption(arg)) this.#uncertain ??= arg
    this.#folders.push(arg)
  }

  #expression(arg: Arg): void {
    const { value, text } = arg
    const option = value === undefined ? undefined : this.#find(value)
    if (option === undefined || value === undefined) {
      this.#unknown ??= text
      return
    }
    this.#given.add(value)
    if (option.effect === 'program') this.#command()
    else if (option.kind === 'value') this.#value(option, arg)
    else if (option.effect !== 'text') this.#uses.push({ effect: option.effect, arg, option: value })
  }

  #find(value: string): Option | undefined {
    const option = this.#options.get(value) ?? this.#options.get(value.replace(/^-{1,2}/, ''))
    return option ?? (/^-newer[aBcm][aBcmt]$/.test(value) ? this.#options.get('-mtime') : undefined)
  }

  /** Takes the command of an action, up to `;` or `{} +`. */
  #command(): void {
    const words = this.#words
    const at = this.#at
    const end = words.findIndex(
      ({ value }, i) => i > at && (value === ';' || (value === '+' && words[i - 1]?.value === '{}')),
    )
    if (end < 0) this.#unknown ??= words.at(-1)?.text
    this.#innerCommands.push(words.slice(at + 1, end < 0 ? words.length : end))
    this.#at = end < 0 ? words.length : end
  }

  #value({ effect }: Option, option: Arg): void {
    const value = this.#words[++this.#at]
    if (value === undefined || !isOneWord(value)) this.#unknown ??= option.text
    else this.#uses.push({ effect, arg: value, option: option.shape })
  }
}

function isOneWord({ splits, sources, variables }: Arg): boolean {
  if (!splits || sources.every((source) => source === 'glob')) return true
  return sources.every((source) => source === 'variable') && variables.every((name) => ONE_WORD.test(name))
}

/** Follows the commands of an expression, each with the names that it may be given. */
export function followFind({ innerCommands, spec }: ParsedArgs, { args, followCommand, refuse }: CommandContext): void {
  const computed =
    innerCommands.length > 0
      ? args.some((arg) => arg.splits && !arg.sources.every((source) => source === 'glob'))
      : args.some(({ value }, i) => value === ';' || (value === '+' && args[i - 1]?.value === '{}'))
  if (computed) refuse('the expression of find is computed')
  const found = findPatterns(args, spec).map((pattern) => fileArg('{}', pattern))
  for (const command of innerCommands) {
    if (command.length === 0) refuse('find runs an empty command')
    else
      followCommand(
        command.flatMap((arg) => substitute(arg, '{}', found)),
        true,
      )
  }
}

/** Returns the paths that a call of find may name, which it also passes to the commands that it runs. */
export function findPatterns(words: readonly Arg[], spec: ProgramSpec): readonly string[] {
  const roots: string[] = []
  for (const word of words) {
    if (/^[-(!]/.test(word.shape)) {
      if (/^-(?:[HLPEXdsx]|O\d)$/.test(word.value ?? '')) continue
      break
    }
    roots.push(word.pattern)
  }
  const name = soleName(words, spec)
  // Names that begin with a dot are found by wildcards, too, which those of the shell are not.
  const last = name === undefined ? HOLE : globPattern(name).replace(LEADING_WILD, HOLE)
  return (roots.length === 0 ? ['.'] : roots).map((root) =>
    name === undefined ? `${root}/${HOLE}` : `${root}/${HOLE}/${last}`,
  )
}

/** Words that combine tests. */
const HAS_ALTERNATIVE = /^(?:-o|-or|-not|!|,|\(|\))$/
/** Actions that write what was found. */
const PRINTS = /^-(?:print0?|printf|ls)$/

/**
 * Returns the name of everything found: the value of the only test of names, if it precedes every action and has no
 * alternative.
 */
function soleName(words: readonly Arg[], spec: ProgramSpec): string | undefined {
  const known = OptionSet.of(spec)
  let name: string | undefined
  const values = words.map((word) => word.value)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? ''
    if (HAS_ALTERNATIVE.test(value)) return undefined
    const option = known.get(value)
    const runs = option?.effect === 'program'
    const isName = /^-i?name$/.test(value)
    if (isName ? name !== undefined : name === undefined && (runs || PRINTS.test(value))) return undefined
    if (isName) {
      name = values[i + 1]
      if (name === undefined) return undefined
    }
    if (option?.kind === 'value' && !runs) i += 1
  }
  return name
}
