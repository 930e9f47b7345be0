import type { Command, Param } from '../api/command.js'
import type { Texts } from '../texts.js'
import type { Line, Token } from './tokens.js'
import { usageOf } from './help.js'
import { visibleWord } from '../util/visible-text.js'

/** The words of the user do not fit the command. The message is for the user. */
export class UsageError extends Error {}

const TRUE = new Set(['yes', 'true', 'on', '1', '是'])
const FALSE = new Set(['no', 'false', 'off', '0', '否'])

function rangeText({ min, max }: Param): string {
  if (min === undefined) return `≤ ${max}`
  return max === undefined ? `≥ ${min}` : `${min} – ${max}`
}

function convertNumber(name: string, param: Param, value: string, texts: Texts): number {
  const isInteger = param.kind === 'integer'
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!(isInteger ? Number.isSafeInteger(number) : Number.isFinite(number)))
    throw new UsageError(isInteger ? texts.notInteger(name, value) : texts.notNumber(name, value))
  const { min = -Infinity, max = Infinity } = param
  if (number < min || number > max) throw new UsageError(texts.outOfRange(name, rangeText(param)))
  return number
}

function convertBoolean(name: string, value: string, texts: Texts): boolean {
  const word = value.toLowerCase()
  if (TRUE.has(word)) return true
  if (FALSE.has(word)) return false
  throw new UsageError(texts.notBoolean(name, value))
}

function convertChoice(name: string, { choices = [] }: Param, value: string, texts: Texts): string {
  const choice = choices.find((candidate) => visibleWord(candidate).toLowerCase() === value.toLowerCase())
  if (choice === undefined) throw new UsageError(texts.notChoice(name, choices.join(', ')))
  return choice
}

/** Converts a word to the type of its parameter. */
function convert(name: string, param: Param, { value, user }: Token, texts: Texts): unknown {
  switch (param.kind) {
    case 'integer':
    case 'number':
      return convertNumber(name, param, visibleWord(value), texts)
    case 'boolean':
      return convertBoolean(name, visibleWord(value), texts)
    case 'choice':
      return convertChoice(name, param, visibleWord(value), texts)
    case 'user':
      return user ?? value.replace(/^@/, '')
    default:
      return value
  }
}

interface FoundOption {
  readonly name: string
  readonly param: Param
  /** The value behind `=`. */
  readonly inline: string | undefined
  readonly negated: boolean
}

/** The line of a command, with the values read so far. */
interface Input {
  readonly command: Command
  readonly line: Line
  readonly tokens: readonly Token[]
  readonly prefix: string
  readonly texts: Texts
  readonly args: Record<string, unknown>
  readonly options: Record<string, unknown>
}

const usage = ({ command, prefix }: Input): string => usageOf(command, prefix)

function readTokens(input: Input): void {
  const expected = Object.entries(input.command.args ?? {})
  let position = 0
  let optionsEnded = false
  for (let index = 0; index < input.tokens.length; index++) {
    const token = input.tokens[index] as Token
    if (!optionsEnded && !token.quoted && token.value === '--' && input.command.options) {
      optionsEnded = true
      continue
    }
    const option = optionsEnded ? undefined : findOption(input, token)
    if (option) {
      if (readOption(input, option, token, input.tokens[index + 1])) index++
      continue
    }
    const [name, param] = expected[position++] ?? []
    if (!name || !param) throw new UsageError(input.texts.tooMany(token.value, usage(input)))
    if (param.kind === 'rest') {
      input.args[name] = rest(input, token)
      break
    }
    input.args[name] = convert(name, param, token, input.texts)
  }
}

/** Returns the rest of the line as it was written, unless it is one quoted word. */
function rest(input: Input, token: Token): string {
  return token === input.tokens.at(-1) && token.quoted ? token.value : input.line.text.slice(token.start)
}

/** Reads the value of an option. Returns whether that was the next token. */
function readOption(
  input: Input,
  { name, param, inline, negated }: FoundOption,
  token: Token,
  next: Token | undefined,
): boolean {
  if (param.kind === 'boolean' && inline === undefined) {
    input.options[name] = !negated
    return false
  }
  const value = inline === undefined ? next : { ...token, value: inline }
  if (!value) throw new UsageError(input.texts.needsValue(`--${name}`))
  input.options[name] = convert(`--${name}`, param, value, input.texts)
  return inline === undefined
}

function findOption(input: Input, token: Token): FoundOption | undefined {
  const { options } = input.command
  if (token.quoted || !options) return undefined
  const long = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(token.value)
  if (long) return findLongOption(input, options, long)
  const short = /^-(\p{L})(?:=(.*))?$/su.exec(token.value)
  if (!short) return undefined
  const [, letter = '', inline] = short
  const entry = Object.entries(options).find(([, param]) => param.short === letter)
  if (!entry) throw new UsageError(input.texts.unknownOption(`-${letter}`, usage(input)))
  return { name: entry[0], param: entry[1], negated: false, inline }
}

function findLongOption(input: Input, options: Readonly<Record<string, Param>>, match: RegExpExecArray): FoundOption {
  const [, no, word = '', inline] = match
  const name = [no ? `no-${word}` : word, word].find((candidate) => Object.hasOwn(options, candidate))
  const param = name === undefined ? undefined : options[name]
  const negated = Boolean(no) && name === word
  // Only a flag can be negated.
  if (name === undefined || !param || (negated && param.kind !== 'boolean'))
    throw new UsageError(input.texts.unknownOption(`--${no ?? ''}${word}`, usage(input)))
  return { name, param, negated, inline }
}

function addDefaults(input: Input): void {
  for (const [name, param] of Object.entries(input.command.args ?? {})) {
    if (input.args[name] !== undefined) continue
    if (!param.optional) throw new UsageError(input.texts.missing(name, usage(input)))
    input.args[name] = param.default
  }
  for (const [name, param] of Object.entries(input.command.options ?? {})) {
    input.options[name] ??= param.default ?? (param.kind === 'boolean' ? false : undefined)
    if (input.options[name] === undefined && !param.optional)
      throw new UsageError(input.texts.missing(`--${name}`, usage(input)))
  }
}

/**
 * Reads the words after a command's name as its arguments and options.
 *
 * @throws UsageError with a text for the user
 */
export function readInput(
  command: Command,
  line: Line,
  tokens: readonly Token[],
  prefix: string,
  texts: Texts,
): { args: Record<string, unknown>; options: Record<string, unknown> } {
  const input: Input = { command, line, tokens, prefix, texts, args: {}, options: {} }
  readTokens(input)
  addDefaults(input)
  return input
}
