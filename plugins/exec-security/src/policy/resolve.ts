// From a command in the tree to everything it runs: wrappers, shells, find, traps and multiplexers are followed.
import { baseName, blacklisted, codeRunsBlacklisted } from './blacklist.js'
import { commandWord, followBuiltin } from './builtins.js'
import { codeBlacklisted, codeScripts } from './programs/code.js'
import { runsValue } from './programs/environment.js'
import { variantsOf } from './expand.js'
import { readOptions, type Reading, type Use } from './options.js'
import { findPatterns } from './outputs.js'
import { tableOf } from './programs/index.js'
import { isPackageRunner, isRunner, runnerCandidates } from './programs/runners.js'
import { isShell, readShellCall, runsInput } from './shells.js'
import { walkText } from './walk.js'
import { assign, type CommandUnit, type Walk } from './walk-types.js'
import { isWrapper, substitute, unwrap } from './wrappers.js'
import { fileArg, quoteWord, type Arg } from './words.js'
import type { FixedVerdict, Resolved, ResolvedCommand } from './resolved.js'
import type { RedirectInfo, Stdin } from './redirects.js'

/** Options whose name says that their value is run. */
const NAMES_COMMAND = /^(?:--?)?(?:(?<=^-)[ec]|[\w:.-]{0,60}(?:command|cmd|exec|shell|program|pager|editor|hook|invoke|runner|prepare|filter|wrapper)[\w:.-]{0,60})$/i
/** What stands before a command in a line of a table of jobs, or of a program that runs what follows an exclamation mark. */
const LINE_START = /^(?:[~:]?!|@\w{1,20}\s|(?:[\d*/,-]{1,20}[ \t]{1,9}){5})[ \t]{0,9}/

const MAX_CHAIN = 24
const MAX_SCRIPTS = 12

interface Step {
  readonly words: readonly Arg[]
  readonly environment: ResolvedCommand['environment']
  readonly redirects: readonly RedirectInfo[]
  readonly wrappers: readonly string[]
  readonly uses: readonly Use[]
  readonly concerns: readonly string[]
  readonly stdin: Stdin
  readonly text: string
  readonly depth: number
}

/** Follows one command; texts that it runs as shell are walked into `walk`, whose new units are resolved later. */
export class Resolver {
  readonly #walk: Walk
  /** Scripts that were walked already: the same text again finds nothing new. */
  readonly #walked = new Set<string>()
  #scripts = 0

  constructor(walk: Walk) {
    this.#walk = walk
  }

  resolve(unit: CommandUnit): Resolved[] {
    const environment = unit.assignments.map(({ name, value, text }) => ({ name, value, text }))
    const results: Resolved[] = []
    const { redirects, stdin, text } = unit
    if (unit.words.length === 0) {
      results.push({ kind: 'command', words: [], reading: undefined, environment: [], redirects, wrappers: [], uses: [], concerns: [], assignments: unit.assignments, stdin })
      return results
    }
    for (const words of variantsOf(unit.words, this.#walk.facts, this.#walk.budget)) {
      this.#follow({ words, environment, redirects, wrappers: [], uses: [], concerns: [], stdin, text, depth: 0 }, results)
    }
    return results
  }

  #follow(start: Step, results: Resolved[]): void {
    let step = start
    for (let i = 0; i < MAX_CHAIN; i++) {
      this.#walk.budget.spend(1 + step.words.length)
      const [name, ...args] = step.words
      if (name === undefined) return
      const fixed = (kind: FixedVerdict['kind'], reason: string): void => {
        results.push({ kind, text: step.text, reason })
      }
      const word = commandWord(name)
      if (word === undefined) return fixed('refused', `the command word ${name.text} is computed`)
      // No program is called so: an option stands where a wrapper was thought to end.
      if (word.startsWith('-')) return fixed('refused', `${word} stands where a command should`)
      const forbidden = blacklisted(word)
      if (forbidden !== undefined) return fixed('blacklisted', `${forbidden} is forbidden`)
      const base = baseName(word)
      if (!isWrapper(base)) return this.#leaf(step, base, args, results)
      const unwrapped = unwrap(base, args, step.stdin)
      if (typeof unwrapped === 'string') return fixed('refused', unwrapped)
      const concerns = [...step.concerns]
      if (unwrapped.concern !== undefined) concerns.push(unwrapped.concern)
      if (word !== base) concerns.push(`${word} is not the wrapper ${base} itself`)
      const own = step.words.slice(0, step.words.length - unwrapped.inner.length)
      const telling = word !== base || unwrapped.concern !== undefined || unwrapped.uses.length > 0 || base === 'xargs'
      const added = unwrapped.environment.map(({ name: variable, value }) => ({ name: variable, value, text: `${variable}=${value.text}` }))
      for (const { name: variable, value } of unwrapped.environment) assign(this.#walk.facts, variable, value)
      const next: Step = {
        ...step, concerns, words: unwrapped.inner, environment: [...step.environment, ...added], uses: [...step.uses, ...unwrapped.uses],
        wrappers: telling ? [...step.wrappers, own.map(quoteWord).join(' ')] : step.wrappers, stdin: unwrapped.stdin ?? step.stdin,
      }
      if (unwrapped.inner.length === 0) {
        // A wrapper on its own is a command like any other when it does more than tell about itself.
        results.push(command(unwrapped.concern === undefined ? { ...next, wrappers: step.wrappers } : { ...step, uses: next.uses }, undefined))
        return
      }
      step = next
    }
    results.push({ kind: 'refused', text: step.text, reason: 'too many wrappers' })
  }

  /** A command that is no wrapper; some run others all the same. */
  #leaf(step: Step, base: string, args: readonly Arg[], results: Resolved[]): void {
    const { facts } = this.#walk
    const table = tableOf(base)
    this.#walk.budget.spend(args.length + args.reduce((sum, { shape }) => sum + shape.length, 0) / 256)
    const reading = table === undefined ? undefined : readOptions(args, table)
    results.push(command(step, reading))
    const refuse = (reason: string): void => {
      results.push({ kind: 'refused', text: step.text, reason })
    }
    if (runsInput(base) && step.stdin.kind === 'text') return this.#script(step.stdin.text, step, true, refuse)
    if (isShell(base)) {
      const call = readShellCall(base, args, step.stdin)
      if (call.kind === 'script') this.#script(call.text, step, call.posix, refuse)
      else if (call.kind === 'refused' || call.kind === 'opaque') results.push({ kind: call.kind, text: step.text, reason: call.reason })
      return
    }
    const problem = followBuiltin(base, args, facts, (variable, value) => void this.#walk.units.push({ kind: 'sets', text: step.text, name: variable, value }))
    if (problem !== undefined) refuse(problem)
    if (reading !== undefined) this.#uses(reading, base, args, step, results, refuse)
    switch (base) {
      case 'busybox':
      case 'toybox':
        if (args.length > 0 && args[0]?.value?.startsWith('-') !== true) this.#deeper({ ...step, words: args }, results, refuse)
        return
      case 'jobs': {
        const at = args.findIndex(({ shape }) => /^-\w*x/.test(shape))
        if (at >= 0) this.#deeper({ ...step, words: args.slice(at + 1) }, results, refuse)
        return
      }
      case 'trap':
        return this.#trap(args, step, refuse)
      case '.':
      case 'source':
        return this.#source(args, step, refuse)
      case 'alias':
        return this.#alias(args, step, refuse)
      case 'shopt':
      case 'set':
        facts.setsOptions = true
        return
      case 'hash': {
        const at = args.findIndex((arg) => /^-\w*p$/.test(arg.shape))
        const target = at < 0 ? args.find((arg) => /^-\w*p./.test(arg.shape)) : args[at + 1]
        const path = target?.value?.replace(/^-\w*p/, '')
        if (target !== undefined && path === undefined) refuse('the path given to hash is computed')
        else if (path !== undefined) this.#forbid(path, base, step, results)
        return
      }
      case 'compgen':
      case 'complete':
      case 'bind':
      case 'enable':
        if (args.some(({ value, shape }) => value === undefined || (/^-\w*[CFWxfX]/.test(shape) && (base !== 'compgen' || args.some((arg) => /[$`]/.test(arg.shape) || /^-\w*[CF]/.test(arg.shape)))))) refuse(`${base} would run or load text as a command`)
        return
      default:
        if (isRunner(base)) this.#runner(base, args, step, results, refuse)
        else if (reading === undefined || reading.unknown !== undefined) this.#named(base, args, step, results)
    }
  }

  /** The programs, scripts and code that a table finds among the words. */
  #uses(reading: Reading, base: string, args: readonly Arg[], step: Step, results: Resolved[], refuse: (reason: string) => void): void {
    if (base === 'find') {
      if (reading.inner.length > 0 && args.some((arg) => arg.splits && !arg.sources.every((source) => source === 'glob'))) refuse('the expression of find is computed')
      const found = findPatterns(args).map((pattern) => fileArg('{}', pattern))
      for (const inner of reading.inner) {
        this.#walk.budget.spend(inner.length * found.length)
        if (inner.length === 0) refuse('find runs an empty command')
        else this.#deeper({ ...step, words: inner.flatMap((arg) => substitute(arg, '{}', found)), environment: [], redirects: [], wrappers: [] }, results, refuse)
      }
      if (reading.inner.length === 0 && args.some(({ value }, i) => value === ';' || (value === '+' && args[i - 1]?.value === '{}'))) refuse('the expression of find is computed')
      return
    }
    for (const { effect, arg, option } of reading.uses) {
      const text = arg.value ?? arg.shape
      if (effect === 'shell') {
        if (arg.value === undefined) refuse(`the script given to ${base} is computed`)
        else this.#script(arg.value, { ...step, stdin: { kind: 'unknown' } }, true, refuse)
      } else if (effect === 'program' || effect === 'setting' || effect === 'never') {
        const words = option === undefined && effect === 'program' ? reading.operands.map(({ value, shape }) => value ?? shape).join(' ') : text
        const [, value] = splitOnce(words)
        // A lone word that is neither an option's nor a setting's value is a name.
        if (effect === 'program' || (effect === 'never' && option !== undefined && arg.shape !== option) || /\s/.test(words)) this.#forbid(words.replace(/^[+!|\s]+/, ''), base, step, results)
        if (value !== undefined) this.#forbid(value.replace(/^!/, ''), base, step, results)
      } else if (effect === 'address' && /^ext::/i.test(text)) {
        this.#forbid(text.slice(5), base, step, results)
      } else if (effect === 'code') {
        const found = codeBlacklisted(text, base)
        if (found !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${found} is forbidden, inside the code given to ${base}, too` })
        for (const script of codeScripts(text, base)) this.#forbid(script, base, step, results)
      } else if (effect === 'write' && (base === 'cp' || base === 'ln' || base === 'mv' || base === 'install') && /(?:^|\/)s?bin\//.test(text)) {
        this.#forbid(text, base, step, results)
      }
    }
    if (reading.table.input !== undefined && step.stdin.kind === 'text') {
      for (const script of codeScripts(step.stdin.text, base)) this.#forbid(script, base, step, results)
      const found = codeBlacklisted(step.stdin.text, base)
      if (found !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${found} is forbidden, inside the code given to ${base}, too` })
    }
    if (base === 'git' && reading.path[0] === 'bisect' && reading.path[1] === 'run') this.#forbid(reading.operands.map(({ value }) => value ?? '').join(' '), base, step, results)
    if (base === 'git') for (const { value } of reading.path[0] === 'config' ? reading.operands : args) if (value?.startsWith('!') === true || (reading.path[0] === 'config' && /\s/.test(value ?? ''))) this.#forbid((value ?? '').replace(/^!/, ''), base, step, results)
  }

  #deeper(step: Step, results: Resolved[], refuse: (reason: string) => void): void {
    if (step.depth >= MAX_CHAIN) refuse('too many commands inside each other')
    else this.#follow({ ...step, depth: step.depth + 1 }, results)
  }

  #alias(args: readonly Arg[], step: Step, refuse: (reason: string) => void): void {
    if (args.some((arg) => arg.shape.includes('=') || arg.value === undefined)) this.#walk.facts.definesAlias = true
    for (const arg of args) {
      if (arg.value === undefined) refuse(`the alias ${arg.text} is computed`)
      else if (arg.value.includes('=')) this.#script(arg.value.slice(arg.value.indexOf('=') + 1), step, false, refuse)
    }
  }

  #script(text: string, step: Step, posix: boolean, refuse: (reason: string) => void): void {
    const key = `${posix ? 'p' : 'b'}${step.stdin.kind}\n${text}`
    if (this.#walked.has(key) && step.stdin.kind !== 'text') return
    this.#walked.add(key)
    this.#scripts += 1
    if (this.#scripts > MAX_SCRIPTS) return refuse('too many scripts inside each other')
    const before = this.#walk.units.length
    walkText(text, this.#walk, { stdin: step.stdin, posix })
    if (this.#walk.units.length === before && /\S/.test(text) && !/^\s*#/.test(text)) refuse('a script that is not understood')
  }

  #trap(args: readonly Arg[], step: Step, refuse: (reason: string) => void): void {
    const words = args[0]?.value === '--' ? args.slice(1) : args
    const [action] = words
    if (action === undefined || /^-[lp]$/.test(action.shape) || words.length === 1) return
    if (action.value === undefined) refuse('the action of trap is computed')
    else if (action.value !== '' && action.value !== '-') this.#script(action.value, step, false, refuse)
  }

  #source(args: readonly Arg[], step: Step, refuse: (reason: string) => void): void {
    const [file] = args[0]?.value === '--' ? args.slice(1) : args
    if (file === undefined) return
    if (file.value === undefined && (file.sources.includes('process') || file.shape.length === 1)) {
      refuse(`the file ${file.text} is computed`)
    } else if (/^\/(?:dev|proc)\//.test(file.shape)) {
      if (step.stdin.kind === 'text' && /\/(?:stdin|0)$/.test(file.shape)) this.#script(step.stdin.text, step, false, refuse)
      else refuse(`the text read from ${file.text} is computed`)
    }
  }

  /** Runners have too many options to list: every word that could be a command, or a script, is looked at. */
  #runner(base: string, args: readonly Arg[], step: Step, results: Resolved[], refuse: (reason: string) => void): void {
    for (const candidate of runnerCandidates(base, args.map(({ value }) => value))) {
      // A package manager has a subcommand of this name and runs programs, not builtins.
      if (/^(?:exec|eval)$/.test(candidate) && isPackageRunner(base)) continue
      // A shell or an interpreter that is found in packages reads its own words.
      if (isPackageRunner(base) && (isShell(candidate) || tableOf(candidate)?.input === 'code')) return this.#deeper({ ...step, words: args.slice(args.findIndex(({ value }) => value === candidate)) }, results, refuse)
      if (this.#forbid(candidate, base, step, results)) return
    }
  }

  /** Of programs that are not described, and of options that are not: what is named as a command, or stands behind `--`. */
  #named(base: string, args: readonly Arg[], step: Step, results: Resolved[]): void {
    args.forEach(({ shape }, i) => {
      const [option, attached] = splitOnce(shape)
      const before = args[i - 1]?.shape ?? ''
      const run = attached !== undefined && NAMES_COMMAND.test(option) ? attached : NAMES_COMMAND.test(before) || before === '--' ? shape : undefined
      if (run === undefined || this.#forbid(run.replace(/^[!|\\]\s*/, ''), base, step, results)) return
      const found = codeRunsBlacklisted(run)
      if (found !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${found} is forbidden, run by ${base}, too` })
    })
    if (step.stdin.kind !== 'text') return
    for (const line of step.stdin.text.split('\n')) this.#forbid(line.replace(LINE_START, ''), base, step, results)
  }

  /** Reports a forbidden command at the start of a text that a tool runs, or anywhere in it as a script. */
  #forbid(text: string, base: string, step: Step, results: Resolved[]): boolean {
    const forbidden = blacklisted(text.trim().split(/\s/)[0] ?? '') ?? this.#forbiddenInScript(text)
    if (forbidden === undefined) return false
    results.push({ kind: 'blacklisted', text: step.text, reason: `${forbidden} is forbidden, run by ${base}, too` })
    return true
  }

  #forbiddenInScript(text: string): string | undefined {
    if (!/\s|[;&|]/.test(text) || this.#scripts > MAX_SCRIPTS) return undefined
    this.#scripts += 1
    const inner: Walk = { units: [], facts: this.#walk.facts, budget: this.#walk.budget }
    walkText(text, inner)
    for (const unit of inner.units) {
      if (unit.kind !== 'command') continue
      for (const resolved of this.resolve(unit)) if (resolved.kind === 'blacklisted') return resolved.reason.split(' ')[0]
    }
    return undefined
  }
}

function command(step: Step, reading: Reading | undefined): ResolvedCommand {
  const { words, environment, redirects, wrappers, uses, concerns, stdin } = step
  return { kind: 'command', words, reading, environment, redirects, wrappers, uses, concerns, assignments: [], stdin }
}

/** A word of the form `name=value`, taken apart. */
function splitOnce(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

/** Whether a prefix or an assignment holds text that the shell would run. */
export function hookOf(command: ResolvedCommand): { readonly name: string; readonly text: string } | undefined {
  return [...command.environment, ...command.assignments].find(({ name, value }) => runsValue(name, value?.value))
}
