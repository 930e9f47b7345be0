// From a command in the tree to everything it runs: wrappers, shells, find, builtins and runners are followed.
import { baseName, blacklisted } from './blacklist.js'
import { commandWord, followBuiltin } from './programs/builtins.js'
import { runsValue } from './programs/environment.js'
import { variantsOf } from './expand.js'
import { followFind } from './programs/find.js'
import { checkStdin, checkUnknownProgram, checkRunner, checkUses } from './blacklist-check.js'
import { parseArgs } from './parse-args.js'
import { programSpec } from './programs/index.js'
import { isRunner } from './programs/runners.js'
import { isShell, readShellCall, runsInput } from './programs/shells.js'
import { walkText } from './walk.js'
import { assign, type AssignmentInfo, type CommandUnit, type Finding, type Walk } from './walk-types.js'
import { isWrapper, unwrap } from './programs/unwrap.js'
import { quoteWord, staticArg, type Arg } from './words.js'
import type { Resolved, ResolvedCommand, CommandContext } from './resolved.js'
import type { Stdin } from './redirects.js'

const MAX_CHAIN = 24
const MAX_SCRIPTS = 12
const NOTHING = staticArg('')

interface Step extends ResolvedCommand {
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

  resolve({ words, assignments, redirects: written, stdin, text }: CommandUnit): Resolved[] {
    const { facts, budget } = this.#walk
    const results: Resolved[] = hooksOf(assignments)
    const redirects = written.flatMap(({ target, ...redirect }) =>
      target === undefined || target.value !== undefined
        ? [{ ...redirect, target }]
        : variantsOf([NOTHING, target], facts, budget).map(([, file]) => ({ ...redirect, target: file })),
    )
    const start: Step = {
      kind: 'command',
      words: [],
      parsed: undefined,
      environment: [],
      redirects,
      wrappers: [],
      uses: [],
      concerns: [],
      assignments: [],
      stdin,
      text,
      depth: 0,
    }
    if (words.length === 0) results.push({ ...start, assignments })
    else
      for (const variant of variantsOf(words, facts, budget))
        this.#follow({ ...start, words: variant, environment: assignments }, results)
    return results
  }

  #follow(start: Step, results: Resolved[]): void {
    let step = start
    const found = (kind: Finding['kind'], reason: string): void => void results.push({ kind, text: step.text, reason })
    for (let i = 0; i < MAX_CHAIN; i++) {
      this.#walk.budget.spend(1 + step.words.length)
      const [name, ...args] = step.words
      if (name === undefined) return
      const word = commandWord(name)
      if (word === undefined) return found('refused', `the command word ${name.text} is computed`)
      // No program is called so: an option stands where a wrapper was thought to end.
      if (word.startsWith('-')) return found('refused', `${word} stands where a command should`)
      if (/^\/(?:proc|dev)\//.test(word)) return found('refused', `${word} is whatever program runs there`)
      const forbidden = blacklisted(word)
      if (forbidden !== undefined) return found('blacklisted', `${forbidden} is forbidden`)
      const base = baseName(word)
      if (!isWrapper(base)) return this.#leaf(step, base, args, results)
      const unwrapped = unwrap(base, args, step.stdin)
      if (typeof unwrapped === 'string') return found('refused', unwrapped)
      const { inner, environment, uses, concern, stdin = step.stdin } = unwrapped
      const concerns = [
        ...step.concerns,
        ...(concern === undefined ? [] : [concern]),
        ...(word === base ? [] : [`${word} is not the wrapper ${base} itself`]),
      ]
      const own = step.words.slice(0, step.words.length - inner.length)
      const telling = word !== base || concern !== undefined || uses.length > 0 || base === 'xargs'
      for (const { name: variable, value } of environment)
        if (value !== undefined) assign(this.#walk.facts, variable, value)
      results.push(...hooksOf(environment))
      // A wrapper on its own is a command like any other when it does more than tell about itself.
      if (inner.length === 0 && concern !== undefined)
        return void results.push({ ...step, uses: [...step.uses, ...uses] })
      step = {
        ...step,
        concerns,
        words: inner,
        environment: [...step.environment, ...environment],
        uses: [...step.uses, ...uses],
        stdin,
        wrappers: telling && inner.length > 0 ? [...step.wrappers, own.map(quoteWord).join(' ')] : step.wrappers,
      }
      if (inner.length === 0) return void results.push(step)
    }
    found('refused', 'too many wrappers')
  }

  /** A command that is no wrapper; some run others all the same. */
  #leaf(step: Step, base: string, args: readonly Arg[], results: Resolved[]): void {
    const table = programSpec(base)
    this.#walk.budget.spend(args.length + args.reduce((sum, { shape }) => sum + shape.length, 0) / 256)
    const parsed = table === undefined ? undefined : parseArgs(args, table)
    results.push({ ...step, parsed })
    const context = this.#context(step, base, args, results)
    const { stdin } = step
    if (runsInput(base) && stdin.kind === 'text') return context.followScript(stdin.text)
    if (isShell(base)) {
      const call = readShellCall(base, args, stdin)
      if (call.kind === 'script') context.followScript(call.text, call.posix)
      else if (call.kind === 'refused' || call.kind === 'opaque') results.push({ ...call, text: step.text })
      return
    }
    if (parsed?.spec.style === 'find') {
      this.#walk.budget.spend(parsed.innerCommands.length * (parsed.operands.length + 1))
      followFind(parsed, context)
    } else if (parsed !== undefined) {
      for (const { effect, arg } of parsed.uses) {
        if (effect !== 'shell') continue
        if (arg.value === undefined) context.refuse(`the script given to ${base} is computed`)
        else this.#script(arg.value, { kind: 'unknown' }, true, context)
      }
      checkUses(parsed, context)
    }
    checkStdin(context)
    if (followBuiltin(context)) return
    if (isRunner(base)) checkRunner(context)
    else if (parsed === undefined || parsed.unknown !== undefined) checkUnknownProgram(context)
  }

  /** What a command may do with what it runs. */
  #context(step: Step, base: string, args: readonly Arg[], results: Resolved[]): CommandContext {
    const { stdin, text } = step
    const context: CommandContext = {
      base,
      args,
      stdin,
      facts: this.#walk.facts,
      refuse: (reason) => void results.push({ kind: 'refused', text, reason }),
      reportForbidden: (name, where) =>
        void results.push({ kind: 'blacklisted', text, reason: `${name} is forbidden, ${where}, too` }),
      recordVariable: (name, value) => void this.#walk.units.push({ kind: 'sets', text, name, value }),
      followScript: (script, posix = true) => this.#script(script, stdin, posix, context),
      followCommand: (words, bare = false) => {
        if (step.depth >= MAX_CHAIN) context.refuse('too many commands inside each other')
        else
          this.#follow(
            {
              ...step,
              ...(bare ? { environment: [], redirects: [], wrappers: [] } : {}),
              words,
              depth: step.depth + 1,
            },
            results,
          )
      },
      checkForbidden: (run) => {
        const name = blacklisted(run.trim().split(/[\s,]/)[0] ?? '') ?? this.#forbiddenInScript(run)
        if (name !== undefined) context.reportForbidden(name, `run by ${base}`)
        return name !== undefined
      },
    }
    return context
  }

  #script(text: string, stdin: Stdin, posix: boolean, context: CommandContext): void {
    const key = `${posix ? 'p' : 'b'}${stdin.kind}\n${text}`
    if (this.#walked.has(key) && stdin.kind !== 'text') return
    this.#walked.add(key)
    this.#scripts += 1
    if (this.#scripts > MAX_SCRIPTS) return context.refuse('too many scripts inside each other')
    const before = this.#walk.units.length
    walkText(text, this.#walk, stdin, posix)
    if (this.#walk.units.length === before && /\S/.test(text) && !/^\s*#/.test(text))
      context.refuse('a script that is not understood')
  }

  #forbiddenInScript(text: string): string | undefined {
    if (!/\s|[;&|]/.test(text) || this.#scripts > MAX_SCRIPTS) return undefined
    this.#scripts += 1
    const inner: Walk = { units: [], facts: this.#walk.facts, budget: this.#walk.budget }
    walkText(text, inner)
    const found = inner.units
      .flatMap((unit) => (unit.kind === 'command' ? this.resolve(unit) : []))
      .find(({ kind }) => kind === 'blacklisted')
    return found?.kind === 'blacklisted' ? found.reason.split(' ')[0] : undefined
  }
}

/** What a prefix or an assignment holds that the shell would run. */
function hooksOf(assignments: readonly AssignmentInfo[]): Finding[] {
  return assignments
    .filter(({ name, value }) => runsValue(name, value?.value))
    .map(({ name, text }) => ({ kind: 'refused', text, reason: `${name} holds text that the shell would run` }))
}
