// Reads the words of a program the way getopt does, from its table: clusters, attached values, abbreviations.
import { KnownOptions, type Option } from './known-options.js'
import { names, type Effect, type Table } from './programs/table.js'
import { ONE, HOLE, STAR, cutArg, staticArg, type Arg } from './words.js'

/** One word of a program and what it means there. */
export interface Use {
  readonly effect: Effect
  readonly arg: Arg
  /** The option that it belongs to, with its hyphens; absent for operands. */
  readonly option?: string
}

/** A program's words, read by its table. */
export interface Reading {
  readonly table: Table
  readonly uses: readonly Use[]
  readonly operands: readonly Arg[]
  /** The words of the command that it runs, where its table says so. */
  readonly command: readonly Arg[]
  /** Commands inside its words, as those of `find -exec`. */
  readonly inner: readonly (readonly Arg[])[]
  /** What the options of the program may do. */
  readonly effects: ReadonlySet<Effect>
  /** The names of the options that were given. */
  readonly given: ReadonlySet<string>
  /** Names of subcommands in order. */
  readonly path: readonly string[]
  /** The first word that its table does not know. */
  readonly unknown?: string | undefined
  /** The first word that may turn out to be an option or something else. */
  readonly uncertain?: Arg | undefined
}

/** Reads the arguments of a program. */
export function readOptions(args: readonly Arg[], table: Table): Reading {
  return new Reader(table, []).read(args)
}

class Reader {
  readonly #table: Table
  readonly #path: readonly string[]
  readonly #known: KnownOptions
  readonly #uses: Use[] = []
  readonly #operands: Arg[] = []
  readonly #given = new Set<string>()
  readonly #inner: (readonly Arg[])[] = []
  #command: readonly Arg[] = []
  #ended = false
  #module: Table | undefined
  #unknown: string | undefined
  #uncertain: Arg | undefined
  #words: readonly Arg[] = []
  #at = 0

  constructor(table: Table, path: readonly string[]) {
    this.#table = table
    this.#path = path
    this.#known = KnownOptions.of(table)
  }

  read(args: readonly Arg[]): Reading {
    const { style, subcommands } = this.#table
    this.#words = args
    if (style === 'tar') this.#bundle()
    const stops = this.#table.stops === true || this.#table.runs !== undefined || subcommands !== undefined
    for (; this.#at < args.length; this.#at++) {
      const arg = args[this.#at] as Arg
      const { shape } = arg
      if (!this.#ended && (style === 'find' ? this.#predicate(arg) : this.#option(arg))) continue
      if (this.#ended) {
        this.#operands.push(...args.slice(this.#at))
        break
      }
      if (shape === '--' && style !== 'find') {
        this.#at += 1
        if (subcommands !== undefined) break
        this.#operands.push(...args.slice(this.#at))
        break
      }
      if (mayBeOption(arg)) this.#uncertain ??= arg
      if (stops) {
        if (subcommands === undefined) this.#operands.push(...args.slice(this.#at))
        break
      }
      this.#operands.push(arg)
    }
    if (this.#module !== undefined) return this.#within(new Reader(this.#module, this.#path).read(this.#operands), this.#module)
    return subcommands === undefined ? this.#finish() : this.#subcommand(subcommands)
  }

  /** An option, if the word is one; its value is taken along. */
  #option(arg: Arg): boolean {
    const { shape } = arg
    if (this.#table.verbatim === true) return false
    if (this.#table.plus !== undefined && shape.startsWith('+')) {
      this.#uses.push({ effect: this.#table.plus, arg, option: '+' })
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
    if (first === undefined || found.some(({ kind, effect }) => kind !== first.kind || effect !== first.effect)) this.#unknown ??= arg.text
    if (first === undefined) return
    const takes = found.find(({ kind }) => kind === 'value' || kind === 'pair')
    // The first of two values is a name.
    if (takes?.kind === 'pair') this.#next(arg)
    const value = attached ?? (takes === undefined ? undefined : this.#next(arg))
    for (const option of found) this.#give(`--${option.name}`, option, value ?? arg, value !== undefined)
    if (attached === undefined || found.some(({ kind }) => kind !== 'flag')) return
    // Of a whole family of options it is not known what they do with a value.
    if (found.some(({ name: known }) => known.endsWith('*'))) this.#uses.push({ effect: 'any', arg: attached, option: `--${name}` })
    else this.#unknown ??= arg.text
  }

  #cluster(arg: Arg): void {
    const { shape } = arg
    for (let i = 1; i < shape.length; i++) {
      const letter = shape[i] ?? ''
      const option = this.#known.letter(letter)
      if (option === undefined) {
        this.#unknown ??= arg.text
        return
      }
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

  /** The old form of tar: letters without a hyphen, whose values are the next words in order. */
  #bundle(): void {
    const first = this.#words[0]
    if (first === undefined || first.shape.startsWith('-')) return
    this.#at = 1
    if (first.value === undefined) {
      this.#uncertain ??= first
      return
    }
    for (const letter of first.value) {
      const option = this.#known.get(letter)
      if (option === undefined) this.#unknown ??= first.text
      else if (option.kind === 'value') this.#give(`-${letter}`, option, this.#words[this.#at++] ?? first, true)
      else this.#give(`-${letter}`, option, first, false)
    }
  }

  /** A word of an expression of find. */
  #predicate(arg: Arg): boolean {
    const { shape, value } = arg
    if (!/^[-(!,)]/.test(shape) || shape === '-') {
      // Folders stand before the expression.
      if (this.#given.size > 0 && !/^(?:-[HLPEXdsx]|-O\d|-D)*$/.test([...this.#given].join(''))) this.#unknown ??= arg.text
      return false
    }
    if (value === undefined) {
      this.#unknown ??= arg.text
      return true
    }
    const option = this.#known.get(value) ?? this.#known.get(value.replace(/^-{1,2}/, '')) ?? (/^-newer[aBcm][aBcmt]$/.test(value) ? { kind: 'value', effect: 'text', name: 'newer' } as const : undefined)
    if (option === undefined) {
      this.#unknown ??= arg.text
      return true
    }
    this.#given.add(value)
    if (option.effect === 'program') {
      this.#inner.push(this.#untilEnd())
    } else if (option.kind === 'value') {
      const next = this.#words[++this.#at]
      if (next === undefined || (next.splits && !next.sources.every((source) => source === 'glob') && !next.variables.every((name) => /^(?:USER|LOGNAME|E?UID)$/.test(name)))) this.#unknown ??= arg.text
      else this.#uses.push({ effect: option.effect, arg: next, option: value })
    } else if (option.effect !== 'text') {
      this.#uses.push({ effect: option.effect, arg, option: value })
    }
    return true
  }

  #untilEnd(): readonly Arg[] {
    const inner: Arg[] = []
    for (this.#at += 1; this.#at < this.#words.length; this.#at++) {
      const arg = this.#words[this.#at] as Arg
      if (arg.value === ';' || (arg.value === '+' && this.#words[this.#at - 1]?.value === '{}')) return inner
      inner.push(arg)
    }
    this.#unknown ??= inner.at(-1)?.text ?? 'an action without an end'
    return inner
  }

  #subcommand(subcommands: Readonly<Record<string, Table>>): Reading {
    const word = this.#words[this.#at]
    if (word === undefined) return this.#finish()
    const name = word.value
    const table = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
    const rest = this.#words.slice(this.#at + 1)
    if (table === undefined) {
      const open = this.#table.open === true && name !== undefined
      // Where every option is known by its name, those behind a subcommand are, too.
      if (open && this.#known.letter('') !== undefined) return this.#within(new Reader({ ...this.#table, subcommands: undefined }, [...this.#path, name]).read(rest), this.#table)
      if (!open) this.#unknown ??= word.text
      for (const arg of rest) this.#operands.push(arg)
      return { ...this.#finish(), path: [...this.#path, name ?? ''], uses: [...this.#uses, ...(open ? [word, ...rest].map((arg) => ({ effect: 'text' as const, arg })) : [])] }
    }
    return this.#within(new Reader(table, [...this.#path, name ?? '']).read(rest), table)
  }

  /** What was read by a table inside this one, with what was read before. */
  #within(inner: Reading, table: Table): Reading {
    return {
      ...inner,
      table: { ...table, ...(this.#table.network === true ? { network: true } : {}) },
      uses: [...this.#uses, ...inner.uses],
      given: new Set([...this.#given, ...inner.given]),
      unknown: this.#unknown ?? inner.unknown,
      uncertain: this.#uncertain ?? inner.uncertain,
    }
  }

  #finish(): Reading {
    const { operands: meanings, recursive, replaces, alone, runs } = this.#table
    let operands: readonly Arg[] = this.#operands
    if (runs !== undefined) {
      this.#command = operands.slice(runs.after)
      operands = operands.slice(0, runs.after)
    }
    const deep = gives(this.#given, recursive)
    const effects = (gives(this.#given, replaces) ? meanings?.slice(1) : meanings) ?? []
    const changes = gives(this.#given, this.#table.changes)
    const uses = [...this.#uses]
    const last = effects.at(-1) ?? 'text'
    operands.forEach((arg, i) => {
      const effect = effects[Math.min(i, effects.length - 1)] ?? 'text'
      uses.push({ effect: deep && effect === 'read' ? 'tree' : changes && effect === 'read' ? 'write' : effect, arg })
      // What becomes several words takes the places behind it as well, or leaves its own to the next.
      if (!arg.splits || effect === last) return
      for (const other of [arg, ...operands.slice(i + 1)]) uses.push({ effect: last, arg: other })
    })
    if (alone !== undefined && operands.length < Math.max(1, effects.length)) {
      if (deep || alone !== 'tree') uses.push({ effect: alone, arg: HERE })
    }
    return {
      effects: this.#known.effects, table: this.#table, uses, operands, command: this.#command, inner: this.#inner, given: this.#given, path: this.#path, unknown: this.#unknown, uncertain: this.#uncertain,
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
    if (value.splits && !value.sources.every((source) => source === 'arithmetic') && this.#table.tolerant !== true) this.#uncertain ??= value
    return value
  }
}

/** Whether one of some options was given, named as in a table. */
export function gives(given: ReadonlySet<string>, list: string | undefined): boolean {
  return names(list).some((name) => given.has(name.length > 1 ? `--${name}` : `-${name}`))
}

const HERE = staticArg('.')

/** Whether a word that begins with something unknown may turn out to be an option. */
export function mayBeOption(arg: Arg): boolean {
  const [output] = arg.outputs
  if (arg.shape === HOLE && output?.kind === 'paths') return output.patterns.some((pattern) => startsWild(pattern) || pattern.startsWith('-'))
  if (arg.shape === HOLE && (arg.sources[0] === 'arithmetic' || output?.kind === 'numeric')) return false
  if (arg.shape === HOLE && arg.pattern.startsWith('-')) return true
  return startsWild(arg.pattern) && !(arg.sources[0] === 'variable' && /^(?:HOME|PWD|TMPDIR|OLDPWD|USER|LOGNAME)$/.test(arg.variables[0] ?? '')) && arg.sources[0] !== 'process'
}

function startsWild(pattern: string): boolean {
  const [first] = pattern
  return first === HOLE || first === STAR || first === ONE
}
