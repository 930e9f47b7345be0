// Reads the options of a command the way getopt does, from a table that names every option it may have.
import type { Arg } from './words.js'
import { HOLE } from './words.js'

/** The options of one command. */
export interface OptionTable {
  /** Letters without a value. */
  readonly flags?: string
  /** Letters with a value, attached or in the next word. */
  readonly values?: string
  /** Letters with a value only when it is attached. */
  readonly optional?: string
  /** Long options without a value. */
  readonly long?: readonly string[]
  /** Long options with a value, after `=` or in the next word. */
  readonly longValues?: readonly string[]
  /** Long options with a value only after `=`. */
  readonly longOptional?: readonly string[]
  /** Whether options end at the first operand. */
  readonly stopAtOperand?: boolean
  /** Whether `-5` and the like are options. */
  readonly numbers?: boolean
  /** Whether long options are written with one hyphen as well. */
  readonly singleHyphen?: boolean
  /** Whether the value of an option may be an unquoted variable, because no word that it may become does harm. */
  readonly splitValues?: boolean
}

/** An option that was given. */
export interface GivenOption {
  readonly name: string
  readonly value: Arg | undefined
}

/** The options and operands of a command; `rest` are the words from the first operand on. */
export interface ParsedOptions {
  readonly options: readonly GivenOption[]
  readonly operands: readonly Arg[]
  readonly rest: readonly Arg[]
  /** Words that may turn out to be options or operands. */
  readonly uncertain: readonly Arg[]
}

/** Reads options; a string names the word that is not understood. */
export function parseOptions(args: readonly Arg[], table: OptionTable): ParsedOptions | string {
  const options: GivenOption[] = []
  const operands: Arg[] = []
  const uncertain: Arg[] = []
  let i = 0
  const next = (): Arg | undefined => {
    i += 1
    const arg = args[i]
    return arg === undefined || (arg.splits && !(table.splitValues === true && arg.unknown.every((kind) => kind === 'variable'))) ? undefined : arg
  }
  for (; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    const { shape } = arg
    if (shape === '--') {
      operands.push(...args.slice(i + 1))
      return { options, operands, rest: args.slice(i + 1), uncertain }
    }
    if (shape.startsWith(HOLE)) {
      uncertain.push(arg)
      operands.push(arg)
      if (table.stopAtOperand === true) return { options, operands, rest: args.slice(i), uncertain }
      continue
    }
    if (!shape.startsWith('-') || shape === '-') {
      operands.push(arg)
      if (table.stopAtOperand === true) return { options, operands: args.slice(i), rest: args.slice(i), uncertain }
      continue
    }
    if (table.numbers === true && /^-\d+\w?$/.test(shape)) {
      options.push({ name: '-#', value: cut(arg, 1) })
      continue
    }
    if (shape.startsWith('--') || (table.singleHyphen === true && isLong(shape.slice(1), table))) {
      const body = shape.replace(/^--?/, '')
      const equals = body.indexOf('=')
      const name = equals < 0 ? body : body.slice(0, equals)
      const attached = equals < 0 ? undefined : cut(arg, shape.length - body.length + equals + 1)
      if (table.longValues?.includes(name) === true) {
        const value = attached ?? next()
        if (value === undefined) return arg.text
        options.push({ name: `--${name}`, value })
      } else if (table.longOptional?.includes(name) === true) {
        options.push({ name: `--${name}`, value: attached })
      } else if (table.long?.includes(name) === true && attached === undefined) {
        options.push({ name: `--${name}`, value: undefined })
      } else {
        return arg.text
      }
      continue
    }
    for (let at = 1; at < shape.length; at++) {
      const letter = shape[at] ?? ''
      if (table.flags?.includes(letter) === true) {
        options.push({ name: `-${letter}`, value: undefined })
      } else if (table.values?.includes(letter) === true) {
        const value = at + 1 < shape.length ? cut(arg, at + 1) : next()
        if (value === undefined) return arg.text
        options.push({ name: `-${letter}`, value })
        break
      } else if (table.optional?.includes(letter) === true) {
        options.push({ name: `-${letter}`, value: at + 1 < shape.length ? cut(arg, at + 1) : undefined })
        break
      } else {
        return arg.text
      }
    }
  }
  return { options, operands, rest: [], uncertain }
}

function isLong(body: string, table: OptionTable): boolean {
  const name = body.split('=')[0] ?? ''
  return name.length > 1 && [table.long, table.longValues, table.longOptional].some((names) => names?.includes(name) === true)
}

function cut(arg: Arg, from: number): Arg {
  const shape = arg.shape.slice(from)
  return { ...arg, text: shape.replaceAll(HOLE, '…'), shape, value: arg.value === undefined ? undefined : shape }
}
