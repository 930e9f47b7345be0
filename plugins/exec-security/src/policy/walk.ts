import { parseScript, scriptProblem } from './parse.js'
import { outputOfNode, outputOfScript, withErrors, type Piped } from './programs/command-output.js'
import { copiesInput, describeRedirect, stdinOf } from './redirects.js'
import { newShell, recordCommand } from './shell-changes.js'
import { pipeFrom } from './subcommand-text.js'
import { assign, declarationArg, guess, newWalk } from './walk-types.js'
import { WordWalker, subshell, unknownInput, unknownKind } from './walk-words.js'
import { evaluateQuoted } from './evaluate-word.js'
import { cutArg, inputArg, staticArg } from './words.js'
import type {
  AndOr,
  ArrayValue,
  Assignment,
  Command,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Word,
} from './parse.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo, CommandUnit, Outer, WalkContext, Walk } from './walk-types.js'
import type { Arg } from './words.js'

type Node = PipelineNode | AndOr
type NodeOf<K extends Node['type']> = Extract<Node, { type: K }>
type Loop = NodeOf<'For' | 'Select'>
type Compound = Exclude<Node, { type: 'AndOr' | 'Pipeline' | 'Command' | 'Redirected' }>

/** The depth of a statement of the text, which no condition and no operator precedes. */
const STATEMENT = 2
const NO_STDIN: Stdin = { kind: 'none' }

/** Parses and walks a text, adding to a walk that may already hold the units of an outer text. */
export function walkText(text: string, walk: Walk, outer: Partial<Outer> = {}): void {
  const { stdin = NO_STDIN, posix = false, around = [], shell } = outer
  walk.budget.spend(20 + text.length / 16)
  walk.facts.posix ||= posix
  const script = parseScript(text)
  const problem = typeof script === 'string' ? script : scriptProblem(script)
  if (typeof script === 'string' || problem !== undefined)
    return void walk.units.push({ kind: 'refused', text, reason: problem ?? '' })
  new Walker(walk).script(script, {
    ...{ source: text, stdin, around, posix, depth: 0, substituted: false },
    shell: newShell(shell?.line ?? text, shell),
  })
}

class Walker extends WordWalker {
  override script(script: ParsedScript, context: WalkContext): void {
    const source = script.source ?? context.source
    const problem = scriptProblem(script)
    if (problem !== undefined) this.refuse(source.slice(script.pos, script.end), problem)
    this.#list(script, this.deeper({ ...context, source }))
  }

  #list(list: Pick<CompoundList, 'commands'>, context: WalkContext): void {
    // A statement in the background has a shell of its own.
    for (const { command, background } of list.commands)
      this.#node(command, background === true ? this.deeper(context) : context)
  }

  /** A function or a coprocess. */
  #body(body: CompoundList | PipelineNode, context: WalkContext): void {
    const inner = unknownInput(context)
    if (body.type === 'CompoundList') this.#list(body, inner)
    else this.#node(body, inner)
  }

  #node(node: PipelineNode | AndOr, context: WalkContext): void {
    const inner = this.deeper(context)
    const text = context.source.slice(node.pos, node.end)
    this.walk.facts.holdsCommand = true
    switch (node.type) {
      case 'AndOr':
        for (const command of node.commands) this.#node(command, inner)
        return
      case 'Pipeline':
        return this.#pipeline(node, context, inner)
      case 'Command':
        return this.#command(node, inner)
      case 'Redirected':
        return this.#redirected(node, inner)
      default:
        return this.#compound(node, text, context, inner)
    }
  }

  #pipeline(node: NodeOf<'Pipeline'>, context: WalkContext, inner: WalkContext): void {
    const text = context.source.slice(node.pos, node.end)
    if (node.prefixes.some((prefix) => prefix.type === 'Time')) {
      this.bashOnly(context, node, 'the keyword time')
      // In a substitution bash 5.2 takes the word after `time` for a command: `case a in *)` ends the substitution.
      if (context.substituted && node.commands[0]?.type !== 'Command')
        this.refuse(text, 'bash reads time before a compound command in another way here')
    }
    if (node.operators.includes('|&')) this.bashOnly(context, node, 'the operator |&')
    node.commands.reduce<Stdin>((stdin, command, i) => {
      const before = context.source.slice(node.pos, node.commands[i - 1]?.end)
      const own = node.commands.length > 1 ? subshell(inner) : inner
      const piped = i > 0 ? this.#piped(before, node.operators[i - 1] === '|&', { ...own, stdin }) : own
      this.#node(command, piped)
      return this.#written(command, { ...inner, stdin }, node.operators[i] === '|&')
    }, inner.stdin)
  }

  /** The surroundings of a command into which others are piped. */
  #piped(feeder: string, errors: boolean, context: WalkContext): WalkContext {
    const pipe = pipeFrom(feeder, errors, context.stdin)
    if (pipe !== undefined) return { ...context, around: [...context.around, pipe] }
    return { ...unknownInput(context), stdin: context.stdin }
  }

  #redirected(node: NodeOf<'Redirected'>, inner: WalkContext): void {
    const { units, budget } = this.walk
    const redirects = [...inner.around, ...this.#redirects(node.redirects, inner)]
    budget.spend(redirects.length)
    const before = units.length
    const stdin = stdinOf(redirects, inner.stdin)
    this.#node(node.command, { ...inner, stdin, around: redirects })
    if (units.some(({ kind }, i) => i >= before && kind === 'command')) return
    // A test or a computation has no command, and is only redirected.
    const text = inner.source.slice(node.pos, node.end)
    units.push({ kind: 'command', text, words: [], assignments: [], redirects, stdin, shell: inner.shell })
  }

  /** Walks a compound command. `inner` is the context of what it contains. */
  #compound(node: Compound, text: string, context: WalkContext, inner: WalkContext): void {
    switch (node.type) {
      case 'Function':
        return this.#function(node, text, context, inner)
      case 'Coproc':
        return this.#coprocess(node, text, context, inner)
      case 'If':
        return this.#if(node, inner)
      case 'While':
        for (const list of [node.clause, node.body]) this.#list(list, inner)
        return
      case 'For':
      case 'Select':
        return this.#loop(node, text, context, inner)
      case 'ArithmeticFor':
        return this.#arithmeticFor(node, context, inner)
      case 'Subshell':
        return this.#list(node.body, subshell(inner))
      case 'BraceGroup':
        return this.#list(node.body, inner)
      case 'Case':
        return this.#case(node, context, inner)
      case 'TestCommand':
        this.bashOnly(context, node, '[[')
        return this.test(node.expression, inner)
      case 'ArithmeticCommand':
        return this.#arithmeticCommand(node, text, context, inner)
      default:
        throw unknownKind(node)
    }
  }

  #function(node: NodeOf<'Function'>, text: string, context: WalkContext, inner: WalkContext): void {
    this.walk.facts.definesFunction = true
    this.state(text, `defines the function ${node.name.text}`, context)
    this.word(node.name, inner)
    if (/^function\b/.test(text)) this.bashOnly(context, node, 'the keyword function')
    this.#body(node.body, inner)
  }

  #coprocess(node: NodeOf<'Coproc'>, text: string, context: WalkContext, inner: WalkContext): void {
    this.state(text, 'starts a coprocess', context)
    this.bashOnly(context, node, 'the keyword coproc')
    if (node.name !== undefined) this.word(node.name, inner)
    this.#body(node.body, inner)
  }

  #if(node: NodeOf<'If'>, inner: WalkContext): void {
    for (const { clause, then } of [node, ...node.elif]) for (const list of [clause, then]) this.#list(list, inner)
    if (node.else !== undefined) this.#list(node.else, inner)
  }

  #arithmeticFor(node: NodeOf<'ArithmeticFor'>, context: WalkContext, inner: WalkContext): void {
    this.bashOnly(context, node, 'arithmetic for')
    for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.arithmetic(part, inner)
    this.#list(node.body, inner)
  }

  #arithmeticCommand(node: NodeOf<'ArithmeticCommand'>, text: string, context: WalkContext, inner: WalkContext): void {
    this.bashOnly(context, node, '((')
    if (node.expression !== undefined) this.arithmetic(node.expression, inner)
    else if (node.body.trim() !== '') this.refuse(text, 'arithmetic that is not understood')
  }

  #loop(node: Loop, text: string, context: WalkContext, inner: WalkContext): void {
    if (node.type === 'Select') {
      this.state(text, 'select sets a variable from input', context)
      this.bashOnly(context, node, 'the keyword select')
    }
    const { text: name } = node.name
    if (!/^[A-Za-z_]\w*$/.test(name)) this.refuse(name, 'not a name that a loop can set')
    const values = node.wordlist?.map((word) => this.word(word, inner))
    const given = node.type === 'Select' || values === undefined ? [inputArg(name)] : values
    for (const value of node.type === 'Select' ? (values ?? []) : []) guess(this.walk.facts, name, value)
    const head = context.source.slice(node.pos, node.wordlist?.at(-1)?.end ?? node.name.end)
    for (const value of given.length === 0 ? [staticArg('')] : given) this.setsVariable(name, head, value, context)
    return this.#list(node.body, inner)
  }

  #case(node: NodeOf<'Case'>, context: WalkContext, inner: WalkContext): void {
    this.word(node.word, inner)
    for (const item of node.items) {
      if (item.terminator !== undefined && item.terminator !== ';;') this.bashOnly(context, item, item.terminator)
      for (const pattern of item.pattern) this.word(pattern, inner)
      this.#list(item.body, inner)
    }
  }

  #command(node: Command, context: WalkContext): void {
    const text = context.source.slice(node.pos, node.end)
    const name = node.name === undefined ? [] : [this.word(node.name, context)]
    const assignments = node.prefix.flatMap((item) =>
      item.type === 'Assignment' ? [this.#assignment(item, context)] : [],
    )
    const words = name.concat(
      node.suffix.flatMap((item) => {
        if (item.type === 'Word') return [this.word(item, context)]
        return item.type === 'Assignment' ? [declarationArg(this.#assignment(item, context))] : []
      }),
    )
    if (words.length === 0 && context.depth === STATEMENT && context.shell.outer === undefined)
      for (const variable of assignments) this.#replaced(variable.name)
    const own = this.#redirects(node.redirects, context)
    const redirects = [...context.around, ...own]
    this.walk.budget.spend(context.around.length)
    const { shell } = context
    const stdin = stdinOf(own, context.stdin)
    const unit: CommandUnit = { kind: 'command', text, words, assignments, redirects, stdin, shell }
    recordCommand(unit)
    this.walk.units.push(unit)
  }

  #assignment(node: Assignment, context: WalkContext): AssignmentInfo {
    if (node.index !== undefined) this.evaluates(this.word(node.index, context), node.text)
    const { value } = node
    let assigned: Arg | undefined
    if (value.type === 'ArrayValue') {
      this.bashOnly(context, node, 'an array')
      this.#array(node.name, value, context)
    } else {
      assigned = this.word(value, context)
      assign(this.walk.facts, node.name, assigned)
      if (node.index !== undefined) this.#element(node.name, node.index.text, assigned)
    }
    return { name: node.name, text: node.text, value: assigned }
  }

  #array(name: string, value: ArrayValue, context: WalkContext): void {
    for (const [i, element] of value.elements.entries()) {
      const arg = this.word(element, context)
      assign(this.walk.facts, name, arg)
      const [before = '', index = String(i)] = /^\[([^\]]*)\]\+?=/.exec(arg.shape) ?? []
      this.#element(name, index, cutArg(arg, before.length))
      // `[subscript]=value` is evaluated.
      const subscript = /^\[(.*?)\]\+?=/s.exec(element.text)
      if (subscript !== null && !/^\d+$/.test(subscript[1] ?? ''))
        this.evaluates(
          element.parts === undefined ? staticArg(subscript[1] ?? '') : { ...arg, shape: subscript[1] ?? '' },
          element.text,
        )
    }
  }

  /** Records a variable that a statement of the text itself sets before anything uses it. */
  #replaced(name: string): void {
    const { replaced, expanded } = this.walk.facts
    if (!expanded.has(name)) replaced.add(name)
  }

  #element(array: string, index: string, value: Arg): void {
    for (const name of [array, `${array}[${index}]`]) guess(this.walk.facts, name, value)
  }

  #redirects(redirections: readonly Redirection[], context: WalkContext): RedirectInfo[] {
    return redirections.map((node) => {
      const text = context.source.slice(node.pos, node.end)
      if (node.type === 'HereDoc') {
        const parts = node.body.parts
        if (parts !== undefined) for (const part of parts) this.part(part, context)
        const body =
          parts === undefined || node.delimiter?.quoted === true
            ? undefined
            : evaluateQuoted(parts, node.body.text, this.outputOf)
        return describeRedirect(node, text, undefined, body === undefined ? node.body.text : body.value)
      }
      if (node.type === 'HereString') this.bashOnly(context, node, 'a here-string')
      else if (node.operator.startsWith('&')) this.bashOnly(context, node, `the operator ${node.operator}`)
      if (node.target === undefined) {
        this.refuse(text, 'a redirection without a target')
        return describeRedirect(node, text, undefined, undefined)
      }
      const target = this.word(node.target, context)
      if (copiesInput(node, target)) this.refuse(text, 'what is read could be written as well')
      if (node.descriptor?.type === 'FileDescriptorVariable')
        this.setsVariable(node.descriptor.name, text, staticArg('10'), context)
      return describeRedirect(node, text, target, target.value, this.#namesFrom(node.target))
    })
  }

  /** Returns what a process substitution is known to write, as names that it may be made of. */
  #namesFrom({ parts }: Word): readonly string[] | undefined {
    const [part] = parts ?? []
    if (part?.type !== 'ProcessSubstitution' || part.script === undefined) return undefined
    const output = outputOfScript(part.script, this.outputOf)
    return output.kind === 'text' ? output.text.split(/\s+/).filter((name) => name !== '') : undefined
  }

  /** Returns the output of the command before a pipe, if its text shows it. */
  #written(node: PipelineNode, context: WalkContext, errors: boolean): Stdin {
    if (node.type !== 'Command' || this.walk.facts.definesFunction) return { kind: 'unknown' }
    const { stdin } = context
    if (node.name?.text === 'cat' && node.args.length === 0) {
      const quiet = new Walker(newWalk(this.walk.budget))
      return stdinOf(quiet.#redirects(node.redirects, context), stdin)
    }
    const unknown: Piped | undefined = stdin.kind === 'none' ? undefined : { kind: 'unknown' }
    const input = stdin.kind === 'names' || stdin.kind === 'text' ? stdin : unknown
    this.walk.budget.spend(8)
    const written = outputOfNode(node, input, this.outputOf)
    const output = errors ? withErrors(written) : written
    return output.kind === 'numeric' ? { kind: 'unknown' } : output
  }
}
