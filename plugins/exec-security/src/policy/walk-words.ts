import { outputOfScript } from './programs/command-output.js'
import { BudgetExceeded } from './budget.js'
import { evaluateQuoted, evaluateWord } from './evaluate-word.js'
import { newShell, recordChange, recordVariable } from './shell-changes.js'
import { staticArg, wordOf, HOLE, STAR } from './words.js'
import { MAX_DEPTH, assign } from './walk-types.js'
import type { Arg, Output } from './words.js'
import type {
  ArithmeticExpression,
  CommandExpansionPart,
  ParameterExpansionPart,
  ParsedScript,
  TestExpression,
  Word,
  WordPart,
} from './parse.js'
import type { WalkContext, Walk } from './walk-types.js'

type PartOf<K extends WordPart['type']> = Extract<WordPart, { type: K }>
type NestedPart = PartOf<'LocaleString' | 'DoubleQuoted' | 'Glob' | 'ExtendedGlob' | 'BraceExpansion'>
type ArithmeticOf<K extends ArithmeticExpression['type']> = Extract<ArithmeticExpression, { type: K }>
type Operation = NonNullable<ParameterExpansionPart['operation']>

const NUMERIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** Words that only bash reads so. */
const BASH_ONLY: Partial<Record<WordPart['type'], string>> = {
  AnsiCQuoted: "$'…'",
  LocaleString: '$"…"',
  ExtendedGlob: 'an extended pattern',
  BraceExpansion: 'brace expansion',
  ProcessSubstitution: 'process substitution',
}

/** The value that arithmetic assigns. */
const NUMBER: Arg = wordOf('0', [{ token: STAR, source: 'arithmetic' }])

/** Returns the error for an unknown kind of node, which a newer parser may have. The command is denied. */
export const unknownKind = (node: never): Error =>
  new Error(`a kind of syntax that is not known: ${(node as { type?: string }).type ?? ''}`)

/** The surroundings of commands that run in a shell of their own. */
export const subshell = (context: WalkContext): WalkContext => ({
  ...context,
  shell: newShell(context.shell.line, context.shell),
})

/** The surroundings of commands whose input is not known. */
export function unknownInput(context: WalkContext): WalkContext {
  const inner = subshell(context)
  recordChange(inner.shell, 'input')
  return { ...inner, stdin: { kind: 'unknown' } }
}

/** Walks words. The commands inside them are walked by the class that extends it. */
export abstract class WordWalker {
  protected readonly walk: Walk

  constructor(walk: Walk) {
    this.walk = walk
  }

  abstract script(script: ParsedScript, context: WalkContext): void

  protected refuse(text: string, reason: string): void {
    this.walk.units.push({ kind: 'refused', text, reason })
  }

  protected state(text: string, reason: string, { shell }: WalkContext): void {
    this.walk.units.push({ kind: 'state', text, reason })
    recordChange(shell, text)
  }

  protected bashOnly(context: WalkContext, node: { pos: number; end: number }, what: string | undefined): void {
    if (context.posix && what !== undefined)
      this.refuse(context.source.slice(node.pos, node.end), `${what} means something else in a shell that is not bash`)
  }

  protected word(word: Word, context: WalkContext): Arg {
    if (word.parts !== undefined) for (const part of word.parts) this.part(part, context)
    return evaluateWord(word, this.outputOf)
  }

  /** Returns the output of a substitution. The budget limits the work for nested ones. */
  protected readonly outputOf = (part: CommandExpansionPart): Output => {
    this.walk.budget.spend(4)
    return part.script === undefined ? { kind: 'unknown' } : outputOfScript(part.script, this.outputOf)
  }

  /** A text that the shell evaluates as arithmetic. */
  protected evaluates(arg: Arg, text = arg.text): void {
    this.walk.facts.evaluated.push({ text, arg })
  }

  /** The place one level deeper. Throws {@link BudgetExceeded} where that is too deep. */
  protected deeper(context: WalkContext): WalkContext {
    this.walk.budget.spend()
    if (context.depth > MAX_DEPTH) throw new BudgetExceeded('the command is nested too deeply')
    return { ...context, depth: context.depth + 1 }
  }

  protected part(part: WordPart, context: WalkContext): void {
    const inner = this.deeper(context)
    this.bashOnly(context, part, BASH_ONLY[part.type])
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return
      case 'SimpleExpansion':
        return void this.walk.facts.expanded.add(part.text.slice(1))
      case 'ParameterExpansion':
        this.walk.facts.expanded.add(part.parameter)
        return this.#parameter(part, inner)
      case 'CommandExpansion':
        return this.#substitution(part, inner)
      case 'ProcessSubstitution':
        return this.#substitution(part, part.operator === '>' ? unknownInput(inner) : inner)
      case 'ArithmeticExpansion':
        return this.#arithmeticExpansion(part, inner)
      default:
        return this.#nested(part, inner)
    }
  }

  /** Walks a part that consists of parts. */
  #nested(part: NestedPart, context: WalkContext): void {
    switch (part.type) {
      case 'LocaleString':
      case 'DoubleQuoted':
      case 'Glob':
      case 'ExtendedGlob':
      case 'BraceExpansion':
        for (const child of part.parts ?? []) this.part(child, context)
        return
      default:
        throw unknownKind(part)
    }
  }

  #arithmeticExpansion(part: PartOf<'ArithmeticExpansion'>, context: WalkContext): void {
    if (part.expression !== undefined) this.arithmetic(part.expression, context)
    else if (/[^\s$()[\]]/.test(part.text)) this.refuse(part.text, 'arithmetic that is not understood')
  }

  #substitution({ script, text }: Pick<CommandExpansionPart, 'script' | 'text'>, context: WalkContext): void {
    if (script === undefined) this.refuse(text, 'a substitution that is not understood')
    else this.script(script, { ...subshell(context), substituted: true })
  }

  #parameter(part: ParameterExpansionPart, context: WalkContext): void {
    if (part.index !== undefined) {
      const index = this.word(part.index, context)
      if (!/^[@*]$/.test(part.index.text)) this.evaluates(index, part.text)
    }
    if (part.prefix === '!' && part.operation?.type !== 'Names' && !/^[@*]$/.test(part.index?.text ?? ''))
      this.walk.facts.indirect.push({ text: part.text, variable: part.parameter })
    if (part.operation !== undefined) this.#operation(part.operation, part, context)
  }

  #operation(operation: Operation, part: ParameterExpansionPart, context: WalkContext): void {
    switch (operation.type) {
      case 'Names':
        return
      case 'Default': {
        const operand = this.word(operation.operand, context)
        if (operation.operator.endsWith('=')) this.setsVariable(part.parameter, part.text, operand, context)
        return
      }
      case 'Remove':
      case 'CaseModification':
        if (operation.operand !== undefined) this.word(operation.operand, context)
        return
      case 'Replace':
        for (const word of [operation.pattern, operation.replacement]) this.word(word, context)
        return
      case 'Slice':
        for (const word of [operation.offset, operation.length])
          if (word !== undefined) this.evaluates(this.word(word, context), part.text)
        return
      case 'Transform':
        this.word(operation.operand, context)
        if (!/^[QEAaUuLKk]$/.test(operation.operand.text))
          this.refuse(part.text, 'expands the text of a variable as a prompt')
        return
      case 'Unknown':
        return this.refuse(part.text, 'a parameter expansion that is not known')
      default:
        throw unknownKind(operation)
    }
  }

  protected arithmetic(node: ArithmeticExpression, context: WalkContext): void {
    const inner = this.deeper(context)
    switch (node.type) {
      case 'ArithmeticBinary':
        return this.#binary(node, context, inner)
      case 'ArithmeticUnary':
        if (node.operator === '++' || node.operator === '--') this.#assigned(node.operand, context)
        return this.arithmetic(node.operand, inner)
      case 'ArithmeticTernary':
        return [node.test, node.consequent, node.alternate].forEach((part) => this.arithmetic(part, inner))
      case 'ArithmeticGroup':
        return this.arithmetic(node.expression, inner)
      case 'ArithmeticWord':
        return this.#arithmeticWord(node, inner)
      case 'ArithmeticCommandExpansion':
        this.evaluates(wordOf(node.text, [{ token: HOLE, source: 'command', output: this.#outputOfExpansion(node) }]))
        return this.#substitution(node, inner)
      default:
        throw unknownKind(node)
    }
  }

  #binary(node: ArithmeticOf<'ArithmeticBinary'>, context: WalkContext, inner: WalkContext): void {
    if (/^(?:[-+*/%&^|]|<<|>>)?=$/.test(node.operator)) this.#assigned(node.left, context)
    // A name that is only set is not evaluated.
    if (node.operator !== '=' || node.left.type !== 'ArithmeticWord' || !/^[A-Za-z_]\w*$/.test(node.left.value))
      this.arithmetic(node.left, inner)
    this.arithmetic(node.right, inner)
  }

  #arithmeticWord({ parts, value }: ArithmeticOf<'ArithmeticWord'>, context: WalkContext): void {
    for (const part of parts ?? []) this.part(part, context)
    if (/^[A-Za-z_]\w*$/.test(value)) this.walk.facts.expanded.add(value)
    this.evaluates(parts === undefined ? staticArg(value) : evaluateQuoted(parts, value, this.outputOf), value)
  }

  #outputOfExpansion({ script }: ArithmeticOf<'ArithmeticCommandExpansion'>): Output | undefined {
    return script === undefined ? undefined : outputOfScript(script, this.outputOf)
  }

  #assigned(target: ArithmeticExpression, context: WalkContext): void {
    const name = target.type === 'ArithmeticWord' ? /^[A-Za-z_]\w*/.exec(target.value)?.[0] : undefined
    if (name !== undefined)
      this.setsVariable(name, context.source.slice(target.pos, target.end) || name, NUMBER, context)
  }

  /** Variables set by syntax count as assignments, so that a loop cannot set what a prefix may not. */
  protected setsVariable(name: string, text: string, value: Arg, { shell }: WalkContext): void {
    assign(this.walk.facts, name, value)
    recordVariable(shell, text, name)
    this.walk.units.push({ kind: 'sets', text, name, value })
  }

  protected test(node: TestExpression, context: WalkContext): void {
    const inner = this.deeper(context)
    switch (node.type) {
      case 'TestUnary': {
        const operand = this.word(node.operand, inner)
        if (/^-[vR]$/.test(node.operator)) this.walk.facts.names.push({ text: node.operand.text, arg: operand })
        return
      }
      case 'TestBinary':
        for (const side of [node.left, node.right]) {
          const arg = this.word(side, inner)
          if (NUMERIC_TESTS.has(node.operator)) this.evaluates(arg)
        }
        return
      case 'TestLogical':
        return node.operands.forEach((operand) => this.test(operand, inner))
      case 'TestNot':
        return this.test(node.operand, inner)
      case 'TestGroup':
        return this.test(node.expression, inner)
      default:
        throw unknownKind(node)
    }
  }
}
