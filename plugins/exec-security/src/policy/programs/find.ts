// find: its expression, the paths that it finds, and the commands that it runs on them.
import { OptionSet } from '../option-set.js'
import { substitute } from './placeholder.js'
import { globPattern } from '../patterns.js'
import { HOLE, fileArg, mayBeOption, type Arg } from '../words.js'
import type { ProgramSpec } from './program-spec.js'
import type { ParsedArgs, ArgUse } from '../parsed-args.js'
import type { CommandContext } from '../resolved.js'

const LEADING_WILD = /^[\u0001\u0002]/
/** Variables that hold one word. */
const ONE_WORD = /^(?:USER|LOGNAME|E?UID)$/

/** Reads the words of find: folders, then an expression of tests and actions, each a word of its own. */
export function parseFind(words: readonly Arg[], spec: ProgramSpec): ParsedArgs {
  const known = OptionSet.of(spec)
  const uses: ArgUse[] = []
  const operands: Arg[] = []
  const innerCommands: (readonly Arg[])[] = []
  const givenOptions = new Set<string>()
  let [unknown, uncertain]: [string | undefined, Arg | undefined] = [undefined, undefined]
  for (let at = 0; at < words.length; at++) {
    const arg = words[at] as Arg
    const { shape, value, text } = arg
    if (!/^[-(!,)]/.test(shape) || shape === '-') {
      // Folders stand before the expression.
      if (givenOptions.size > 0 && !/^(?:-[HLPEXdsx]|-O\d|-D)*$/.test([...givenOptions].join(''))) unknown ??= text
      if (mayBeOption(arg)) uncertain ??= arg
      operands.push(arg)
      continue
    }
    const option =
      value === undefined
        ? undefined
        : (known.get(value) ??
          known.get(value.replace(/^-{1,2}/, '')) ??
          (/^-newer[aBcm][aBcmt]$/.test(value) ? known.get('-mtime') : undefined))
    if (option === undefined || value === undefined) {
      unknown ??= text
      continue
    }
    givenOptions.add(value)
    if (option.effect === 'program') {
      const end = words.findIndex(
        (word, i) => i > at && (word.value === ';' || (word.value === '+' && words[i - 1]?.value === '{}')),
      )
      if (end < 0) unknown ??= words.at(-1)?.text
      innerCommands.push(words.slice(at + 1, end < 0 ? words.length : end))
      at = end < 0 ? words.length : end
    } else if (option.kind === 'value') {
      const next = words[++at]
      const single =
        next?.splits === false ||
        next?.sources.every((source) => source === 'glob') === true ||
        (next?.sources.every((source) => source === 'variable') === true &&
          next.variables.every((name) => ONE_WORD.test(name)))
      if (next === undefined || !single) unknown ??= text
      else uses.push({ effect: option.effect, arg: next, option: value })
    } else if (option.effect !== 'text') {
      uses.push({ effect: option.effect, arg, option: value })
    }
  }
  // What is found below the root is told by name; of other trees everything may be.
  for (const arg of operands) uses.push({ effect: arg.value === '/' ? 'list' : 'listTree', arg })
  return {
    effects: known.effects,
    spec,
    uses,
    operands,
    command: [],
    innerCommands,
    givenOptions,
    subcommandPath: [],
    unknown,
    uncertain,
  }
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

/** What a call of find may name; also what it hands to the commands that it runs. */
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

/** The name that everything found has: of the one test of names, if that stands before every action and nothing is an alternative to it. */
function soleName(words: readonly Arg[], spec: ProgramSpec): string | undefined {
  const known = OptionSet.of(spec)
  let name: string | undefined
  for (let i = 0; i < words.length; i++) {
    const value = words[i]?.value ?? ''
    if (/^(?:-o|-or|-not|!|,|\(|\))$/.test(value)) return undefined
    const option = known.get(value)
    if (value === '-name' || value === '-iname') {
      if (name !== undefined) return undefined
      name = words[i + 1]?.value
      if (name === undefined) return undefined
    } else if (name === undefined && (option?.effect === 'program' || /^-(?:print0?|printf|ls)$/.test(value))) {
      return undefined
    }
    if (option?.kind === 'value' && option.effect !== 'program') i += 1
  }
  return name
}
