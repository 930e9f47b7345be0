// Turning words into the typed arguments and options of a command.
import type { Command, Param } from '../api/command.js'
import type { Texts } from '../texts.js'
import type { Line, Token } from './tokens.js'
import { usageOf } from './help.js'

/** Something the user wrote does not fit; the message is for the user. */
export class UsageError extends Error {}

const TRUE = new Set(['yes', 'true', 'on', '1', '是'])
const FALSE = new Set(['no', 'false', 'off', '0', '否'])

function range({ min, max }: Param): string {
  return min !== undefined && max !== undefined ? `${min} – ${max}` : min !== undefined ? `≥ ${min}` : `≤ ${max}`
}

function convert(name: string, param: Param, token: Token, texts: Texts): unknown {
  const { value } = token
  switch (param.kind) {
    case 'integer':
    case 'number': {
      const number = Number(value)
      if (
        value.trim() === '' ||
        !Number.isFinite(number) ||
        (param.kind === 'integer' && !Number.isSafeInteger(number))
      ) {
        throw new UsageError(param.kind === 'integer' ? texts.notInteger(name, value) : texts.notNumber(name, value))
      }
      if ((param.min !== undefined && number < param.min) || (param.max !== undefined && number > param.max))
        throw new UsageError(texts.outOfRange(name, range(param)))
      return number
    }
    case 'boolean': {
      const word = value.toLowerCase()
      if (TRUE.has(word)) return true
      if (FALSE.has(word)) return false
      throw new UsageError(texts.notBoolean(name, value))
    }
    case 'choice': {
      const choice = param.choices?.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
      if (choice === undefined) throw new UsageError(texts.notChoice(name, (param.choices ?? []).join(', ')))
      return choice
    }
    case 'user':
      return token.user ?? value.replace(/^@/, '')
    default:
      return value
  }
}

interface FoundOption {
  readonly name: string
  readonly param: Param
  readonly inline?: string
  readonly negated: boolean
}

function optionOf(command: Command, token: Token, prefix: string, texts: Texts): FoundOption | undefined {
  if (token.quoted || !command.options) return undefined
  const long = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(token.value)
  if (long) {
    const [, no, word = '', inline] = long
    const name = [no ? `no-${word}` : word, word].find((candidate) =>
      Object.hasOwn(command.options as object, candidate),
    )
    const negated = Boolean(no) && name === word
    // Only a flag can be taken back.
    if (name === undefined || (negated && command.options[name]?.kind !== 'boolean'))
      throw new UsageError(texts.unknownOption(`--${no ?? ''}${word}`, usageOf(command, prefix)))
    return { name, param: command.options[name] as Param, negated, ...(inline === undefined ? {} : { inline }) }
  }
  const short = /^-(\p{L})(?:=(.*))?$/su.exec(token.value)
  if (!short) return undefined
  const [, letter = '', inline] = short
  const entry = Object.entries(command.options).find(([, param]) => param.short === letter)
  if (!entry) throw new UsageError(texts.unknownOption(`-${letter}`, usageOf(command, prefix)))
  return { name: entry[0], param: entry[1], negated: false, ...(inline === undefined ? {} : { inline }) }
}

/** Reads the words after a command's name. Throws {@link UsageError} with a text for the user. */
export function readInput(
  command: Command,
  line: Line,
  tokens: readonly Token[],
  prefix: string,
  texts: Texts,
): { args: Record<string, unknown>; options: Record<string, unknown> } {
  const args: Record<string, unknown> = {}
  const options: Record<string, unknown> = {}
  const expected = Object.entries(command.args ?? {})
  let position = 0
  let literal = false
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    if (!literal && !token.quoted && token.value === '--' && command.options) {
      literal = true
      continue
    }
    const option = literal ? undefined : optionOf(command, token, prefix, texts)
    if (option) {
      const { name, param } = option
      if (param.kind === 'boolean' && option.inline === undefined) options[name] = !option.negated
      else {
        const value = option.inline === undefined ? tokens[++index] : { ...token, value: option.inline }
        if (!value) throw new UsageError(texts.needsValue(`--${name}`))
        options[name] = convert(`--${name}`, param, value, texts)
      }
      continue
    }
    const [name, param] = expected[position++] ?? []
    if (!name || !param) throw new UsageError(texts.tooMany(token.value, usageOf(command, prefix)))
    if (param.kind === 'rest') {
      const last = tokens.at(-1) as Token
      // The whole rest as it was written, unless it is one quoted word.
      args[name] = token === last && token.quoted ? token.value : line.text.slice(token.start)
      break
    }
    args[name] = convert(name, param, token, texts)
  }
  for (const [name, param] of expected) {
    if (args[name] !== undefined) continue
    if (!param.optional) throw new UsageError(texts.missing(name, usageOf(command, prefix)))
    args[name] = param.default
  }
  for (const [name, param] of Object.entries(command.options ?? {})) {
    options[name] ??= param.default ?? (param.kind === 'boolean' ? false : undefined)
    if (options[name] === undefined && !param.optional)
      throw new UsageError(texts.missing(`--${name}`, usageOf(command, prefix)))
  }
  return { args, options }
}
