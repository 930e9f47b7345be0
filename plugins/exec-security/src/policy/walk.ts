import { parseScript, scriptProblem } from './parse.js'
import { outputOfNode, withErrors, type Piped } from './programs/command-output.js'
import { copiesInput, describeRedirect, fedBy, shownRedirect, stdinOf } from './redirects.js'
import { assign, declarationArg, newWalk } from './walk-types.js'
import { WordWalker, unknownKind } from './walk-words.js'
import { evaluateQuoted } from './evaluate-word.js'
import { inputArg, quoteWord, staticArg } from './words.js'
import type {
  AndOr,
  ArrayValue,
  Assignment,
  Command,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
} from './parse.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo, WalkContext, Walk } from './walk-types.js'
import type { Arg } from './words.js'

type Node = PipelineNode | AndOr
type NodeOf<K extends Node['type']> = Extract<Node, { type: K }>
type Loop = NodeOf<'For' | 'Select'>
type Compound = Exclude<Node, { type: 'AndOr' | 'Pipeline' | 'Command' | 'Redirected' }>

const NO_STDIN: Stdin = { kind: 'none' }

/** Parses and walks a text, adding to a walk that may already hold the units of an outer text. */
export function walkText(text: string, walk: Walk, stdin: Stdin = NO_STDIN, posix = false): void {
  walk.budget.spend(20 + text.length / 16)
  walk.facts.posix ||= posix
  const script = parseScript(text)
  const problem = typeof script === 'string' ? script : scriptProblem(script)
  if (typeof script === 'string' || problem !== undefined)
    return void walk.units.push({ kind: 'refused', text, reason: problem ?? '' })
  new Walker(walk).script(script, { source: text, stdin, depth: 0, posix, substituted: false, fed: [] })
}

class Walker extends WordWalker {
  override script(script: ParsedScript, context: WalkContext): void {
    const source = script.source ?? context.source
    const problem = scriptProblem(script)
    if (problem !== undefined) this.refuse(source.slice(script.pos, script.end), problem)
    this.#list(script, this.deeper({ ...context, source }))
  }

  #list(list: Pick<CompoundList, 'commands'>, context: WalkContext): void {
    for (const statement of list.commands) this.#node(statement.command, context)
  }

  /** A function or a coprocess: what it reads is not known. */
  #body(body: CompoundList | PipelineNode, context: WalkContext): void {
    const inner: WalkContext = { ...context, stdin: { kind: 'unknown' } }
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
      const isPiped = i > 0
      const fed = isPiped ? fedBy(command, stdin) : inner.fed
      this.#node(command, { ...inner, stdin, fed })
      return this.#written(command, { ...inner, stdin }, node.operators[i] === '|&')
    }, inner.stdin)
  }

  #redirected(node: NodeOf<'Redirected'>, inner: WalkContext): void {
    const redirects = this.#redirects(node.redirects, inner)
    // A redirection of a compound command counts on its own.
    for (const redirect of redirects)
      this.walk.units.push({
        kind: 'command',
        text: redirect.text,
        words: [],
        assignments: [],
        redirects: [redirect],
        stdin: NO_STDIN,
        fed: [],
      })
    const feeding = redirects.filter(({ stdin }) => stdin !== undefined)
    const fed = feeding.length === 0 ? inner.fed : feeding.flatMap(shownRedirect)
    return this.#node(node.command, { ...inner, stdin: stdinOf(redirects, inner.stdin), fed })
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
    this.state(text, `defines the function ${node.name.text}`)
    this.word(node.name, inner)
    if (/^function\b/.test(text)) this.bashOnly(context, node, 'the keyword function')
    this.#body(node.body, inner)
  }

  #coprocess(node: NodeOf<'Coproc'>, text: string, context: WalkContext, inner: WalkContext): void {
    this.state(text, 'starts a coprocess')
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
      this.state(text, 'select sets a variable from input')
      this.bashOnly(context, node, 'the keyword select')
    }
    const { text: name } = node.name
    if (!/^[A-Za-z_]\w*$/.test(name)) this.refuse(name, 'not a name that a loop can set')
    const values = node.wordlist?.map((word) => this.word(word, inner))
    const given = node.type === 'Select' || values === undefined ? [inputArg(name)] : values
    for (const value of given.length === 0 ? [staticArg('')] : given) this.setsVariable(name, `for ${name}`, value)
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
    const redirects = this.#redirects(node.redirects, context)
    this.walk.units.push({
      kind: 'command',
      text,
      words,
      assignments,
      redirects,
      stdin: stdinOf(redirects, context.stdin),
      fed: redirects.some(({ stdin }) => stdin !== undefined) ? [] : context.fed,
    })
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
    }
    return { name: node.name, text: node.text, value: assigned }
  }

  #array(name: string, value: ArrayValue, context: WalkContext): void {
    for (const element of value.elements) {
      const arg = this.word(element, context)
      assign(this.walk.facts, name, arg)
      // `[subscript]=value` is evaluated.
      const subscript = /^\[(.*?)\]\+?=/s.exec(element.text)
      if (subscript !== null && !/^\d+$/.test(subscript[1] ?? ''))
        this.evaluates(
          element.parts === undefined ? staticArg(subscript[1] ?? '') : { ...arg, shape: subscript[1] ?? '' },
          element.text,
        )
    }
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
        const value = body === undefined ? node.body.text : body.value
        return describeRedirect(
          node,
          value === undefined ? `<<< ${quoteWord(staticArg(node.body.text))}` : text,
          undefined,
          value,
        )
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
        this.setsVariable(node.descriptor.name, text, staticArg('10'))
      return describeRedirect(node, text, target, target.value)
    })
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
