// Walks a whole syntax tree and lists every command that it may run; what it does not know, it reports as refused.
import { parseScript, scriptProblem } from './parse.js'
import { printedText } from './printed.js'
import { describeRedirect, stdinOf } from './redirects.js'
import { MAX_DEPTH, newWalk } from './walk-types.js'
import { WordWalker } from './walk-words.js'
import { evaluateQuoted, evaluateWord } from './words.js'
import type { AndOr, ArrayValue, Assignment, Command, CompoundList, ParsedScript, PipelineNode, Redirection, Statement, Word } from './parse.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo, Context, Walk } from './walk-types.js'
import type { Arg } from './words.js'

const NO_STDIN: Stdin = { kind: 'none' }

/** How a text is run. */
export interface WalkOptions {
  readonly stdin?: Stdin
  readonly posix?: boolean
}

/** Parses and walks a text, adding to a walk that may already hold the units of an outer text. */
export function walkText(text: string, walk: Walk, options: WalkOptions = {}): void {
  const parsed = parseScript(text)
  if (typeof parsed === 'string') {
    walk.units.push({ kind: 'refused', text, reason: parsed })
    return
  }
  const walker = new Walker(walk)
  walker.script(parsed.script, { source: text, stdin: options.stdin ?? NO_STDIN, depth: 0, posix: options.posix ?? false, substituted: false })
}

class Walker extends WordWalker {
  override script(script: ParsedScript, context: Context): void {
    const source = script.source ?? context.source
    const inner = { ...context, source, depth: context.depth + 1 }
    const problem = scriptProblem(script)
    if (problem !== undefined) this.refuse(source.slice(script.pos, script.end), problem)
    if (inner.depth > MAX_DEPTH) {
      this.refuse(source.slice(script.pos, script.end), 'nested too deeply')
      return
    }
    for (const statement of script.commands) this.#statement(statement, inner)
  }

  #list(list: CompoundList, context: Context): void {
    for (const statement of list.commands) this.#statement(statement, context)
  }

  #statement(statement: Statement, context: Context): void {
    this.#node(statement.command, context)
  }

  #node(node: PipelineNode | AndOr, context: Context): void {
    if (context.depth > MAX_DEPTH) {
      this.refuse(context.source.slice(node.pos, node.end), 'nested too deeply')
      return
    }
    this.walk.facts.holdsCommand = true
    const inner = { ...context, depth: context.depth + 1 }
    switch (node.type) {
      case 'AndOr':
        for (const command of node.commands) this.#node(command, inner)
        return
      case 'Pipeline':
        if (node.prefixes.some((prefix) => prefix.type === 'Time')) {
          this.bashOnly(context, node, 'the keyword time')
          // In a substitution bash 5.2 takes the word after `time` for a command, so that `case a in *)` ends the substitution.
          if (context.substituted && node.commands[0]?.type !== 'Command') this.refuse(context.source.slice(node.pos, node.end), 'bash reads time before a compound command in another way here')
        }
        if (node.operators.includes('|&')) this.bashOnly(context, node, 'the operator |&')
        {
          let { stdin } = inner
          for (const command of node.commands) {
            this.#node(command, { ...inner, stdin })
            stdin = this.#outputOf(command, { ...inner, stdin })
          }
        }
        return
      case 'Command':
        this.#command(node, inner)
        return
      case 'Redirected': {
        const redirects = this.#redirects(node.redirects, inner)
        for (const redirect of redirects) this.#looseRedirect(redirect)
        this.#node(node.command, { ...inner, stdin: stdinOf(redirects, inner.stdin) })
        return
      }
      case 'Function': {
        this.walk.facts.definesFunction = true
        this.state(context.source.slice(node.pos, node.end), `defines the function ${node.name.text}`)
        this.word(node.name, inner)
        const body = { ...inner, stdin: { kind: 'unknown' } as const }
        if (/^function\b/.test(context.source.slice(node.pos, node.end))) this.bashOnly(context, node, 'the keyword function')
        if (node.body.type === 'CompoundList') this.#list(node.body, body)
        else this.#node(node.body, body)
        return
      }
      case 'Coproc': {
        this.state(context.source.slice(node.pos, node.end), 'starts a coprocess')
        this.bashOnly(context, node, 'the keyword coproc')
        if (node.name !== undefined) this.word(node.name, inner)
        const body = { ...inner, stdin: { kind: 'unknown' } as const }
        if (node.body.type === 'CompoundList') this.#list(node.body, body)
        else this.#node(node.body, body)
        return
      }
      case 'If':
        this.#list(node.clause, inner)
        this.#list(node.then, inner)
        for (const elif of node.elif) {
          this.#list(elif.clause, inner)
          this.#list(elif.then, inner)
        }
        if (node.else !== undefined) this.#list(node.else, inner)
        return
      case 'While':
        this.#list(node.clause, inner)
        this.#list(node.body, inner)
        return
      case 'For':
      case 'Select': {
        if (node.type === 'Select') {
          this.state(context.source.slice(node.pos, node.end), 'select sets a variable from input')
          this.bashOnly(context, node, 'the keyword select')
        }
        const { text: name } = node.name
        if (!/^[A-Za-z_]\w*$/.test(name)) this.refuse(name, 'not a name that a loop can set')
        this.setsVariable(name, `for ${name}`)
        const values: Arg[] = []
        for (const word of node.wordlist ?? []) values.push(this.word(word, inner))
        const known = this.walk.facts.loops.get(name) ?? []
        this.walk.facts.loops.set(name, [...known, ...values])
        this.#list(node.body, inner)
        return
      }
      case 'ArithmeticFor':
        this.bashOnly(context, node, 'arithmetic for')
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.arithmetic(part, inner)
        this.#list(node.body, inner)
        return
      case 'Subshell':
      case 'BraceGroup':
        this.#list(node.body, inner)
        return
      case 'Case':
        this.word(node.word, inner)
        for (const item of node.items) {
          if (item.terminator !== undefined && item.terminator !== ';;') this.bashOnly(context, item, item.terminator)
          for (const pattern of item.pattern) this.word(pattern, inner)
          this.#list(item.body, inner)
        }
        return
      case 'TestCommand':
        this.bashOnly(context, node, '[[')
        this.test(node.expression, inner)
        return
      case 'ArithmeticCommand':
        this.bashOnly(context, node, '((')
        if (node.expression === undefined) {
          if (node.body.trim() !== '') this.refuse(context.source.slice(node.pos, node.end), 'arithmetic that is not understood')
        } else {
          this.arithmetic(node.expression, inner)
        }
        return
      default:
        node satisfies never
        this.refuse(context.source, 'a kind of command that is not known')
    }
  }

  #command(node: Command, context: Context): void {
    const text = context.source.slice(node.pos, node.end)
    const words: Arg[] = []
    if (node.name !== undefined) words.push(this.word(node.name, context))
    const assignments: AssignmentInfo[] = []
    for (const item of node.prefix) {
      if (item.type === 'Assignment') assignments.push(this.#assignment(item, context))
    }
    for (const item of node.suffix) {
      if (item.type === 'Word') {
        words.push(this.word(item, context))
      } else if (item.type === 'Assignment') {
        words.push(declarationArg(this.#assignment(item, context)))
      }
    }
    const redirects = this.#redirects(node.redirects, context)
    this.walk.units.push({ kind: 'command', text, words, assignments, redirects, stdin: stdinOf(redirects, context.stdin) })
  }

  #assignment(node: Assignment, context: Context): AssignmentInfo {
    if (node.index !== undefined) {
      this.word(node.index, context)
      if (!/^\d+$/.test(node.index.text)) this.walk.facts.evaluatesData = true
    }
    const { value } = node
    if (value.type === 'ArrayValue') {
      this.bashOnly(context, node, 'an array')
      this.#array(value, context)
    }
    return {
      name: node.name,
      text: node.text,
      value: value.type === 'ArrayValue' ? undefined : this.word(value, context),
      subscript: node.index !== undefined
    }
  }

  #array(value: ArrayValue, context: Context): void {
    for (const element of value.elements) this.word(element, context)
  }

  #redirects(redirections: readonly Redirection[], context: Context): RedirectInfo[] {
    return redirections.map((node) => {
      const text = context.source.slice(node.pos, node.end)
      if (node.type === 'HereDoc') {
        const parts = node.body.parts
        if (parts !== undefined) for (const part of parts) this.part(part, context)
        const body = parts === undefined || node.delimiter?.quoted === true ? undefined : evaluateQuoted(parts, node.body.text)
        const value = body === undefined ? node.body.text : body.value
        if (value !== undefined) this.walk.facts.literals.push(value)
        return describeRedirect(node, text, undefined, value)
      }
      if (node.type === 'HereString') this.bashOnly(context, node, 'a here-string')
      else if (node.operator.startsWith('&')) this.bashOnly(context, node, `the operator ${node.operator}`)
      if (node.target === undefined) {
        this.refuse(text, 'a redirection without a target')
        return describeRedirect(node, text, undefined, undefined)
      }
      const target = this.word(node.target, context)
      if (node.descriptor?.type === 'FileDescriptorVariable') this.setsVariable(node.descriptor.name, text)
      return describeRedirect(node, text, target, target.value)
    })
  }

  /** A redirection of a compound command counts on its own. */
  #looseRedirect(redirect: RedirectInfo): void {
    this.walk.units.push({
      kind: 'command', text: redirect.text, words: [], assignments: [], redirects: [redirect], stdin: NO_STDIN
    })
  }

  /** What the command before a pipe writes, where that is plain from its text. */
  #outputOf(node: PipelineNode, context: Context): Stdin {
    if (node.type !== 'Command' || node.name === undefined || this.walk.facts.definesFunction) return { kind: 'unknown' }
    const words = [node.name, ...node.args.filter((item): item is Word => item.type === 'Word')].map(evaluateWord)
    const values = words.map((word) => word.value)
    if (values.some((value) => value === undefined) || words.some((word) => word.splits)) return { kind: 'unknown' }
    const [name, ...args] = values as string[]
    if (name === 'cat' && args.length === 0) {
      const quiet = new Walker(newWalk())
      return stdinOf(quiet.#redirects(node.redirects, context), context.stdin)
    }
    const text = printedText(name ?? '', args)
    return text === undefined ? { kind: 'unknown' } : { kind: 'text', text }
  }
}

/** An assignment that is an argument of a declaration, as the word that the builtin sees. */
function declarationArg(assigned: AssignmentInfo): Arg {
  const { text, value } = assigned
  const shape = value === undefined ? text : text.slice(0, text.indexOf('=') + 1) + value.shape
  return {
    text,
    shape,
    value: value?.value === undefined ? undefined : shape,
    unknown: value?.unknown ?? ['command'],
    variables: value?.variables ?? [],
    splits: false
  }
}
