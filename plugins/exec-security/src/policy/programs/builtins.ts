import { changesMeaning, runsValue } from './environment.js'
import { EVALUATES } from '../provenance.js'
import { assign, guess, type ScriptFacts } from '../walk-types.js'
import { HOLE, inputArg, cutArg, hasTilde, staticArg, wordOf, type Arg } from '../words.js'
import { printedText } from './echo-output.js'
import type { Stdin } from '../redirects.js'
import type { CommandContext } from '../resolved.js'

/** The value of a command word, or undefined where the shell computes it. */
export function commandWord(name: Arg): string | undefined {
  const { value } = name
  if (value === undefined || value === '') return undefined
  if (hasTilde(name) && !value.includes('/')) return undefined
  // Braces in the text of a command word are not trusted to be literal.
  return /[{}]/.test(name.text) ? undefined : value
}

/** Options of builtins that take a value of their own, and those whose value is the name of a variable. */
const VALUES: Readonly<Record<string, string>> = {
  read: 'dinNptu',
  mapfile: 'dnOsucC',
  readarray: 'dnOsucC',
  wait: 'p',
  printf: 'v',
  getopts: '',
  unset: '',
  local: '',
  declare: '',
  typeset: '',
  export: '',
  readonly: '',
}
const NAMED: Readonly<Record<string, string>> = { read: 'a', wait: 'p', printf: 'v' }

/** Records what a builtin sets and evaluates, and follows what it runs. Returns whether that explains its words. */
export function followBuiltin(context: CommandContext): boolean {
  const { base, args, facts } = context
  const problem = setBy(base, args, facts, context.recordVariable)
  if (problem !== undefined) context.refuse(problem)
  guessValues(context)
  const follow = BUILTINS.get(base)
  follow?.(context)
  return follow !== undefined
}

/** Records what variables may be given by text that is known. */
function guessValues({ base, args, stdin, facts, recordVariable }: CommandContext): void {
  const texts = base === 'printf' ? printedBy(args) : linesOf(base, stdin)
  if (texts.length === 0) return
  const { names } = namedBy(base, args, { ...facts, names: [] })
  for (const name of names.length > 0 ? names.flatMap(({ value = [] }) => value) : ['REPLY', 'MAPFILE'])
    for (const text of texts) {
      guess(facts, bare(name), staticArg(text))
      // Variables of such names may change where commands run.
      if (/^[A-Z]/.test(name)) recordVariable(bare(name), staticArg(text))
    }
}

/** Returns the text that `printf -v` writes into a variable. */
function printedBy([option, ...args]: readonly Arg[]): readonly string[] {
  if (option?.shape.startsWith('-v') !== true) return []
  const values = (option.shape === '-v' ? args.slice(1) : args).map(({ value }) => value)
  const text = values.includes(undefined) ? undefined : printedText('printf', values as string[])
  return text === undefined ? [] : [text]
}

const MAX_TEXTS = 32

/** Returns the lines of input, and the words in them. */
function linesOf(base: string, stdin: Stdin): readonly string[] {
  if (!/^(?:read|mapfile|readarray)$/.test(base)) return []
  if (stdin.kind === 'unknown') return stdin.names ?? []
  if (stdin.kind !== 'text') return []
  const lines = stdin.text.split('\n').map((line) => line.trim())
  const words = lines.flatMap((line) => line.split(/[\s:;,|=]+/))
  return [...new Set([...lines, ...words])].filter((text) => text !== '').slice(0, MAX_TEXTS)
}

const BUILTINS: ReadonlyMap<string, (context: CommandContext) => void> = new Map([
  ['fc', followHistory],
  ['busybox', followApplet],
  ['toybox', followApplet],
  ['jobs', followJobs],
  ['trap', followTrap],
  ['.', followSource],
  ['source', followSource],
  ['alias', followAlias],
  ['shopt', recordShellOptions],
  ['set', recordShellOptions],
  ['hash', followHash],
  ['compgen', denyCompletion],
  ['complete', denyCompletion],
  ['bind', denyCompletion],
  ['enable', denyCompletion],
])

function followHistory({ args, refuse }: CommandContext): void {
  if (!args.some(({ shape }) => /^-\w*l/.test(shape))) refuse('fc runs what was typed before')
}

function followApplet({ args, followCommand }: CommandContext): void {
  if (args.length > 0 && args[0]?.value?.startsWith('-') !== true) followCommand(args)
}

function followJobs({ args, followCommand }: CommandContext): void {
  const at = args.findIndex(({ shape }) => /^-\w*x/.test(shape))
  if (at >= 0) followCommand(args.slice(at + 1))
}

function followTrap({ args, refuse, followScript }: CommandContext): void {
  const words = withoutEndMarker(args)
  const [action] = words
  if (action === undefined || /^-[lp]$/.test(action.shape) || words.length === 1) return
  if (action.value === undefined) refuse('the action of trap is computed')
  else if (action.value !== '' && action.value !== '-') followScript(action.value, false)
}

function followSource({ args, stdin, facts, refuse, followScript }: CommandContext): void {
  facts.declaresMap = true
  const [file] = withoutEndMarker(args)
  if (file === undefined) return
  const isDevice = /^\/(?:dev|proc)\//.test(file.shape)
  const isComputed = file.value === undefined && (file.sources.includes('process') || file.shape.length === 1)
  if (isDevice && stdin.kind === 'text' && /\/(?:stdin|0)$/.test(file.shape)) followScript(stdin.text, false)
  else if (isDevice || isComputed) refuse(`the text read from ${file.text} is computed`)
}

function followAlias({ args, facts, refuse, followScript }: CommandContext): void {
  for (const { value, shape, text } of args) {
    facts.definesAlias ||= shape.includes('=') || value === undefined
    if (value === undefined) refuse(`the alias ${text} is computed`)
    else if (value.includes('=')) followScript(value.slice(value.indexOf('=') + 1), false)
  }
}

function recordShellOptions({ base, args, facts, refuse }: CommandContext): void {
  facts.setsOptions = true
  const found = args.find(({ shape }) => changesMeaning(shape) || (base === 'set' && /^-[a-z]*k/i.test(shape)))
  if (found !== undefined) refuse(`${base} ${found.text} changes what words mean`)
}

function followHash({ args, refuse, checkForbidden }: CommandContext): void {
  const at = args.findIndex(({ shape }) => /^-\w*p/.test(shape))
  const target = /^-\w*p$/.test(args[at]?.shape ?? '') ? args[at + 1] : args[at]
  if (target?.value !== undefined) checkForbidden(target.value.replace(/^-\w*p/, ''))
  else if (target !== undefined) refuse('the path given to hash is computed')
}

function denyCompletion({ base, args, refuse }: CommandContext): void {
  const expands = base !== 'compgen' || args.some(({ shape }) => /[$`]|^-\w*[CF]/.test(shape))
  if (args.some(({ value, shape }) => value === undefined || (expands && /^-\w*[CFWxfX]/.test(shape))))
    refuse(`${base} would run or load text as a command`)
}

const withoutEndMarker = (args: readonly Arg[]): readonly Arg[] => (args[0]?.value === '--' ? args.slice(1) : args)

type Setter = (args: readonly Arg[], facts: ScriptFacts, record: RecordVariable, name: string) => string | undefined
type RecordVariable = CommandContext['recordVariable']

const DECLARING = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])
const NAMING_BUILTINS = new Set(['read', 'mapfile', 'readarray', 'getopts', 'wait', 'unset', 'printf'])

/** Records what a builtin sets and evaluates. Returns why it may not run in any mode. */
function setBy(name: string, args: readonly Arg[], facts: ScriptFacts, record: RecordVariable): string | undefined {
  if (name === 'let') recordLet(args, facts)
  if (name === 'test' || name === '[') recordTest(args, facts)
  if (DECLARING.has(name)) return recordDeclarations(args, facts, record, name)
  return NAMING_BUILTINS.has(name) ? recordNames(args, facts, record, name) : undefined
}

function recordLet(args: readonly Arg[], facts: ScriptFacts): void {
  for (const arg of args) {
    facts.evaluated.push({ text: `let ${arg.text}`, arg })
    const assigned = /^\s*([A-Za-z_]\w*)\s*[-+*/%&|^<>]*=/.exec(arg.shape)?.[1]
    if (assigned !== undefined) assign(facts, assigned, { ...inputArg('0'), sources: ['arithmetic'] })
  }
}

/** Records the names behind `-v` and `-R`. Two words alone are `-v name`, and any computed word may be one. */
function recordTest(args: readonly Arg[], facts: ScriptFacts): void {
  for (const [i, arg] of args.entries()) {
    const next = args[i + 1]
    if (/^-[vR]$/.test(arg.shape) && next !== undefined && next.shape !== ']')
      facts.names.push({ text: next.text, arg: next })
  }
}

const isFlag = ({ shape }: Arg): boolean => /^[-+]/.test(shape)

const recordDeclarations: Setter = (args, facts, record) => {
  const flags = args
    .filter(isFlag)
    .map(({ shape }) => shape)
    .join('')
  if (flags.includes('A') || flags.includes(HOLE)) facts.declaresMap = true
  const declared = args.filter((arg) => !isFlag(arg))
  for (const arg of declared) {
    const problem = recordDeclaration(arg, flags, facts, record)
    if (problem !== undefined) return problem
  }
  if (flags.includes('i')) for (const arg of declared) facts.integers.add(arg.shape.split(/[+=[]/)[0] ?? '')
  return undefined
}

/** A variable that stands for another one has its values, and the other one has those that it is given. */
function guessNamed([name = '', other]: readonly string[], facts: ScriptFacts): void {
  facts.indirect.push({ text: name, variable: name })
  for (const [from, to] of [[name, `!${name}`], ...(other === undefined ? [] : [[other, name]])] as const)
    guess(facts, from, wordOf(`$${to}`, [{ token: HOLE, source: 'variable', variable: to }]))
}

function recordDeclaration(arg: Arg, flags: string, facts: ScriptFacts, record: RecordVariable): string | undefined {
  const equals = arg.shape.search(/\+?=/)
  if (flags.includes('n') && !flags.startsWith('-p')) guessNamed(arg.shape.split(/\+?=/), facts)
  const name = equals < 0 ? arg.shape : arg.shape.slice(0, equals)
  if (arg.splits || !/^[A-Za-z_]\w*(?:\[[\w@*]*\])?$/.test(name)) {
    facts.names.push({ text: arg.text, arg: { ...arg, value: undefined } })
    return undefined
  }
  if (equals < 0) return undefined
  const value = cutArg(arg, arg.shape.indexOf('=') + 1)
  if (flags.includes('n') && !flags.startsWith('-p')) {
    facts.names.push({ text: arg.text, arg: value })
    if (runsValue(value.value ?? '', undefined) || EVALUATES.includes(value.value ?? ''))
      return `${value.text} holds text that the shell would run`
  }
  if (flags.includes('i')) facts.evaluated.push({ text: arg.text, arg: value })
  assign(facts, bare(name), value)
  record(bare(name), value)
  return runsValue(bare(name), value.value) ? `${name} holds text that the shell would run` : undefined
}

const recordNames: Setter = (args, facts, record, builtin) => {
  const { names, runs } = namedBy(builtin, args, facts)
  if (runs !== undefined) return runs
  for (const arg of names) {
    facts.names.push({ text: `${builtin} ${arg.text}`, arg })
    if (builtin === 'unset') continue
    assign(facts, arg.value === undefined ? undefined : bare(arg.value), inputArg(arg.text))
    if (arg.value === undefined) continue
    record(bare(arg.value))
    if (runsValue(bare(arg.value), undefined)) return `${arg.value} holds text that the shell would run`
  }
  return undefined
}

/** Returns the words of a builtin that name variables, and why the builtin may not run. */
function namedBy(
  builtin: string,
  args: readonly Arg[],
  facts: ScriptFacts,
): { readonly names: readonly Arg[]; readonly runs?: string } {
  const names: Arg[] = []
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] as Arg
    const { shape } = arg
    if (shape === '--') {
      at += 1
      break
    }
    if (!shape.startsWith('-') || shape === '-') {
      // A word that splits may become options first.
      if (shape.startsWith(HOLE) && builtin !== 'printf' && arg.splits) facts.names.push({ text: arg.text, arg })
      break
    }
    const { letter, attached } = valueLetter(builtin, arg)
    if (letter === undefined) continue
    const value = attached ?? args[++at]
    if (NAMED[builtin]?.includes(letter) === true && value !== undefined) names.push(value)
    if (letter === 'C') return { names, runs: `${builtin} -C would run text as a command` }
  }
  return { names: [...names, ...namingOperands(builtin, args.slice(at))] }
}

/** Returns the operands of a builtin that name variables. */
function namingOperands(builtin: string, operands: readonly Arg[]): readonly Arg[] {
  if (builtin === 'getopts') return operands.slice(1, 2)
  return /^(?:read|mapfile|readarray|unset)$/.test(builtin) ? operands : []
}

/**
 * Returns the letter of a cluster that takes a value, with what is attached to it. A sign that is no letter ends a
 * cluster too.
 */
function valueLetter(
  builtin: string,
  arg: Arg,
): { readonly letter?: string | undefined; readonly attached?: Arg | undefined } {
  const takesValue = (VALUES[builtin] ?? '') + (NAMED[builtin] ?? '')
  for (let at = 1; at < arg.shape.length; at++) {
    const letter = arg.shape[at] ?? ''
    if (!takesValue.includes(letter) && /[a-zA-Z]/.test(letter)) continue
    return { letter, attached: at + 1 < arg.shape.length ? cutArg(arg, at + 1) : undefined }
  }
  return {}
}

/** A name without its subscript. */
const bare = (name: string): string => name.split('[', 1).join('')
