import type { Command, Param } from '../api/command.js'
import type { Texts } from '../texts.js'
import type { Line, Token } from './tokens.js'
import { usageOf } from './help.js'

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
  const choice = choices.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
  if (choice === undefined) throw new UsageError(texts.notChoice(name, choices.join(', ')))
  return choice
}

/** Converts a word to the type of its parameter. */
function convert(name: string, param: Param, { value, user }: Token, texts: Texts): unknown {
  switch (param.kind) {
    case 'integer':
    case 'number':
      return convertNumber(name, param, value, texts)
    case 'boolean':
      return convertBoolean(name, value, texts)
    case 'choice':
      return convertChoice(name, param, value, texts)
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

/** Reads the words after a command's name, one call of {@link InputReader.read}. */
class InputReader {
  readonly #command: Command
  readonly #line: Line
  readonly #tokens: readonly Token[]
  readonly #prefix: string
  readonly #texts: Texts
  readonly #args: Record<string, unknown> = {}
  readonly #options: Record<string, unknown> = {}

  constructor(command: Command, line: Line, tokens: readonly Token[], prefix: string, texts: Texts) {
    this.#command = command
    this.#line = line
    this.#tokens = tokens
    this.#prefix = prefix
    this.#texts = texts
  }

  read(): { args: Record<string, unknown>; options: Record<string, unknown> } {
    this.#readTokens()
    this.#addDefaults()
    return { args: this.#args, options: this.#options }
  }

  get #usage(): string {
    return usageOf(this.#command, this.#prefix)
  }

  #readTokens(): void {
    const expected = Object.entries(this.#command.args ?? {})
    let position = 0
    let optionsEnded = false
    for (let index = 0; index < this.#tokens.length; index++) {
      const token = this.#tokens[index] as Token
      if (!optionsEnded && !token.quoted && token.value === '--' && this.#command.options) {
        optionsEnded = true
        continue
      }
      const option = optionsEnded ? undefined : this.#findOption(token)
      if (option) {
        if (this.#readOption(option, token, this.#tokens[index + 1])) index++
        continue
      }
      const [name, param] = expected[position++] ?? []
      if (!name || !param) throw new UsageError(this.#texts.tooMany(token.value, this.#usage))
      if (param.kind === 'rest') {
        this.#args[name] = this.#rest(token)
        break
      }
      this.#args[name] = convert(name, param, token, this.#texts)
    }
  }

  /** Returns the rest of the line as it was written, unless it is one quoted word. */
  #rest(token: Token): string {
    return token === this.#tokens.at(-1) && token.quoted ? token.value : this.#line.text.slice(token.start)
  }

  /** Reads the value of an option. Returns whether that was the next token. */
  #readOption({ name, param, inline, negated }: FoundOption, token: Token, next: Token | undefined): boolean {
    if (param.kind === 'boolean' && inline === undefined) {
      this.#options[name] = !negated
      return false
    }
    const value = inline === undefined ? next : { ...token, value: inline }
    if (!value) throw new UsageError(this.#texts.needsValue(`--${name}`))
    this.#options[name] = convert(`--${name}`, param, value, this.#texts)
    return inline === undefined
  }

  #findOption(token: Token): FoundOption | undefined {
    const { options } = this.#command
    if (token.quoted || !options) return undefined
    const long = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(token.value)
    if (long) return this.#findLongOption(options, long)
    const short = /^-(\p{L})(?:=(.*))?$/su.exec(token.value)
    if (!short) return undefined
    const [, letter = '', inline] = short
    const entry = Object.entries(options).find(([, param]) => param.short === letter)
    if (!entry) throw new UsageError(this.#texts.unknownOption(`-${letter}`, this.#usage))
    return { name: entry[0], param: entry[1], negated: false, inline }
  }

  #findLongOption(options: Readonly<Record<string, Param>>, match: RegExpExecArray): FoundOption {
    const [, no, word = '', inline] = match
    const name = [no ? `no-${word}` : word, word].find((candidate) => Object.hasOwn(options, candidate))
    const param = name === undefined ? undefined : options[name]
    const negated = Boolean(no) && name === word
    // Only a flag can be negated.
    if (name === undefined || !param || (negated && param.kind !== 'boolean'))
      throw new UsageError(this.#texts.unknownOption(`--${no ?? ''}${word}`, this.#usage))
    return { name, param, negated, inline }
  }

  #addDefaults(): void {
    for (const [name, param] of Object.entries(this.#command.args ?? {})) {
      if (this.#args[name] !== undefined) continue
      if (!param.optional) throw new UsageError(this.#texts.missing(name, this.#usage))
      this.#args[name] = param.default
    }
    for (const [name, param] of Object.entries(this.#command.options ?? {})) {
      this.#options[name] ??= param.default ?? (param.kind === 'boolean' ? false : undefined)
      if (this.#options[name] === undefined && !param.optional)
        throw new UsageError(this.#texts.missing(`--${name}`, this.#usage))
    }
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
  return new InputReader(command, line, tokens, prefix, texts).read()
}
