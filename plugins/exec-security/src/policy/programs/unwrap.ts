// Looks through commands that run another command given as their arguments.
import { parseArgs } from '../parse-args.js'
import type { ParsedArgs, ArgUse } from '../parsed-args.js'
import { wrapperSpec } from './index.js'
import { HOLE, cutArg, fileArg, inputArg, staticArg, type Arg } from '../words.js'
import { substitute } from './placeholder.js'
import type { AssignmentInfo } from '../walk-types.js'
import type { Stdin } from '../redirects.js'

/** What a wrapper runs. */
export interface Unwrapped {
  /** The inner command; empty when the wrapper runs none. */
  readonly inner: readonly Arg[]
  readonly environment: readonly AssignmentInfo[]
  /** What the wrapper itself does with files. */
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

/** Looks through one wrapper; a string is the reason why that is not possible. */
export function unwrap(name: string, args: readonly Arg[], stdin: Stdin): Unwrapped | string {
  const table = wrapperSpec(name)
  if (table === undefined) return `${name} is not a known wrapper`
  // `env -` is an old spelling of `env -i`.
  const words = name === 'env' && args[0]?.value === '-' ? args.slice(1) : args
  const read = parseArgs(words, table)
  if (read.uses.some(({ effect }) => effect === 'query')) return { inner: [], environment: [], uses: [] }
  if (read.unknown !== undefined) return `${name} has an option that is not known: ${read.unknown}`
  if (read.uncertain !== undefined) return `an argument of ${name} is computed: ${read.uncertain.text}`
  const computed = read.operands.find((operand) => operand.splits || operand.shape.startsWith(HOLE))
  if (computed !== undefined) return `an argument of ${name} is computed: ${computed.text}`

  let inner = [...read.command]
  const environment: AssignmentInfo[] = []
  while (table.command?.assignments === true && inner[0] !== undefined && inner[0].shape.includes('=')) {
    const [word] = inner
    const at = word.shape.indexOf('=')
    const variable = word.shape.slice(0, at)
    if (word.splits || variable.includes(HOLE)) return `an argument of ${name} is computed: ${word.text}`
    const value = cutArg(word, at + 1)
    environment.push({ name: variable, value, text: `${variable}=${value.text}` })
    inner = inner.slice(1)
  }
  // Some implementations take a late `--` as the end of options, others as the command: what follows is followed.
  while (inner[0]?.shape === '--') inner = inner.slice(1)
  const never = read.uses.find(({ effect }) => effect === 'deny')
  let concern = never === undefined ? undefined : `${name} ${never.option ?? ''} is not read-only`
  if (name === 'env' && inner.length === 0) concern = 'env prints the whole environment'
  const base = {
    inner,
    environment,
    uses: read.uses.filter(({ effect }) => effect === 'read' || effect === 'write'),
    ...(concern === undefined ? {} : { concern }),
  }
  return name === 'xargs' ? unwrapXargs(base, read, stdin) : base
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

/** What xargs makes of its input, where that is known: words between blanks, all of them in one command, none of them quoted. */
function wordsOf(stdin: Stdin, givenOptions: ReadonlySet<string>): readonly Arg[] {
  if (stdin.kind === 'paths') return stdin.patterns.map((pattern) => fileArg('…', pattern))
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
  return words.length > 0 ? words : [inputArg('…')]
}
