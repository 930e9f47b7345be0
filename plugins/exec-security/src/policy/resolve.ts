// From a command in the tree to everything it runs: wrappers, shells, find, traps and multiplexers are followed.
import { baseName, blacklisted } from './blacklist.js'
import { codeLike, commandWord, evaluatesNames } from './builtins.js'
import { runsValue } from './environment.js'
import { defaultVariants, expandBraces } from './expand.js'
import { findCommands, findIsComputed } from './find.js'
import { gitPrograms } from './git.js'
import { isShell, readShellCall, runsInput } from './shells.js'
import { inlineBlacklisted } from './programs.js'
import { optionPrograms } from './tools.js'
import { isPackageRunner, isRunner, isWrapper, runnerCandidates, unwrap } from './wrappers.js'
import { walkText } from './walk.js'
import type { CommandUnit, Walk } from './walk-types.js'
import type { FixedVerdict, Resolved, ResolvedCommand } from './resolved.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { Arg } from './words.js'

const MAX_CHAIN = 24
const MAX_SCRIPTS = 12

/** Follows one command; texts that it runs as shell are walked into `walk`, whose new units are resolved later. */
export class Resolver {
  readonly #walk: Walk
  #scripts = 0

  constructor(walk: Walk) {
    this.#walk = walk
  }

  resolve(unit: CommandUnit): Resolved[] {
    const environment = unit.assignments.map(({ name, value, text }) => ({ name, value, text }))
    const results: Resolved[] = []
    if (unit.words.length === 0) {
      results.push({
        kind: 'command', words: [], environment: [], redirects: unit.redirects, reads: [], concerns: [], assignments: unit.assignments, stdin: unit.stdin
      })
      return results
    }
    for (const words of defaultVariants(expandBraces(unit.words))) {
      this.#follow({ words, environment, redirects: unit.redirects, reads: [], concerns: [], stdin: unit.stdin, text: unit.text }, results, 0)
    }
    return results
  }

  #follow(start: Step, results: Resolved[], depth: number): void {
    let step = start
    for (let i = 0; i < MAX_CHAIN; i++) {
      const [name, ...args] = step.words
      if (name === undefined) return
      const fixed = (kind: FixedVerdict['kind'], reason: string): void => {
        results.push({ kind, text: step.text, reason })
      }
      const word = commandWord(name)
      if (word === undefined) {
        fixed('refused', `the command word ${name.text} is computed`)
        return
      }
      // No program is called so: an option stands where a wrapper was thought to end.
      if (word.startsWith('-')) {
        fixed('refused', `${word} stands where a command should`)
        return
      }
      const forbidden = blacklisted(word)
      if (forbidden !== undefined) {
        fixed('blacklisted', `${forbidden} is forbidden`)
        return
      }
      const base = baseName(word)
      if (!isWrapper(base)) {
        this.#leaf(step, base, args, results, depth)
        return
      }
      const unwrapped = unwrap(base, args)
      if (typeof unwrapped === 'string') {
        fixed('refused', unwrapped)
        return
      }
      const concerns = [...step.concerns]
      if (unwrapped.concern !== undefined) concerns.push(unwrapped.concern)
      if (word !== base) concerns.push(`${word} is not the wrapper ${base} itself`)
      const added = unwrapped.environment.map(({ name: variable, value }) => ({ name: variable, value, text: value.text }))
      const next = {
        ...step, concerns, words: unwrapped.inner, environment: [...step.environment, ...added],
        reads: [...step.reads, ...unwrapped.reads], stdin: unwrapped.stdin ?? step.stdin
      }
      if (unwrapped.inner.length === 0) {
        // A wrapper on its own is a command like any other when it does more than tell about itself.
        results.push(command(unwrapped.concern === undefined ? next : { ...step, reads: next.reads }))
        return
      }
      step = next
    }
    results.push({ kind: 'refused', text: step.text, reason: 'too many wrappers' })
  }

  /** A command that is no wrapper; some run others all the same. */
  #leaf(step: Step, base: string, args: readonly Arg[], results: Resolved[], depth: number): void {
    const refuse = (reason: string): void => {
      results.push({ kind: 'refused', text: step.text, reason })
    }
    results.push(command(step))
    const inline = inlineBlacklisted(base, args, step.stdin)
    if (inline !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${inline} is forbidden, inside the text given to ${base}, too` })

    if (runsInput(base) && step.stdin.kind === 'text') {
      this.#script(step.stdin.text, step, true, refuse)
      return
    }
    if (isShell(base)) {
      const call = readShellCall(base, args, step.stdin)
      if (call.kind === 'script') this.#script(call.text, step, call.posix, refuse)
      else if (call.kind === 'refused' || call.kind === 'opaque') results.push({ kind: call.kind, text: step.text, reason: call.reason })
      return
    }
    switch (base) {
      case 'busybox':
      case 'toybox':
        if (args.length > 0 && args[0]?.value?.startsWith('-') !== true) this.#follow({ ...step, words: args }, results, depth + 1)
        return
      case 'find':
        if (findIsComputed(args)) refuse('the expression of find is computed')
        for (const inner of findCommands(args)) {
          if (inner.length === 0) refuse('find runs an empty command')
          else if (depth < MAX_CHAIN) this.#follow({ ...step, words: inner, environment: [], redirects: [] }, results, depth + 1)
          else refuse('too many commands inside each other')
        }
        return
      case 'trap':
        this.#trap(args, step, refuse)
        return
      case '.':
      case 'source':
        this.#source(args, step, refuse)
        return
      default:
        this.#builtin(base, args, step, refuse, results)
    }
  }

  #builtin(base: string, args: readonly Arg[], step: Step, refuse: (reason: string) => void, results: Resolved[]): void {
    const { facts } = this.#walk
    switch (base) {
      case 'alias':
        if (args.some((arg) => arg.shape.includes('='))) facts.definesAlias = true
        for (const arg of args) {
          if (arg.value === undefined) {
            if (arg.shape.includes('=')) refuse(`the alias ${arg.text} is computed`)
          } else if (arg.value.includes('=')) {
            this.#script(arg.value.slice(arg.value.indexOf('=') + 1), step, false, refuse)
          }
        }
        return
      case 'shopt':
      case 'set':
        facts.setsOptions = true
        return
      case 'hash': {
        const at = args.findIndex((arg) => /^-\w*p$/.test(arg.shape))
        const target = at < 0 ? args.find((arg) => /^-\w*p./.test(arg.shape)) : args[at + 1]
        if (target === undefined) return
        const path = target.value?.replace(/^-\w*p/, '')
        const forbidden = path === undefined ? undefined : blacklisted(path)
        if (path === undefined) refuse('the path given to hash is computed')
        else if (forbidden !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${forbidden} is forbidden, under another name, too` })
        return
      }
      case 'mapfile':
      case 'readarray':
      case 'compgen':
      case 'complete':
      case 'bind':
        if (args.some((arg) => arg.shape.startsWith('-') && /[CFWx]/.test(arg.shape)) && (base !== 'compgen' || codeLike(args))) refuse(`${base} would run text as a command`)
        facts.evaluatesData = true
        return
      case 'git':
        for (const script of gitPrograms(args)) this.#forbid(script, base, step, results)
        return
      case 'cp':
      case 'ln':
      case 'mv':
      case 'install':
        for (const arg of args) {
          const forbidden = /(?:^|\/)s?bin\//.test(arg.value ?? '') ? blacklisted(arg.value ?? '') : undefined
          if (forbidden !== undefined) results.push({ kind: 'blacklisted', text: step.text, reason: `${forbidden} is forbidden, under another name, too` })
        }
        return
      case 'let':
      case 'unset':
      case 'read':
      case 'printf':
      case 'wait':
      case 'test':
      case '[':
      case 'declare':
      case 'typeset':
      case 'local':
      case 'export':
      case 'readonly':
      case 'getopts':
        if (evaluatesNames(base, args)) facts.evaluatesData = true
        for (const { shape, value } of args) {
          const [, name, text] = /^(\w+)(?:\[.*\])?\+?=(.*)$/s.exec(shape) ?? []
          if (name !== undefined && runsValue(name, value === undefined ? undefined : text)) refuse(`${name} holds text that the shell would run`)
        }
        return
      default:
        for (const program of optionPrograms(base, args)) this.#forbid(program, base, step, results)
        if (isPackageRunner(base)) this.#packageScript(base, args, step, refuse)
        if (isRunner(base)) this.#runner(base, args, step, results)
    }
  }

  #script(text: string, step: Step, posix: boolean, refuse: (reason: string) => void): void {
    this.#scripts += 1
    if (this.#scripts > MAX_SCRIPTS) {
      refuse('too many scripts inside each other')
      return
    }
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
    if (file.value === undefined && (file.unknown.includes('process') || file.shape.length === 1)) {
      refuse(`the file ${file.text} is computed`)
    } else if (/^\/(?:dev|proc)\//.test(file.shape)) {
      if (step.stdin.kind === 'text' && /\/(?:stdin|0)$/.test(file.shape)) this.#script(step.stdin.text, step, false, refuse)
      else refuse(`the text read from ${file.text} is computed`)
    }
  }

  /** `npx -c` and `npm exec -c` give a text to the shell. */
  #packageScript(base: string, args: readonly Arg[], step: Step, refuse: (reason: string) => void): void {
    if (base !== 'npx' && !(base === 'npm' && /^(?:exec|x)$/.test(args.find((arg) => !arg.shape.startsWith('-'))?.value ?? ''))) return
    const end = args.findIndex((arg) => arg.value === '--')
    const own = end < 0 ? args : args.slice(0, end)
    own.forEach((arg, i) => {
      const attached = arg.shape.startsWith('--call=')
      if (!attached && arg.shape !== '-c' && arg.shape !== '--call') return
      const script = attached ? arg.value?.slice('--call='.length) : own[i + 1]?.value
      if (script === undefined) refuse(`the script given to ${base} is computed`)
      else this.#script(script, step, true, refuse)
    })
  }

  /** Runners have too many options to list: every word that could be a command, or a script, is looked at. */
  #runner(base: string, args: readonly Arg[], step: Step, results: Resolved[]): void {
    for (const candidate of runnerCandidates(base, args)) {
      // A package manager has a subcommand of this name and runs programs, not builtins.
      if (/^(?:exec|eval)$/.test(candidate) && isPackageRunner(base)) continue
      if (this.#forbid(candidate, base, step, results)) return
    }
  }

  /** Reports a forbidden command at the start of a text that a tool runs, or anywhere in it as a script. */
  #forbid(text: string, base: string, step: Step, results: Resolved[]): boolean {
    const forbidden = blacklisted(text.trim().split(/\s/)[0] ?? '') ?? this.#forbiddenInScript(text)
    if (forbidden === undefined) return false
    results.push({ kind: 'blacklisted', text: step.text, reason: `${forbidden} is forbidden, run by ${base}, too` })
    return true
  }

  #forbiddenInScript(text: string): string | undefined {
    if (!/\s/.test(text) || this.#scripts > MAX_SCRIPTS) return undefined
    this.#scripts += 1
    const inner: Walk = { units: [], facts: this.#walk.facts }
    walkText(text, inner)
    for (const unit of inner.units) {
      if (unit.kind !== 'command') continue
      for (const resolved of this.resolve(unit)) if (resolved.kind === 'blacklisted') return resolved.reason.split(' ')[0]
    }
    return undefined
  }
}

interface Step {
  readonly words: readonly Arg[]
  readonly environment: ResolvedCommand['environment']
  readonly redirects: readonly RedirectInfo[]
  readonly reads: readonly Arg[]
  readonly concerns: readonly string[]
  readonly stdin: Stdin
  readonly text: string
}

function command(step: Step): ResolvedCommand {
  const { words, environment, redirects, reads, concerns, stdin } = step
  return { kind: 'command', words, environment, redirects, reads, concerns, assignments: [], stdin }
}
