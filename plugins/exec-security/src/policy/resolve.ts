// From a command in the tree to everything it runs: wrappers, shells, find, traps and multiplexers are followed.
import { baseName, blacklisted } from './blacklist.js'
import { commandWord, followBuiltin } from './programs/builtins.js'
import { runsValue } from './programs/environment.js'
import { variantsOf } from './expand.js'
import { forbidFed, forbidNamed, forbidRun, forbidUses, type Site } from './forbidden.js'
import { readOptions, type Reading, type Use } from './options.js'
import { findPatterns } from './programs/outputs.js'
import { tableOf } from './programs/index.js'
import { isRunner } from './programs/runners.js'
import { isShell, readShellCall, runsInput } from './programs/shells.js'
import { walkText } from './walk.js'
import { assign, type CommandUnit, type Walk } from './walk-types.js'
import { isWrapper, substitute, unwrap } from './programs/unwrap.js'
import { fileArg, quoteWord, type Arg } from './words.js'
import type { FixedVerdict, Resolved, ResolvedCommand } from './resolved.js'
import type { RedirectInfo, Stdin } from './redirects.js'

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
      if (/^\/(?:proc|dev)\//.test(word)) return fixed('refused', `${word} is whatever program runs there`)
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
    const found = (name: string, where: string): void => void results.push({ kind: 'blacklisted', text: step.text, reason: `${name} is forbidden, ${where}, too` })
    const site: Site = {
      base, args, stdin: step.stdin, found,
      follow: (words) => this.#deeper({ ...step, words }, results, refuse),
      forbid: (text) => {
        const name = blacklisted(text.trim().split(/[\s,]/)[0] ?? '') ?? this.#forbiddenInScript(text)
        if (name !== undefined) found(name, `run by ${base}`)
        return name !== undefined
      },
    }
    if (reading !== undefined && base === 'find') this.#find(reading, args, step, results, refuse)
    else if (reading !== undefined) {
      for (const { effect, arg } of reading.uses) {
        if (effect !== 'shell') continue
        if (arg.value === undefined) refuse(`the script given to ${base} is computed`)
        else this.#script(arg.value, { ...step, stdin: { kind: 'unknown' } }, true, refuse)
      }
      forbidUses(reading, site)
    }
    forbidFed(site)
    switch (base) {
      case 'fc':
        if (!args.some(({ shape }) => /^-\w*l/.test(shape))) refuse('fc runs what was typed before')
        return
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
        else if (path !== undefined) site.forbid(path)
        return
      }
      case 'compgen':
      case 'complete':
      case 'bind':
      case 'enable':
        if (args.some(({ value, shape }) => value === undefined || (/^-\w*[CFWxfX]/.test(shape) && (base !== 'compgen' || args.some((arg) => /[$`]/.test(arg.shape) || /^-\w*[CF]/.test(arg.shape)))))) refuse(`${base} would run or load text as a command`)
        return
      default:
        if (isRunner(base)) forbidRun(site)
        else if (reading === undefined || reading.unknown !== undefined) forbidNamed(site)
    }
  }

  /** The commands of an expression of find, each with the names that it may be given. */
  #find(reading: Reading, args: readonly Arg[], step: Step, results: Resolved[], refuse: (reason: string) => void): void {
    const computed = reading.inner.length > 0 ? args.some((arg) => arg.splits && !arg.sources.every((source) => source === 'glob')) : args.some(({ value }, i) => value === ';' || (value === '+' && args[i - 1]?.value === '{}'))
    if (computed) refuse('the expression of find is computed')
    const found = findPatterns(args).map((pattern) => fileArg('{}', pattern))
    for (const inner of reading.inner) {
      this.#walk.budget.spend(inner.length * found.length)
      if (inner.length === 0) refuse('find runs an empty command')
      else this.#deeper({ ...step, words: inner.flatMap((arg) => substitute(arg, '{}', found)), environment: [], redirects: [], wrappers: [] }, results, refuse)
    }
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

/** Whether a prefix or an assignment holds text that the shell would run. */
export function hookOf(command: ResolvedCommand): { readonly name: string; readonly text: string } | undefined {
  return [...command.environment, ...command.assignments].find(({ name, value }) => runsValue(name, value?.value))
}
