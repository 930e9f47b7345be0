import { baseName } from '../blacklist.js'
import { hasOption, parseArgs } from '../parse-args.js'
import type { ParsedArgs, ArgUse } from '../parsed-args.js'
import { wrapperSpec } from './index.js'
import { HOLE, cutArg, fileArg, inputArg, likelyName, staticArg, type Arg } from '../words.js'
import { substitute } from './placeholder.js'
import type { AssignmentInfo } from '../walk-types.js'
import type { Stdin } from '../redirects.js'

/** The command inside a wrapper. */
export interface Unwrapped {
  /** The inner command. Empty when the wrapper runs none. */
  readonly inner: readonly Arg[]
  /** How many of its words are written out, at the end of the words of the wrapper. */
  readonly written: number
  readonly environment: readonly AssignmentInfo[]
  /** The effects of the wrapper itself on files. */
  readonly uses: readonly ArgUse[]
  /** Why the wrapper itself is not harmless, although its command may be. */
  readonly concern?: string
  /** The standard input of the inner command, where the wrapper takes its own. */
  readonly stdin?: Stdin
}

/** Whether a word names a command that the policy looks through. */
export function isWrapper(name: string): boolean {
  return wrapperSpec(name) !== undefined
}

/** Returns what a wrapper runs, or why that is not known. */
export function unwrap(name: string, args: readonly Arg[], stdin: Stdin): Unwrapped | string {
  const spec = wrapperSpec(name)
  if (spec === undefined) return `${name} is not a known wrapper`
  // `env -` is an old spelling of `env -i`.
  const words = name === 'env' && args[0]?.value === '-' ? args.slice(1) : args
  const parsed = parseArgs(words, spec)
  if (parsed.uses.some(({ effect }) => effect === 'query')) return { inner: [], written: 0, environment: [], uses: [] }
  const problem = problemOf(name, parsed)
  if (problem !== undefined) return problem
  const split = splitAssignments(name, spec.command?.assignments === true ? parsed.command : [])
  if (typeof split === 'string') return split
  const inner = parsed.command.slice(split.count)
  // Some implementations take a late `--` as the end of options, others as the command.
  while (inner[0]?.shape === '--') inner.shift()
  const concern = concernOf(name, words === args ? parsed : { ...parsed, givenOptions: CLEARS }, inner)
  const unwrapped = {
    inner,
    written: inner.length,
    environment: split.environment,
    uses: parsed.uses.filter(({ effect }) => /^(?:read|write|chdir)$/.test(effect)),
    ...(concern === undefined ? {} : { concern }),
  }
  return name === 'xargs' ? unwrapXargs(unwrapped, parsed, stdin) : unwrapped
}

/** Returns why the words of a wrapper are not understood. */
function problemOf(name: string, { unknown, uncertain, operands }: ParsedArgs): string | undefined {
  if (unknown !== undefined) return `${name} has an option that is not known: ${unknown}`
  const computed = uncertain ?? operands.find((operand) => operand.splits || operand.shape.startsWith(HOLE))
  return computed === undefined ? undefined : computedArgument(name, computed)
}

const computedArgument = (name: string, word: Arg): string => `an argument of ${name} is computed: ${word.text}`

/** Returns the assignments at the beginning of some words, or why they are not understood. */
function splitAssignments(
  name: string,
  words: readonly Arg[],
): { readonly environment: readonly AssignmentInfo[]; readonly count: number } | string {
  const environment: AssignmentInfo[] = []
  for (const word of words) {
    const at = word.shape.indexOf('=')
    if (at < 0) break
    const variable = word.shape.slice(0, at)
    if (word.splits || variable.includes(HOLE)) return computedArgument(name, word)
    const value = cutArg(word, at + 1)
    environment.push({ name: variable, value, text: `${variable}=${value.text}` })
  }
  return { environment, count: environment.length }
}

/** The option that `env -` is an old spelling of. */
const CLEARS: ReadonlySet<string> = new Set(['-i'])

/** Returns why a wrapper itself is not harmless. */
function concernOf(name: string, { uses, givenOptions }: ParsedArgs, inner: readonly Arg[]): string | undefined {
  if (name === 'env' && inner.length === 0) return 'env prints the whole environment'
  const names = inner.map(({ value }) => baseName(value ?? ''))
  const unsets = hasOption(givenOptions, 'i u ignore-environment unset')
  if (name === 'env' && unsets && names.includes('git'))
    return 'env takes settings from git that keep repositories from running programs'
  const leaves =
    (name === 'env' && unsets && names.includes('setsid')) ||
    (name === 'setsid' && names.includes('env') && inner.some(({ shape }) => /^-(?:$|-?[iu])/.test(shape)))
  if (leaves) return 'setsid and env together hide a process from the host, which could not end it'
  const denied = uses.find(({ effect }) => effect === 'deny' || effect === 'chdir')
  return denied === undefined ? undefined : `${name} ${denied.option ?? ''} is not read-only`
}

function unwrapXargs(base: Unwrapped, { uses, givenOptions }: ParsedArgs, stdin: Stdin): Unwrapped {
  let marker: string | undefined
  let fromFile = false
  for (const { option, arg } of uses) {
    if (option === '-I') marker = arg.value ?? HOLE
    else if (option === '-i' || option === '--replace') marker = arg.value ?? '{}'
    else if (option === '-a' || option === '--arg-file') fromFile = true
  }
  if ([...uses].some(({ option }) => option === '-i' || option === '--replace') && marker === undefined) marker = '{}'
  const taken = { kind: fromFile ? 'unknown' : 'none' } as const
  if (base.inner.length === 0) return { ...base, stdin: taken }
  const words = fromFile ? [inputArg('…')] : wordsOf(stdin, givenOptions)
  const inner =
    marker === undefined
      ? [...base.inner, ...words]
      : base.inner.flatMap((arg) => substitute(arg, marker as string, words))
  return { ...base, inner, stdin: taken }
}

const MAX_NAMES = 32

/** Returns names that input may hold, however it is taken to pieces. */
function namesOf(stdin: Stdin): readonly string[] {
  if (stdin.kind === 'names') return stdin.patterns
  if (stdin.kind === 'unknown') return stdin.names ?? []
  const words = stdin.kind === 'text' ? stdin.text.split(/[\s\0,;'"\\]+/) : []
  return words.filter((word) => word !== '' && !word.startsWith('-')).slice(0, MAX_NAMES)
}

/**
 * Returns the words that xargs makes of its input. They are known if they are not quoted and go to one command, or if
 * they are names with a NUL behind each.
 */
function wordsOf(stdin: Stdin, givenOptions: ReadonlySet<string>): readonly Arg[] {
  const has = (...options: readonly string[]): boolean => options.some((option) => givenOptions.has(option))
  if (stdin.kind === 'names' && has('-0', '--null') && !has('-d', '--delimiter'))
    return stdin.patterns.map((pattern) => fileArg('…', pattern))
  const plain =
    stdin.kind === 'text' &&
    stdin.text.length < 1000 &&
    !/["'\\]/.test(stdin.text) &&
    [...givenOptions].every((option) => /^-[rt]$/.test(option))
  const words = plain
    ? stdin.text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => staticArg(word))
    : []
  if (words.length > 0) return words
  return [inputArg('…'), ...namesOf(stdin).map(likelyName)]
}
