import { OptionSet } from './option-set.js'
import { parseFind } from './programs/find.js'
import { names, type Effect, type Option, type ProgramSpec } from './programs/program-spec.js'
import { unbundled } from './programs/tar.js'
import type { ArgUse, ParsedArgs } from './parsed-args.js'
import { cutArg, mayBeOption, staticArg, type Arg } from './words.js'

/** Parses the arguments of a program as getopt does: clusters, attached values, abbreviations, subcommands. */
export function parseArgs(args: readonly Arg[], spec: ProgramSpec): ParsedArgs {
  if (spec.style === 'find') return parseFind(args, spec)
  return new ArgsParser(spec, []).parse(spec.style === 'tar' ? unbundled(args, spec) : args)
}

class ArgsParser {
  readonly #spec: ProgramSpec
  readonly #path: readonly string[]
  readonly #options: OptionSet
  readonly #uses: ArgUse[] = []
  readonly #operands: Arg[] = []
  /** Values that may become operands as well. */
  readonly #splitValues: Arg[] = []
  readonly #given = new Set<string>()
  #ended = false
  #module: ProgramSpec | undefined
  #unknown: string | undefined
  #uncertain: Arg | undefined
  #words: readonly Arg[] = []
  #at = 0

  constructor(spec: ProgramSpec, path: readonly string[]) {
    this.#spec = spec
    this.#path = path
    this.#options = OptionSet.of(spec)
  }

  parse(args: readonly Arg[]): ParsedArgs {
    const { subcommands } = this.#spec
    this.#words = args
    this.#takeWords()
    if (this.#module !== undefined)
      return this.#within(new ArgsParser(this.#module, this.#path).parse(this.#operands), this.#module)
    return subcommands === undefined ? this.#finish() : this.#subcommand(subcommands)
  }

  /** Takes options and operands, up to a subcommand or the end of options. */
  #takeWords(): void {
    const { subcommands, optionsFirst, command } = this.#spec
    const stops = optionsFirst === true || command !== undefined || subcommands !== undefined
    for (; this.#at < this.#words.length; this.#at++) {
      // An option may end the options.
      if (this.#ended) return this.#takeRest()
      const arg = this.#words[this.#at] as Arg
      if (this.#option(arg)) continue
      const endMarker = arg.shape === '--'
      if (endMarker) this.#at += 1
      else if (mayBeOption(arg)) this.#uncertain ??= arg
      if (endMarker || stops) {
        if (subcommands === undefined) this.#takeRest()
        return
      }
      this.#operands.push(arg)
    }
  }

  #takeRest(): void {
    this.#operands.push(...this.#words.slice(this.#at))
  }

  /** Takes an option and its value. Returns false if the word is not an option. */
  #option(arg: Arg): boolean {
    const { shape } = arg
    if (this.#spec.noOptions === true) return false
    if (this.#hasPrefix(shape)) {
      const option = shape.charAt(0)
      this.#uses.push({ effect: 'read', arg: cutArg(arg, 1), option }, { effect: 'deny', arg, option })
      return true
    }
    if (!shape.startsWith('-') || shape === '-' || shape === '--') return false
    if (this.#spec.numericOptions === true && /^-\d+\w?$/.test(shape)) {
      // The letter behind a number is a unit, or an option of its own as in `grep -1r`.
      const letter = shape.slice(-1)
      const option = this.#options.letter(letter)
      if (option?.kind === 'flag') this.#give(`-${letter}`, option, arg, false)
      return true
    }
    const hyphens = shape.startsWith('--') ? 2 : 1
    const equals = shape.indexOf('=', hyphens)
    const name = shape.slice(hyphens, equals < 0 ? undefined : equals)
    if (hyphens === 2 || this.#isSingleHyphen(name))
      this.#long(arg, name, equals < 0 ? undefined : cutArg(arg, equals + 1))
    else this.#cluster(arg)
    return true
  }

  #hasPrefix(shape: string): boolean {
    return shape !== '' && this.#spec.prefixes?.includes(shape.charAt(0)) === true
  }

  /** Returns whether a name after one hyphen is that of a long option. */
  #isSingleHyphen(name: string): boolean {
    return this.#spec.singleHyphen === true && name.length > 1 && this.#options.find(name).length > 0
  }

  #long(arg: Arg, name: string, attached: Arg | undefined): void {
    const found = this.#options.find(name)
    const [first] = found
    if (first === undefined || found.some(({ kind, effect }) => kind !== first.kind || effect !== first.effect))
      this.#unknown ??= arg.text
    if (first === undefined) return
    const takes = found.find(({ kind }) => kind === 'value' || kind === 'pair')
    // The first of two values is a name.
    if (takes?.kind === 'pair') this.#next(arg)
    const value = attached ?? (takes === undefined ? undefined : this.#next(arg))
    for (const option of found) this.#give(`--${option.name}`, option, value ?? arg, value !== undefined)
    if (attached === undefined || found.some(({ kind }) => kind !== 'flag')) return
    // An option of a family may do anything with its value.
    if (found.some(({ name: known }) => known.endsWith('*')))
      this.#uses.push({ effect: 'any', arg: attached, option: `--${name}` })
    else this.#unknown ??= arg.text
  }

  #cluster(arg: Arg): void {
    const { shape } = arg
    for (let i = 1; i < shape.length; i++) {
      const letter = this.#nameAt(shape, i)
      const option = letter.length > 1 ? this.#options.get(letter) : this.#options.letter(letter)
      if (option === undefined) return void (this.#unknown ??= arg.text)
      i += letter.length - 1
      const rest = i + 1 < shape.length ? cutArg(arg, i + 1) : undefined
      if (option.kind === 'flag') {
        this.#give(nameOf(letter), option, arg, false)
        continue
      }
      const value = rest ?? (option.kind === 'value' ? this.#next(arg) : undefined)
      this.#give(nameOf(letter), option, value ?? arg, value !== undefined)
      return
    }
  }

  /** Returns the name at a place of a cluster. Where names have one hyphen, those of two letters may be in one. */
  #nameAt(shape: string, at: number): string {
    const two = shape.slice(at, at + 2)
    return this.#spec.singleHyphen === true && two.length === 2 && this.#options.get(two) !== undefined
      ? two
      : (shape[at] ?? '')
  }

  #subcommand(subcommands: ReadonlyMap<string, ProgramSpec>): ParsedArgs {
    const word = this.#words[this.#at]
    if (word === undefined) return this.#finish()
    const name = word.value
    const spec = name === undefined ? undefined : subcommands.get(name)
    const rest = this.#words.slice(this.#at + 1)
    if (spec === undefined) return this.#otherSubcommand(word, rest)
    return this.#within(new ArgsParser(spec, [...this.#path, name ?? '']).parse(rest), spec)
  }

  /** Parses a subcommand without a description. */
  #otherSubcommand(word: Arg, rest: readonly Arg[]): ParsedArgs {
    const name = word.value
    const covered = this.#spec.otherSubcommands === true && name !== undefined
    // If every option is known by its name, so are those of the subcommand.
    if (covered && this.#options.letter('') !== undefined) {
      const { subcommands: _, ...spec } = this.#spec
      return this.#within(new ArgsParser(spec, [...this.#path, name]).parse(rest), this.#spec)
    }
    if (!covered) this.#unknown ??= word.text
    this.#operands.push(...rest)
    return {
      ...this.#finish(),
      subcommandPath: [...this.#path, name ?? ''],
      uses: [...this.#uses, ...(covered ? [word, ...rest].map((arg) => ({ effect: 'any' as const, arg })) : [])],
    }
  }

  /** Adds what was parsed before a subcommand or module to what was parsed in it. */
  #within(inner: ParsedArgs, spec: ProgramSpec): ParsedArgs {
    return {
      ...inner,
      spec: {
        ...spec,
        network: this.#spec.network ?? spec.network,
        worksIn: this.#spec.worksIn ?? spec.worksIn,
        editsUnless: this.#spec.editsUnless ?? spec.editsUnless,
      },
      uses: [...this.#uses, ...inner.uses],
      givenOptions: new Set([...this.#given, ...inner.givenOptions]),
      unknown: this.#unknown ?? inner.unknown,
      uncertain: this.#uncertain ?? inner.uncertain,
    }
  }

  #finish(): ParsedArgs {
    const { operands: described = [], replacesOperand, command } = this.#spec
    const after = command?.after ?? this.#operands.length
    const operands = this.#operands.slice(0, after)
    const effects = hasOption(this.#given, replacesOperand) ? described.slice(1) : described
    return {
      effects: this.#options.effects,
      spec: this.#spec,
      uses: [...this.#uses, ...this.#operandUses(operands, effects), ...this.#defaultUse(operands, effects)],
      operands,
      command: this.#operands.slice(after),
      innerCommands: [],
      givenOptions: this.#given,
      subcommandPath: this.#path,
      unknown: this.#unknown,
      uncertain: this.#uncertain,
    }
  }

  #operandUses(operands: readonly Arg[], effects: readonly Effect[]): ArgUse[] {
    const uses: ArgUse[] = []
    const last = effects.at(-1) ?? 'text'
    for (const arg of this.#splitValues) for (const effect of new Set(effects)) uses.push({ effect, arg })
    for (const [i, arg] of operands.entries()) {
      const effect = effects[Math.min(i, effects.length - 1)] ?? 'text'
      uses.push({ effect: this.#givenEffect(effect), arg })
      // A word that splits also takes the positions after its own, or leaves its own to the next word.
      if (!arg.splits || effect === last) continue
      for (const other of [arg, ...operands.slice(i + 1)]) uses.push({ effect: last, arg: other })
    }
    return uses
  }

  /** Returns the effect of an operand with the given options. */
  #givenEffect(effect: Effect): Effect {
    const { recursive, changesOperands } = this.#spec
    if (effect === 'read' && hasOption(this.#given, recursive)) return 'tree'
    if (effect === 'list' && hasOption(this.#given, recursive)) return 'listTree'
    if (effect === 'read' && hasOption(this.#given, changesOperands)) return 'write'
    return effect
  }

  /** Returns the use of the working directory where operands are missing. */
  #defaultUse(operands: readonly Arg[], effects: readonly Effect[]): ArgUse[] {
    const { withoutOperands: effect, recursive } = this.#spec
    if (effect === undefined || operands.length >= Math.max(1, effects.length)) return []
    return effect === 'tree' && !hasOption(this.#given, recursive) ? [] : [{ effect, arg: HERE }]
  }

  #give(name: string, option: Option, arg: Arg, hasValue: boolean): void {
    this.#given.add(name)
    if (this.#spec.endsOptions?.includes(option.name) === true) {
      this.#ended = true
      const { modules } = this.#spec
      if (option.effect === 'text') this.#module = modules?.get(arg.value ?? '') ?? modules?.get('*')
    }
    if (option.effect !== 'text' || hasValue) this.#uses.push({ effect: option.effect, arg, option: name })
  }

  /** Takes the next word as the value of an option. */
  #next(option: Arg): Arg {
    const value = this.#words[++this.#at]
    if (value === undefined) {
      this.#unknown ??= option.text
      return option
    }
    if (!value.splits) return value
    const isForeign = value.sources.some((source) => source === 'command' || source === 'input')
    if (isForeign) this.#splitValues.push(value)
    const isNumber = value.sources.every((source) => source === 'arithmetic')
    if (isForeign || (this.#spec.tolerant !== true && !isNumber)) this.#uncertain ??= value
    return value
  }
}

/**
 * Returns whether one of some options was given. A list in one string is separated by spaces, names have no hyphens.
 */
export function hasOption(given: ReadonlySet<string>, list: string | readonly string[] | undefined): boolean {
  if (list === undefined) return false
  return (typeof list === 'string' ? names(list) : list).some((name) =>
    given.has(name.length > 1 ? `--${name}` : `-${name}`),
  )
}

const nameOf = (letters: string): string => (letters.length > 1 ? `--${letters}` : `-${letters}`)

const HERE = staticArg('.')
