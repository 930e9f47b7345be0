import { baseName, blacklisted } from './blacklist.js'
import { BudgetExceeded } from './budget.js'
import { commandWord, followBuiltin } from './programs/builtins.js'
import { runsValue } from './programs/environment.js'
import { guessesOf, variantsOf } from './expand.js'
import { followFind } from './programs/find.js'
import { checkStdin, checkUnknownProgram, checkRunner, checkUses } from './blacklist-check.js'
import { parseArgs } from './parse-args.js'
import { programSpec } from './programs/index.js'
import { isRunner } from './programs/runners.js'
import { isShell, readShellCall, runsInput } from './programs/shells.js'
import { walkText } from './walk.js'
import {
  assign,
  type AssignmentInfo,
  type CommandUnit,
  type Finding,
  type ScriptFacts,
  type Walk,
} from './walk-types.js'
import { isWrapper, unwrap, type Unwrapped } from './programs/unwrap.js'
import type { ParsedArgs } from './parsed-args.js'
import { quoteWord, staticArg, type Arg } from './words.js'
import type { Resolved, ResolvedCommand, CommandContext } from './resolved.js'
import { redirectTo, type Stdin } from './redirects.js'
import { newShell } from './shell-changes.js'
import { shellInside, subcommandText } from './subcommand-text.js'

const MAX_CHAIN = 24
const MAX_SCRIPTS = 12
const NOTHING = staticArg('')

/** The words that are shown are those of the command, unless it is a part of another one. */
interface Step extends Omit<ResolvedCommand, 'shown'> {
  readonly shown: readonly Arg[] | undefined
  readonly depth: number
}

/** Follows one command. Texts that it runs as shell are walked into `walk`, whose new units are resolved later. */
export class Resolver {
  readonly #walk: Walk
  /** Scripts that were walked already: the same text again finds nothing new. */
  readonly #walked = new Set<string>()
  #scripts = 0
  /** How many texts that may be scripts are inside each other. */
  #depth = 0

  constructor(walk: Walk) {
    this.#walk = walk
  }

  resolve({ words, assignments, redirects: written, stdin, shell, text: source }: CommandUnit): Resolved[] {
    const { facts, budget } = this.#walk
    const results: Resolved[] = hooksOf(assignments)
    const redirects = written.flatMap((redirect) =>
      redirect.target === undefined || redirect.target.value !== undefined
        ? [redirect]
        : variantsOf([NOTHING, redirect.target], facts, budget).map(([, file = NOTHING]) => redirectTo(redirect, file)),
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
      shell,
      source,
      shown: undefined,
      depth: 0,
    }
    if (words.length === 0) results.push({ ...start, assignments, shown: [], unused: unusedIn(assignments, facts) })
    else
      for (const variant of variantsOf(words, facts, budget))
        this.#follow({ ...start, words: variant, environment: assignments }, results)
    results.push(...this.#guesses(start, { words, redirects: written, environment: assignments }))
    return results
  }

  /** Returns the commands that one may be by what is guessed of its arrays and variables, of which none is shown. */
  #guesses(
    start: Step,
    { words, redirects, environment }: Pick<Step, 'words' | 'redirects' | 'environment'>,
  ): Resolved[] {
    const { facts, budget } = this.#walk
    const found: Resolved[] = []
    for (const variant of guessesOf(words, facts, budget))
      this.#follow({ ...start, words: variant, environment }, found)
    const files = redirects.flatMap((redirect) =>
      guessesOf([NOTHING, redirect.target ?? NOTHING], facts, budget).map(([, file = NOTHING]) =>
        redirectTo(redirect, file),
      ),
    )
    if (files.length > 0) found.push({ ...start, redirects: files, shown: [] })
    const given = environment.flatMap((item) =>
      item.value?.value !== undefined || item.value === undefined
        ? []
        : [variantsOf, guessesOf].flatMap((values) =>
            values([NOTHING, item.value ?? NOTHING], facts, budget).map(([, value]) => ({ ...item, value })),
          ),
    )
    if (given.length > 0) found.push({ ...start, assignments: given, shown: [] })
    return found.flatMap(asGuess)
  }

  #follow(start: Step, results: Resolved[]): void {
    let step = start
    for (let i = 0; i < MAX_CHAIN; i++) {
      this.#walk.budget.spend(1 + step.words.length)
      const [name, ...args] = step.words
      if (name === undefined) return
      const word = programOf(name)
      if (typeof word !== 'string') return void results.push({ ...word, text: step.source })
      const base = baseName(word)
      if (!isWrapper(base)) return this.#leaf(step, base, args, results)
      const unwrapped = unwrap(base, args, step.stdin)
      if (typeof unwrapped === 'string')
        return void results.push({ kind: 'refused', text: step.source, reason: unwrapped })
      this.#recordEnvironment(unwrapped.environment, results)
      // A wrapper without a command is a command like any other if it does more than describe itself.
      if (unwrapped.inner.length === 0 && unwrapped.concern !== undefined)
        return void results.push({ ...shown(step), uses: [...step.uses, ...unwrapped.uses] })
      step = stepInto(step, word, unwrapped)
      if (step.words.length === 0) return void results.push(shown(step))
    }
    results.push({ kind: 'refused', text: step.source, reason: 'too many wrappers' })
  }

  #recordEnvironment(environment: readonly AssignmentInfo[], results: Resolved[]): void {
    for (const { name, value } of environment) if (value !== undefined) assign(this.#walk.facts, name, value)
    results.push(...hooksOf(environment))
  }

  /** Resolves a command that is not a wrapper. Some of these run other commands too. */
  #leaf(step: Step, base: string, args: readonly Arg[], results: Resolved[]): void {
    const spec = programSpec(base)
    this.#walk.budget.spend(args.length + args.reduce((sum, { shape }) => sum + shape.length, 0) / 256)
    const parsed = spec === undefined ? undefined : parseArgs(args, spec)
    results.push({ ...shown(step), parsed })
    const context = this.#context(step, base, args, results)
    const { stdin } = step
    if (runsInput(base) && stdin.kind === 'text') return context.followScript(stdin.text)
    if (isShell(base)) {
      const call = readShellCall(base, args, stdin)
      if (call.kind === 'script') context.followScript(call.text, call.posix)
      else if (call.kind === 'refused' || call.kind === 'opaque') results.push({ ...call, text: step.source })
      return
    }
    if (parsed !== undefined) this.#followParsed(parsed, context)
    checkStdin(context)
    if (followBuiltin(context)) return
    if (isRunner(base)) checkRunner(context)
    else if (parsed === undefined || parsed.unknown !== undefined) checkUnknownProgram(context)
  }

  /** Follows what the words of a program run, as its description says. */
  #followParsed(parsed: ParsedArgs, context: CommandContext): void {
    if (parsed.spec.style === 'find') {
      this.#walk.budget.spend(parsed.innerCommands.length * (parsed.operands.length + 1))
      return followFind(parsed, context)
    }
    for (const { effect, arg } of parsed.uses) {
      if (effect !== 'shell') continue
      if (arg.value === undefined) context.refuse(`the script given to ${context.base} is computed`)
      else context.followScript(arg.value, true, { kind: 'unknown' })
    }
    checkUses(parsed, context)
  }

  /** Returns the context in which the effects of a command are recorded. */
  #context(step: Step, base: string, args: readonly Arg[], results: Resolved[]): CommandContext {
    const { source: text } = step
    const context: CommandContext = {
      base,
      args,
      stdin: step.stdin,
      facts: this.#walk.facts,
      refuse: (reason) => void results.push({ kind: 'refused', text, reason }),
      reportForbidden: (name, where) =>
        void results.push({ kind: 'blacklisted', text, reason: `${name} is forbidden, ${where}, too` }),
      recordVariable: (name, value) => void this.#walk.units.push({ kind: 'sets', text, name, value }),
      followScript: (script, posix = true, stdin = step.stdin) => this.#script(script, { stdin, posix }, step, context),
      followCommand: (words, isPart = false) => {
        if (step.depth >= MAX_CHAIN) context.refuse('too many commands inside each other')
        else
          this.#follow(
            { ...step, words, shown: isPart ? shown(step).shown : step.shown, depth: step.depth + 1 },
            results,
          )
      },
      checkForbidden: (run, isLocal = true) => {
        const found = this.#commandsIn(run)
        if (isLocal) results.push(...found.filter(({ kind }) => kind === 'command').flatMap(asGuess))
        const name = blacklisted(run.trim().split(/[\s,]/)[0] ?? '') ?? forbiddenAmong(found)
        if (name !== undefined) context.reportForbidden(name, `run by ${base}`)
        return name !== undefined
      },
    }
    return context
  }

  /** Walks a text in a shell that has the redirections, environment and wrappers of the command that runs it. */
  #script(
    text: string,
    { stdin, posix }: { readonly stdin: Stdin; readonly posix: boolean },
    step: Step,
    context: CommandContext,
  ): void {
    const around = subcommandText({ ...shown(step), words: [], shown: [] })
    const key = `${posix ? 'p' : 'b'}${stdin.kind}\n${around}\n${text}`
    if (this.#walked.has(key) && stdin.kind !== 'text') return
    this.#walked.add(key)
    this.#scripts += 1
    if (this.#scripts > MAX_SCRIPTS) return context.refuse('too many scripts inside each other')
    const before = this.#walk.units.length
    walkText(text, this.#walk, { stdin, posix, around: step.redirects, shell: shellInside(shown(step)) })
    if (this.#walk.units.length === before && /\S/.test(text) && !/^\s*#/.test(text))
      context.refuse('a script that is not understood')
  }

  /** Returns the commands that a text may run as a script. */
  #commandsIn(text: string): readonly Resolved[] {
    if (!/[\s;&|<>]/.test(text)) return []
    if (this.#depth > MAX_SCRIPTS) throw new BudgetExceeded('too many scripts inside each other')
    this.#depth += 1
    const inner: Walk = { units: [], facts: this.#walk.facts, budget: this.#walk.budget }
    // It runs in a shell of its own.
    walkText(text, inner, { shell: newShell(text) })
    const found = inner.units.flatMap((unit) => (unit.kind === 'command' ? this.resolve(unit) : []))
    this.#depth -= 1
    return found
  }
}

const asGuess = (item: Resolved): readonly Resolved[] => {
  if (item.kind === 'command') return [{ ...item, isGuess: true }]
  return item.kind === 'blacklisted' ? [item] : []
}

/** Returns the name of a forbidden command among others. */
function forbiddenAmong(found: readonly Resolved[]): string | undefined {
  const forbidden = found.find(({ kind }) => kind === 'blacklisted')
  return forbidden?.kind === 'blacklisted' ? forbidden.reason.split(' ')[0] : undefined
}

/** Returns a command with the words that stand for it. */
const shown = (step: Step): Step & ResolvedCommand => ({ ...step, shown: step.shown ?? step.words })

/** Returns the first variable that is set and never expanded: what it is set for is elsewhere. */
const unusedIn = (assignments: readonly AssignmentInfo[], { expanded }: ScriptFacts): string | undefined =>
  assignments.find(({ name }) => !expanded.has(name))?.name

/** Returns the program that a command word names, or why it may not run. */
function programOf(name: Arg): string | Omit<Finding, 'text'> {
  const word = commandWord(name)
  if (word === undefined) return { kind: 'refused', reason: `the command word ${name.text} is computed` }
  // No program has such a name: an option follows what looked like the end of a wrapper.
  if (word.startsWith('-')) return { kind: 'refused', reason: `${word} is in the place of a command` }
  if (/^\/(?:proc|dev)\//.test(word)) return { kind: 'refused', reason: `${word} is whatever program runs there` }
  const forbidden = blacklisted(word)
  return forbidden === undefined ? word : { kind: 'blacklisted', reason: `${forbidden} is forbidden` }
}

/** Returns the step of the command inside a wrapper. */
function stepInto(step: Step, word: string, { inner, written, environment, uses, concern, stdin }: Unwrapped): Step {
  const base = baseName(word)
  const wrapper = step.words.slice(0, step.words.length - written)
  // Options of these two change the environment, or where a program is found.
  const hasOptions = /^(?:env|command)$/.test(base) && wrapper.length > 1 + environment.length
  const isPlain = word === base && concern === undefined && uses.length === 0 && base !== 'xargs' && !hasOptions
  return {
    ...step,
    concerns: [
      ...step.concerns,
      ...(concern === undefined ? [] : [concern]),
      ...(word === base ? [] : [`${word} is not the wrapper ${base} itself`]),
    ],
    words: inner,
    environment: [...step.environment, ...environment.map((item) => asWritten(item, wrapper))],
    uses: [...step.uses, ...uses],
    stdin: stdin ?? step.stdin,
    wrappers: isPlain || inner.length === 0 ? step.wrappers : [...step.wrappers, wrapper.map(quoteWord).join(' ')],
  }
}

/** Returns a variable of a wrapper with its text in the quotes that it needs. */
function asWritten(item: AssignmentInfo, wrapper: readonly Arg[]): AssignmentInfo {
  const { name, value } = item
  if (value?.value !== undefined) return { ...item, text: `${name}=${quoteWord(value)}` }
  const word = wrapper.find(({ shape }) => shape.startsWith(`${name}=`))
  return word === undefined ? item : { ...item, text: quoteWord(word) }
}

/** Returns text in a prefix or an assignment that the shell would run. */
function hooksOf(assignments: readonly AssignmentInfo[]): Finding[] {
  return assignments
    .filter(({ name, value }) => runsValue(name, value?.value))
    .map(({ name, text }) => ({ kind: 'refused', text, reason: `${name} holds text that the shell would run` }))
}
