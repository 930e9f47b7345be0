// Walks a whole syntax tree and lists every command that it may run; what it does not know, it reports as refused.
import { evaluateQuoted, evaluateWord } from './words.js'
import type { Arg } from './words.js'
import { parseScript, scriptProblem } from './parse.js'
import { describeRedirect, stdinOf } from './redirects.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type {
  AndOr, ArithmeticExpression, ArrayValue, Assignment, Command, CompoundList, ParameterExpansionPart, ParsedScript,
  PipelineNode, Redirection, Statement, TestExpression, Word, WordPart
} from './parse.js'

/** One `NAME=value` of a command or of a declaration. */
export interface AssignmentInfo {
  readonly name: string
  readonly text: string
  readonly value: Arg | undefined
  readonly subscript: boolean
}

/** A simple command as it stands in the tree, before wrappers are looked through. */
export interface CommandUnit {
  readonly kind: 'command'
  readonly text: string
  /** The command word and its arguments; empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  readonly assignments: readonly AssignmentInfo[]
  readonly redirects: readonly RedirectInfo[]
  readonly stdin: Stdin
}

/** Something that is not understood, or that changes the state of the shell. */
export interface OtherUnit {
  readonly kind: 'refused' | 'state'
  readonly text: string
  readonly reason: string
}

/** A variable that syntax sets: a loop, arithmetic, `${NAME:=value}`. */
export interface SetsUnit {
  readonly kind: 'sets'
  readonly text: string
  readonly name: string
}

export type Unit = CommandUnit | OtherUnit | SetsUnit

/** What is known about the script as a whole. */
export interface Facts {
  /** Values that `for` gives to a variable. */
  readonly loops: Map<string, Arg[]>
  /** Exact texts that stand in the script as data. */
  readonly literals: string[]
  /** Whether the shell evaluates the text of a variable or argument as an arithmetic expression. */
  evaluatesData: boolean
  /** Whether an alias, or a table that works like one, is defined. */
  definesAlias: boolean
  /** Whether a function is defined, which may stand in for any command. */
  definesFunction: boolean
  /** Whether there is anything to run at all, be it only a test. */
  holdsCommand: boolean
  /** Whether options are set that could make the shell use aliases. */
  setsOptions: boolean
}

/** What a walk found. */
export interface Walk {
  readonly units: Unit[]
  readonly facts: Facts
}

interface Context {
  readonly source: string
  readonly stdin: Stdin
  readonly depth: number
  /** Whether the text is run by a shell that is not bash, where bash syntax means something else. */
  readonly posix: boolean
  /** Whether the text stands in a substitution. */
  readonly substituted: boolean
}

const MAX_DEPTH = 120
const NO_STDIN: Stdin = { kind: 'none' }
const NUMERIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

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

/** An empty walk. */
export function newWalk(): Walk {
  return {
    units: [],
    facts: { loops: new Map(), literals: [], evaluatesData: false, definesAlias: false, definesFunction: false, holdsCommand: false, setsOptions: false }
  }
}

class Walker {
  readonly #walk: Walk

  constructor(walk: Walk) {
    this.#walk = walk
  }

  script(script: ParsedScript, context: Context): void {
    const source = script.source ?? context.source
    const inner = { ...context, source, depth: context.depth + 1 }
    const problem = scriptProblem(script)
    if (problem !== undefined) this.#refuse(source.slice(script.pos, script.end), problem)
    if (inner.depth > MAX_DEPTH) {
      this.#refuse(source.slice(script.pos, script.end), 'nested too deeply')
      return
    }
    for (const statement of script.commands) this.#statement(statement, inner)
  }

  #refuse(text: string, reason: string): void {
    this.#walk.units.push({ kind: 'refused', text, reason })
  }

  #state(text: string, reason: string): void {
    this.#walk.units.push({ kind: 'state', text, reason })
  }

  #bashOnly(context: Context, node: { pos: number; end: number }, what: string): void {
    if (context.posix) this.#refuse(context.source.slice(node.pos, node.end), `${what} means something else in a shell that is not bash`)
  }

  #list(list: CompoundList, context: Context): void {
    for (const statement of list.commands) this.#statement(statement, context)
  }

  #statement(statement: Statement, context: Context): void {
    this.#node(statement.command, context)
  }

  #node(node: PipelineNode | AndOr, context: Context): void {
    if (context.depth > MAX_DEPTH) {
      this.#refuse(context.source.slice(node.pos, node.end), 'nested too deeply')
      return
    }
    this.#walk.facts.holdsCommand = true
    const inner = { ...context, depth: context.depth + 1 }
    switch (node.type) {
      case 'AndOr':
        for (const command of node.commands) this.#node(command, inner)
        return
      case 'Pipeline':
        if (node.prefixes.some((prefix) => prefix.type === 'Time')) {
          this.#bashOnly(context, node, 'the keyword time')
          // In a substitution bash 5.2 takes the word after `time` for a command, so that `case a in *)` ends the substitution.
          if (context.substituted && node.commands[0]?.type !== 'Command') this.#refuse(context.source.slice(node.pos, node.end), 'bash reads time before a compound command in another way here')
        }
        if (node.operators.includes('|&')) this.#bashOnly(context, node, 'the operator |&')
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
        this.#walk.facts.definesFunction = true
        this.#state(context.source.slice(node.pos, node.end), `defines the function ${node.name.text}`)
        this.#word(node.name, inner)
        const body = { ...inner, stdin: { kind: 'unknown' } as const }
        if (/^function\b/.test(context.source.slice(node.pos, node.end))) this.#bashOnly(context, node, 'the keyword function')
        if (node.body.type === 'CompoundList') this.#list(node.body, body)
        else this.#node(node.body, body)
        return
      }
      case 'Coproc': {
        this.#state(context.source.slice(node.pos, node.end), 'starts a coprocess')
        this.#bashOnly(context, node, 'the keyword coproc')
        if (node.name !== undefined) this.#word(node.name, inner)
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
          this.#state(context.source.slice(node.pos, node.end), 'select sets a variable from input')
          this.#bashOnly(context, node, 'the keyword select')
        }
        const { text: name } = node.name
        if (!/^[A-Za-z_]\w*$/.test(name)) this.#refuse(name, 'not a name that a loop can set')
        this.#setsVariable(name, `for ${name}`)
        const values: Arg[] = []
        for (const word of node.wordlist ?? []) values.push(this.#word(word, inner))
        const known = this.#walk.facts.loops.get(name) ?? []
        this.#walk.facts.loops.set(name, [...known, ...values])
        this.#list(node.body, inner)
        return
      }
      case 'ArithmeticFor':
        this.#bashOnly(context, node, 'arithmetic for')
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.#arithmetic(part, inner)
        this.#list(node.body, inner)
        return
      case 'Subshell':
      case 'BraceGroup':
        this.#list(node.body, inner)
        return
      case 'Case':
        this.#word(node.word, inner)
        for (const item of node.items) {
          if (item.terminator !== undefined && item.terminator !== ';;') this.#bashOnly(context, item, item.terminator)
          for (const pattern of item.pattern) this.#word(pattern, inner)
          this.#list(item.body, inner)
        }
        return
      case 'TestCommand':
        this.#bashOnly(context, node, '[[')
        this.#test(node.expression, inner)
        return
      case 'ArithmeticCommand':
        this.#bashOnly(context, node, '((')
        if (node.expression === undefined) {
          if (node.body.trim() !== '') this.#refuse(context.source.slice(node.pos, node.end), 'arithmetic that is not understood')
        } else {
          this.#arithmetic(node.expression, inner)
        }
        return
      default:
        node satisfies never
        this.#refuse(context.source, 'a kind of command that is not known')
    }
  }

  #command(node: Command, context: Context): void {
    const text = context.source.slice(node.pos, node.end)
    const words: Arg[] = []
    if (node.name !== undefined) words.push(this.#word(node.name, context))
    const assignments: AssignmentInfo[] = []
    for (const item of node.prefix) {
      if (item.type === 'Assignment') assignments.push(this.#assignment(item, context))
    }
    for (const item of node.suffix) {
      if (item.type === 'Word') {
        words.push(this.#word(item, context))
      } else if (item.type === 'Assignment') {
        words.push(declarationArg(this.#assignment(item, context)))
      }
    }
    const redirects = this.#redirects(node.redirects, context)
    this.#walk.units.push({ kind: 'command', text, words, assignments, redirects, stdin: stdinOf(redirects, context.stdin) })
  }

  #assignment(node: Assignment, context: Context): AssignmentInfo {
    if (node.index !== undefined) {
      this.#word(node.index, context)
      if (!/^\d+$/.test(node.index.text)) this.#walk.facts.evaluatesData = true
    }
    const { value } = node
    if (value.type === 'ArrayValue') {
      this.#bashOnly(context, node, 'an array')
      this.#array(value, context)
    }
    return {
      name: node.name,
      text: node.text,
      value: value.type === 'ArrayValue' ? undefined : this.#word(value, context),
      subscript: node.index !== undefined
    }
  }

  #array(value: ArrayValue, context: Context): void {
    for (const element of value.elements) this.#word(element, context)
  }

  #redirects(redirections: readonly Redirection[], context: Context): RedirectInfo[] {
    return redirections.map((node) => {
      const text = context.source.slice(node.pos, node.end)
      if (node.type === 'HereDoc') {
        const parts = node.body.parts
        if (parts !== undefined) for (const part of parts) this.#part(part, context)
        const body = parts === undefined || node.delimiter?.quoted === true ? undefined : evaluateQuoted(parts, node.body.text)
        const value = body === undefined ? node.body.text : body.value
        if (value !== undefined) this.#walk.facts.literals.push(value)
        return describeRedirect(node, text, undefined, value)
      }
      if (node.type === 'HereString') this.#bashOnly(context, node, 'a here-string')
      else if (node.operator.startsWith('&')) this.#bashOnly(context, node, `the operator ${node.operator}`)
      if (node.target === undefined) {
        this.#refuse(text, 'a redirection without a target')
        return describeRedirect(node, text, undefined, undefined)
      }
      const target = this.#word(node.target, context)
      if (node.descriptor?.type === 'FileDescriptorVariable') this.#setsVariable(node.descriptor.name, text)
      return describeRedirect(node, text, target, target.value)
    })
  }

  /** A redirection of a compound command counts on its own. */
  #looseRedirect(redirect: RedirectInfo): void {
    this.#walk.units.push({
      kind: 'command', text: redirect.text, words: [], assignments: [], redirects: [redirect], stdin: NO_STDIN
    })
  }

  /** What the command before a pipe writes, where that is plain from its text. */
  #outputOf(node: PipelineNode, context: Context): Stdin {
    if (node.type !== 'Command' || node.name === undefined || this.#walk.facts.definesFunction) return { kind: 'unknown' }
    const words = [node.name, ...node.args.filter((item): item is Word => item.type === 'Word')].map(evaluateWord)
    const values = words.map((word) => word.value)
    if (values.some((value) => value === undefined) || words.some((word) => word.splits)) return { kind: 'unknown' }
    const [name, ...args] = values as string[]
    if (name === 'cat' && args.length === 0) {
      const quiet = new Walker(newWalk())
      return stdinOf(quiet.#redirects(node.redirects, context), context.stdin)
    }
    while (name === 'echo' && (args[0] === '-n' || args[0] === '-e' || args[0] === '-ne' || args[0] === '-en')) args.shift()
    const text = args.join(name === 'printf' ? '\n' : ' ')
    if (name !== 'echo' && name !== 'printf') return { kind: 'unknown' }
    if (/[\\]/.test(text) || (name === 'printf' && /%(?!s)/.test(text))) return { kind: 'unknown' }
    return { kind: 'text', text: name === 'printf' ? text.replaceAll('%s', '') : text }
  }

  #word(word: Word, context: Context): Arg {
    if (word.parts !== undefined) for (const part of word.parts) this.#part(part, context)
    const arg = evaluateWord(word)
    if (arg.value !== undefined) this.#walk.facts.literals.push(arg.value)
    return arg
  }

  #part(part: WordPart, context: Context): void {
    if (context.depth > MAX_DEPTH) {
      this.#refuse(part.text, 'nested too deeply')
      return
    }
    const inner = { ...context, depth: context.depth + 1 }
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
        return
      case 'AnsiCQuoted':
        this.#bashOnly(context, part, "$'…'")
        return
      case 'SimpleExpansion':
        return
      case 'LocaleString':
        this.#bashOnly(context, part, '$"…"')
        for (const child of part.parts) this.#part(child, inner)
        return
      case 'DoubleQuoted':
        for (const child of part.parts) this.#part(child, inner)
        return
      case 'Glob':
        for (const child of part.parts ?? []) this.#part(child, inner)
        return
      case 'ExtendedGlob':
        this.#bashOnly(context, part, 'an extended pattern')
        for (const child of part.parts ?? []) this.#part(child, inner)
        return
      case 'BraceExpansion':
        this.#bashOnly(context, part, 'brace expansion')
        for (const child of part.parts ?? []) this.#part(child, inner)
        return
      case 'ParameterExpansion':
        this.#parameter(part, inner)
        return
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        if (part.type === 'ProcessSubstitution') this.#bashOnly(context, part, 'process substitution')
        if (part.script === undefined) this.#refuse(part.text, 'a substitution that is not understood')
        else this.script(part.script, { ...inner, substituted: true })
        return
      case 'ArithmeticExpansion':
        if (part.expression !== undefined) this.#arithmetic(part.expression, inner)
        else if (/[^\s$()[\]]/.test(part.text)) this.#refuse(part.text, 'arithmetic that is not understood')
        return
      default:
        part satisfies never
        this.#refuse(context.source, 'a kind of word that is not known')
    }
  }

  #parameter(part: ParameterExpansionPart, context: Context): void {
    if (part.index !== undefined) {
      this.#word(part.index, context)
      if (!/^(?:\d+|@|\*)$/.test(part.index.text)) this.#walk.facts.evaluatesData = true
    }
    const { operation } = part
    if (part.prefix === '!' && operation?.type !== 'Names') this.#walk.facts.evaluatesData = true
    if (operation === undefined) return
    switch (operation.type) {
      case 'Default':
        if (operation.operator.endsWith('=')) this.#setsVariable(part.parameter, part.text)
        this.#word(operation.operand, context)
        return
      case 'Remove':
        this.#word(operation.operand, context)
        return
      case 'Replace':
        this.#word(operation.pattern, context)
        this.#word(operation.replacement, context)
        return
      case 'Slice':
        for (const word of [operation.offset, operation.length]) {
          if (word === undefined) continue
          this.#word(word, context)
          if (!/^\s*-?\d*\s*$/.test(word.text)) this.#walk.facts.evaluatesData = true
        }
        return
      case 'CaseModification':
        if (operation.operand !== undefined) this.#word(operation.operand, context)
        return
      case 'Transform':
        this.#word(operation.operand, context)
        if (!/^[QEAaUuLKk]$/.test(operation.operand.text)) this.#refuse(part.text, 'expands the text of a variable as a prompt')
        return
      case 'Names':
        return
      case 'Unknown':
        this.#refuse(part.text, 'a parameter expansion that is not known')
        return
      default:
        operation satisfies never
        this.#refuse(part.text, 'a parameter expansion that is not known')
    }
  }

  #arithmetic(node: ArithmeticExpression, context: Context): void {
    if (context.depth > MAX_DEPTH) {
      this.#refuse(context.source, 'nested too deeply')
      return
    }
    const inner = { ...context, depth: context.depth + 1 }
    switch (node.type) {
      case 'ArithmeticBinary':
        if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(node.operator)) this.#assigned(node.left, context)
        this.#arithmetic(node.left, inner)
        this.#arithmetic(node.right, inner)
        return
      case 'ArithmeticUnary':
        if (node.operator === '++' || node.operator === '--') this.#assigned(node.operand, context)
        this.#arithmetic(node.operand, inner)
        return
      case 'ArithmeticTernary':
        for (const part of [node.test, node.consequent, node.alternate]) this.#arithmetic(part, inner)
        return
      case 'ArithmeticGroup':
        this.#arithmetic(node.expression, inner)
        return
      case 'ArithmeticWord':
        for (const part of node.parts ?? []) this.#part(part, inner)
        if (!/^\d[\da-zA-Z#@_]*$/.test(node.value)) this.#walk.facts.evaluatesData = true
        return
      case 'ArithmeticCommandExpansion':
        this.#walk.facts.evaluatesData = true
        if (node.script === undefined) this.#refuse(node.text, 'a substitution that is not understood')
        else this.script(node.script, { ...inner, substituted: true })
        return
      default:
        node satisfies never
        this.#refuse(context.source, 'a kind of arithmetic that is not known')
    }
  }

  #assigned(target: ArithmeticExpression, context: Context): void {
    const name = target.type === 'ArithmeticWord' ? /^[A-Za-z_]\w*/.exec(target.value)?.[0] : undefined
    if (name !== undefined) this.#setsVariable(name, context.source.slice(target.pos, target.end) || name)
  }

  /** Variables set by syntax count as assignments, so that a loop cannot set what a prefix may not. */
  #setsVariable(name: string, text: string): void {
    this.#walk.units.push({ kind: 'sets', text, name })
  }

  #test(node: TestExpression, context: Context): void {
    if (context.depth > MAX_DEPTH) {
      this.#refuse(context.source, 'nested too deeply')
      return
    }
    const inner = { ...context, depth: context.depth + 1 }
    switch (node.type) {
      case 'TestUnary':
        if (/^-[vR]$/.test(node.operator)) this.#walk.facts.evaluatesData = true
        this.#word(node.operand, inner)
        return
      case 'TestBinary':
        if (NUMERIC_TESTS.has(node.operator) && !(isNumber(node.left) && isNumber(node.right))) this.#walk.facts.evaluatesData = true
        this.#word(node.left, inner)
        this.#word(node.right, inner)
        return
      case 'TestLogical':
        for (const operand of node.operands) this.#test(operand, inner)
        return
      case 'TestNot':
        this.#test(node.operand, inner)
        return
      case 'TestGroup':
        this.#test(node.expression, inner)
        return
      default:
        node satisfies never
        this.#refuse(context.source, 'a kind of test that is not known')
    }
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

function isNumber(word: Word): boolean {
  return /^-?\d+$/.test(word.text)
}
