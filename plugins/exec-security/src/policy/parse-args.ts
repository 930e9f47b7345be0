// Reads the words of a program the way getopt does, from its table: clusters, attached values, abbreviations.
import { OptionSet, type Option } from './option-set.js'
import { readFind } from './programs/find.js'
import { names, type ProgramSpec } from './programs/program-spec.js'
import { unbundled } from './programs/tar.js'
import type { ParsedArgs, ArgUse } from './parsed-args.js'
import { cutArg, mayBeOption, staticArg, type Arg } from './words.js'

/** Reads the arguments of a program. */
export function parseArgs(args: readonly Arg[], table: ProgramSpec): ParsedArgs {
  if (table.style === 'find') return readFind(args, table)
  return new ArgsParser(table, []).read(table.style === 'tar' ? unbundled(args, table) : args)
}

class ArgsParser {
  readonly #table: ProgramSpec
  readonly #path: readonly string[]
  readonly #known: OptionSet
  readonly #uses: ArgUse[] = []
  readonly #operands: Arg[] = []
  /** Values that may become operands as well. */
  readonly #spread: Arg[] = []
  readonly #given = new Set<string>()
  #ended = false
  #module: ProgramSpec | undefined
  #unknown: string | undefined
  #uncertain: Arg | undefined
  #words: readonly Arg[] = []
  #at = 0

  constructor(table: ProgramSpec, path: readonly string[]) {
    this.#table = table
    this.#path = path
    this.#known = OptionSet.of(table)
  }

  read(args: readonly Arg[]): ParsedArgs {
    const { subcommands } = this.#table
    this.#words = args
    const stops = this.#table.stops === true || this.#table.runs !== undefined || subcommands !== undefined
    for (; this.#at < args.length; this.#at++) {
      const arg = args[this.#at] as Arg
      if (!this.#ended && this.#option(arg)) continue
      const marked = !this.#ended && arg.shape === '--'
      if (marked) this.#at += 1
      else if (!this.#ended && mayBeOption(arg)) this.#uncertain ??= arg
      if (this.#ended || marked || stops) {
        if (this.#ended || subcommands === undefined) this.#operands.push(...args.slice(this.#at))
        break
      }
      this.#operands.push(arg)
    }
    if (this.#module !== undefined)
      return this.#within(new ArgsParser(this.#module, this.#path).read(this.#operands), this.#module)
    return subcommands === undefined ? this.#finish() : this.#subcommand(subcommands)
  }

  /** An option, if the word is one; its value is taken along. */
  #option(arg: Arg): boolean {
    const { shape } = arg
    if (this.#table.verbatim === true) return false
    if (shape !== '' && this.#table.signs?.includes(shape.charAt(0)) === true) {
      this.#uses.push(
        { effect: 'read', arg: cutArg(arg, 1), option: shape.charAt(0) },
        { effect: 'never', arg, option: shape.charAt(0) },
      )
      return true
    }
    if (!shape.startsWith('-') || shape === '-' || shape === '--') return false
    if (this.#table.numbers === true && /^-\d+\w?$/.test(shape)) return true
    const long = shape.startsWith('--')
    const body = shape.slice(long ? 2 : 1)
    const equals = body.indexOf('=')
    const name = equals < 0 ? body : body.slice(0, equals)
    if (long || (this.#table.hyphen === true && name.length > 1 && this.#known.find(name).length > 0)) {
      this.#long(arg, name, equals < 0 ? undefined : cutArg(arg, shape.length - body.length + equals + 1))
    } else {
      this.#cluster(arg)
    }
    return true
  }

  #long(arg: Arg, name: string, attached: Arg | undefined): void {
    const found = this.#known.find(name)
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
    // Of a whole family of options it is not known what they do with a value.
    if (found.some(({ name: known }) => known.endsWith('*')))
      this.#uses.push({ effect: 'any', arg: attached, option: `--${name}` })
    else this.#unknown ??= arg.text
  }

  #cluster(arg: Arg): void {
    const { shape } = arg
    for (let i = 1; i < shape.length; i++) {
      const letter = shape[i] ?? ''
      const option = this.#known.letter(letter)
      if (option === undefined) return void (this.#unknown ??= arg.text)
      const rest = i + 1 < shape.length ? cutArg(arg, i + 1) : undefined
      if (option.kind === 'flag') {
        this.#give(`-${letter}`, option, arg, false)
        continue
      }
      const value = rest ?? (option.kind === 'value' ? this.#next(arg) : undefined)
      this.#give(`-${letter}`, option, value ?? arg, value !== undefined)
      return
    }
  }

  #subcommand(subcommands: Readonly<Record<string, ProgramSpec>>): ParsedArgs {
    const word = this.#words[this.#at]
    if (word === undefined) return this.#finish()
    const name = word.value
    const table = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
    const rest = this.#words.slice(this.#at + 1)
    if (table === undefined) {
      const open = this.#table.open === true && name !== undefined
      // Where every option is known by its name, those behind a subcommand are, too.
      if (open && this.#known.letter('') !== undefined) {
        const { subcommands: _, ...table } = this.#table
        return this.#within(new ArgsParser(table, [...this.#path, name]).read(rest), this.#table)
      }
      if (!open) this.#unknown ??= word.text
      this.#operands.push(...rest)
      return {
        ...this.#finish(),
        subcommandPath: [...this.#path, name ?? ''],
        uses: [...this.#uses, ...(open ? [word, ...rest].map((arg) => ({ effect: 'any' as const, arg })) : [])],
      }
    }
    return this.#within(new ArgsParser(table, [...this.#path, name ?? '']).read(rest), table)
  }

  /** What was read by a table inside this one, with what was read before. */
  #within(inner: ParsedArgs, table: ProgramSpec): ParsedArgs {
    return {
      ...inner,
      spec: { ...table, network: this.#table.network ?? table.network, edits: this.#table.edits ?? table.edits },
      uses: [...this.#uses, ...inner.uses],
      givenOptions: new Set([...this.#given, ...inner.givenOptions]),
      unknown: this.#unknown ?? inner.unknown,
      uncertain: this.#uncertain ?? inner.uncertain,
    }
  }

  #finish(): ParsedArgs {
    const { operands: meanings, recursive, replaces, alone, runs } = this.#table
    const after = runs?.after ?? this.#operands.length
    const [operands, command] = [this.#operands.slice(0, after), this.#operands.slice(after)]
    const deep = hasOption(this.#given, recursive)
    const effects = (hasOption(this.#given, replaces) ? meanings?.slice(1) : meanings) ?? []
    const changes = hasOption(this.#given, this.#table.changes)
    const uses = [...this.#uses]
    const last = effects.at(-1) ?? 'text'
    for (const arg of this.#spread) for (const effect of new Set(effects)) uses.push({ effect, arg })
    operands.forEach((arg, i) => {
      const effect = effects[Math.min(i, effects.length - 1)] ?? 'text'
      uses.push({
        effect:
          deep && effect === 'read'
            ? 'tree'
            : deep && effect === 'list'
              ? 'walk'
              : changes && effect === 'read'
                ? 'write'
                : effect,
        arg,
      })
      // What becomes several words takes the places behind it as well, or leaves its own to the next.
      if (!arg.splits || effect === last) return
      for (const other of [arg, ...operands.slice(i + 1)]) uses.push({ effect: last, arg: other })
    })
    if (alone !== undefined && operands.length < Math.max(1, effects.length) && (deep || alone !== 'tree'))
      uses.push({ effect: alone, arg: HERE })
    return {
      effects: this.#known.effects,
      spec: this.#table,
      uses,
      operands,
      command,
      innerCommands: [],
      givenOptions: this.#given,
      subcommandPath: this.#path,
      unknown: this.#unknown,
      uncertain: this.#uncertain,
    }
  }

  #give(name: string, option: Option, arg: Arg, hasValue: boolean): void {
    this.#given.add(name)
    if (names(this.#table.ends).includes(option.name)) {
      this.#ended = true
      if (option.effect === 'text') this.#module = this.#table.modules?.[arg.value ?? ''] ?? this.#table.modules?.['*']
    }
    if (option.effect !== 'text' || hasValue) this.#uses.push({ effect: option.effect, arg, option: name })
  }

  #next(option: Arg): Arg {
    const value = this.#words[++this.#at]
    if (value === undefined) {
      this.#unknown ??= option.text
      return option
    }
    // What becomes several words is more than a value.
    const foreign = value.sources.some((source) => source === 'command' || source === 'input')
    if (value.splits && foreign) this.#spread.push(value)
    if (
      value.splits &&
      (foreign || (this.#table.tolerant !== true && !value.sources.every((source) => source === 'arithmetic')))
    )
      this.#uncertain ??= value
    return value
  }
}

/** Whether one of some options was given, named as in a table. */
export function hasOption(given: ReadonlySet<string>, list: string | undefined): boolean {
  return names(list).some((name) => given.has(name.length > 1 ? `--${name}` : `-${name}`))
}

const HERE = staticArg('.')
