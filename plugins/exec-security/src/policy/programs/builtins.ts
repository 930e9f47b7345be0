// Builtins that set variables or take names: what they do to what is known, and what of it would run code.
import { runsValue } from './environment.js'
import { EVALUATES } from '../provenance.js'
import { assign, type ScriptFacts } from '../walk-types.js'
import { inputArg, cutArg, hasTilde, type Arg } from '../words.js'
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

/** Records what a builtin sets and evaluates, and follows what it runs; whether that explains its words. */
export function followBuiltin(context: CommandContext): boolean {
  const { base, args, stdin, facts } = context
  const problem = setBy(base, args, facts, context.recordVariable)
  if (problem !== undefined) context.refuse(problem)
  switch (base) {
    case 'fc':
      if (!args.some(({ shape }) => /^-\w*l/.test(shape))) context.refuse('fc runs what was typed before')
      return true
    case 'busybox':
    case 'toybox':
      if (args.length > 0 && args[0]?.value?.startsWith('-') !== true) context.followCommand(args)
      return true
    case 'jobs': {
      const at = args.findIndex(({ shape }) => /^-\w*x/.test(shape))
      if (at >= 0) context.followCommand(args.slice(at + 1))
      return true
    }
    case 'trap': {
      const words = args[0]?.value === '--' ? args.slice(1) : args
      const [action] = words
      if (action === undefined || /^-[lp]$/.test(action.shape) || words.length === 1) return true
      if (action.value === undefined) context.refuse('the action of trap is computed')
      else if (action.value !== '' && action.value !== '-') context.followScript(action.value, false)
      return true
    }
    case '.':
    case 'source': {
      const [file] = args[0]?.value === '--' ? args.slice(1) : args
      if (file === undefined) return true
      const device = /^\/(?:dev|proc)\//.test(file.shape)
      if (device && stdin.kind === 'text' && /\/(?:stdin|0)$/.test(file.shape)) context.followScript(stdin.text, false)
      else if (device || (file.value === undefined && (file.sources.includes('process') || file.shape.length === 1)))
        context.refuse(`the text read from ${file.text} is computed`)
      return true
    }
    case 'alias':
      for (const { value, shape, text } of args) {
        facts.definesAlias ||= shape.includes('=') || value === undefined
        if (value === undefined) context.refuse(`the alias ${text} is computed`)
        else if (value.includes('=')) context.followScript(value.slice(value.indexOf('=') + 1), false)
      }
      return true
    case 'shopt':
    case 'set':
      facts.setsOptions = true
      return true
    case 'hash': {
      const at = args.findIndex(({ shape }) => /^-\w*p/.test(shape))
      const target = /^-\w*p$/.test(args[at]?.shape ?? '') ? args[at + 1] : args[at]
      if (target?.value !== undefined) context.checkForbidden(target.value.replace(/^-\w*p/, ''))
      else if (target !== undefined) context.refuse('the path given to hash is computed')
      return true
    }
    case 'compgen':
    case 'complete':
    case 'bind':
    case 'enable': {
      const expands = base !== 'compgen' || args.some(({ shape }) => /[$`]|^-\w*[CF]/.test(shape))
      if (args.some(({ value, shape }) => value === undefined || (expands && /^-\w*[CFWxfX]/.test(shape))))
        context.refuse(`${base} would run or load text as a command`)
      return true
    }
    default:
      return false
  }
}

/** Records what a builtin sets and evaluates; a string is why it may not run in any mode. */
function setBy(
  name: string,
  args: readonly Arg[],
  facts: ScriptFacts,
  sets: CommandContext['recordVariable'],
): string | undefined {
  switch (name) {
    case 'let':
      for (const arg of args) {
        facts.evaluated.push({ text: `let ${arg.text}`, arg })
        const assigned = /^\s*([A-Za-z_]\w*)\s*[-+*/%&|^<>]*=/.exec(arg.shape)?.[1]
        if (assigned !== undefined) assign(facts, assigned, { ...inputArg('0'), sources: ['arithmetic'] })
      }
      return undefined
    case 'test':
    case '[':
      args.forEach((arg, i) => {
        const next = args[i + 1]
        // Two words alone are `-v name`; with computed words any of them may be.
        if (/^-[vR]$/.test(arg.shape) && next !== undefined && next.shape !== ']')
          facts.names.push({ text: next.text, arg: next })
      })
      return undefined
    case 'declare':
    case 'typeset':
    case 'local':
    case 'export':
    case 'readonly':
      return declared(args, facts, sets)
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
    case 'wait':
    case 'unset':
    case 'printf':
      return named(name, args, facts, sets)
    default:
      return undefined
  }
}

function declared(
  args: readonly Arg[],
  facts: ScriptFacts,
  sets: CommandContext['recordVariable'],
): string | undefined {
  const flags = args
    .filter(({ shape }) => /^[-+]/.test(shape))
    .map(({ shape }) => shape)
    .join('')
  for (const arg of args) {
    if (/^[-+]/.test(arg.shape)) continue
    const equals = arg.shape.search(/\+?=/)
    const name = equals < 0 ? arg.shape : arg.shape.slice(0, equals)
    if (arg.splits || !/^[A-Za-z_]\w*(?:\[[\w@*]*\])?$/.test(name)) {
      facts.names.push({ text: arg.text, arg: { ...arg, value: undefined } })
      continue
    }
    if (equals < 0) continue
    const value = cutArg(arg, arg.shape.indexOf('=') + 1)
    if (flags.includes('n') && !flags.startsWith('-p')) {
      facts.names.push({ text: arg.text, arg: value })
      if (runsValue(value.value ?? '', undefined) || EVALUATES.includes(value.value ?? ''))
        return `${value.text} holds text that the shell would run`
    }
    if (flags.includes('i')) facts.evaluated.push({ text: arg.text, arg: value })
    assign(facts, bare(name), value)
    sets(bare(name), value)
    if (runsValue(bare(name), value.value)) return `${name} holds text that the shell would run`
  }
  if (flags.includes('i'))
    for (const arg of args) if (!/^[-+]/.test(arg.shape)) facts.integers.add(arg.shape.split(/[+=[]/)[0] ?? '')
  return undefined
}

function named(
  builtin: string,
  args: readonly Arg[],
  facts: ScriptFacts,
  sets: CommandContext['recordVariable'],
): string | undefined {
  const names: Arg[] = []
  const values = VALUES[builtin] ?? ''
  const naming = NAMED[builtin] ?? ''
  let i = 0
  for (; i < args.length; i++) {
    const arg = args[i] as Arg
    const { shape } = arg
    if (shape === '--') {
      i += 1
      break
    }
    if (!shape.startsWith('-') || shape === '-') {
      if (shape.startsWith('\0') && builtin !== 'printf' && arg.splits) facts.names.push({ text: arg.text, arg })
      break
    }
    for (let at = 1; at < shape.length; at++) {
      const letter = shape[at] ?? ''
      const takes = values.includes(letter) || naming.includes(letter)
      if (!takes && /[a-zA-Z]/.test(letter)) continue
      const value = at + 1 < shape.length ? cutArg(arg, at + 1) : args[++i]
      if (naming.includes(letter) && value !== undefined) names.push(value)
      if (letter === 'C') return `${builtin} -C would run text as a command`
      break
    }
  }
  const rest = args.slice(i)
  if (builtin === 'read' || builtin === 'mapfile' || builtin === 'readarray' || builtin === 'unset') names.push(...rest)
  if (builtin === 'getopts') names.push(...rest.slice(1, 2))
  for (const arg of names) {
    facts.names.push({ text: `${builtin} ${arg.text}`, arg })
    if (builtin === 'unset') continue
    assign(facts, arg.value === undefined ? undefined : bare(arg.value), inputArg(arg.text))
    if (arg.value !== undefined) sets(bare(arg.value))
    if (arg.value !== undefined && runsValue(bare(arg.value), undefined))
      return `${arg.value} holds text that the shell would run`
  }
  return undefined
}

/** A name without its subscript. */
const bare = (name: string): string => name.split('[', 1).join('')
