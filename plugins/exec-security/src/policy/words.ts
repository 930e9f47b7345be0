// Evaluates words without running anything: the exact value where it is static, else the set of texts it may become and where they come from.
import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from './parse.js'

/** Stands for a piece that is only known when the command runs: any text at all. */
export const HOLE = '\u0000'
/** Stands, in a pattern, for what `*` may become: any text without a slash. */
export const STAR = '\u0001'
/** Stands, in a pattern, for one character that is no slash. */
export const ONE = '\u0002'

/** Where a piece of a word comes from that is not written out; `trim` is a part of a variable. */
export type Source = 'variable' | 'command' | 'glob' | 'brace' | 'arithmetic' | 'process' | 'input' | 'trim'

/** What a command is known to write: numbers, names of files, a text, or anything. */
export type Output =
  | { readonly kind: 'numeric' | 'unknown' }
  /** `single`: one word, without blanks. */
  | { readonly kind: 'paths'; readonly patterns: readonly string[]; readonly single?: true }
  | { readonly kind: 'text'; readonly text: string }

/** Tells what a substitution will be replaced with, as far as that is known. */
export type OutputOf = (part: CommandExpansionPart) => Output

/** One word of a command, evaluated as far as that is possible without running it. */
export interface Arg {
  /** The source text. */
  readonly text: string
  /** The exact value, when every piece of the word is static. */
  readonly value: string | undefined
  /** The value with {@link HOLE} for each unknown piece. */
  readonly shape: string
  /** The texts that the word may become: {@link HOLE}, {@link STAR} and {@link ONE} for what is not written out. */
  readonly pattern: string
  /** Where each piece comes from that is not written out. */
  readonly sources: readonly Source[]
  /** The variables that the word expands by name alone. */
  readonly variables: readonly string[]
  /** What the commands in the word are known to write, in order. */
  readonly outputs: readonly Output[]
  /** What `${name:-text}` and its like put in place of a variable. */
  readonly defaults?: readonly string[]
  /** Whether the word may become none or several words. */
  readonly splits: boolean
}

/** A word of known value, such as one produced by a wrapper. */
export function staticArg(value: string, text = value): Arg {
  return { text, value, shape: value, pattern: value, sources: [], variables: [], outputs: [], splits: false }
}

/** Words that come from standard input or from file names found at run time. */
export function inputArg(text: string, shape = HOLE, splits = true): Arg {
  return { text, value: undefined, shape, pattern: shape, sources: ['input'], variables: [], outputs: [], splits }
}

/** A word that is one of the file names of a pattern. */
export function fileArg(text: string, pattern: string): Arg {
  // eslint-disable-next-line no-control-regex
  if (!/[\0-\u0002]/.test(pattern)) return staticArg(pattern)
  // A tilde was expanded where the names were found.
  return { text: pattern.startsWith('~') ? pattern : text, value: undefined, shape: HOLE, pattern, sources: ['glob'], variables: [], outputs: [], splits: false }
}

/** Evaluates one word. */
export function evaluateWord(word: Word, outputOf: OutputOf = () => ({ kind: 'unknown' })): Arg {
  const state = new Evaluation(outputOf)
  if (word.parts === undefined) state.literal(word.text)
  else for (const part of word.parts) state.part(part, false)
  return state.finish(word.text)
}

/** Evaluates parts that stand in double quotes or in a here-document. */
export function evaluateQuoted(parts: readonly WordPart[], text: string, outputOf: OutputOf = () => ({ kind: 'unknown' })): Arg {
  const state = new Evaluation(outputOf)
  for (const part of parts) state.part(part, true)
  return state.finish(text)
}

class Evaluation {
  readonly #outputOf: OutputOf
  #shape = ''
  #pattern = ''
  #sources: Source[] = []
  #variables: string[] = []
  #outputs: Output[] = []
  #defaults: string[] = []
  #splits = false

  constructor(outputOf: OutputOf) {
    this.#outputOf = outputOf
  }

  finish(text: string): Arg {
    return {
      text,
      value: this.#sources.length === 0 ? this.#shape : undefined,
      shape: this.#shape,
      pattern: this.#pattern,
      sources: this.#sources,
      variables: this.#variables,
      outputs: this.#outputs,
      ...(this.#defaults.length === 0 ? {} : { defaults: this.#defaults }),
      splits: this.#splits,
    }
  }

  literal(raw: string): void {
    const value = unescapeUnquoted(raw)
    if (value === undefined) this.#hole('glob', true)
    else this.#text(value)
  }

  part(part: WordPart, quoted: boolean): void {
    switch (part.type) {
      case 'Literal':
        if (quoted) this.#text(part.value)
        else this.literal(part.text)
        return
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        this.#text(part.value)
        return
      case 'DoubleQuoted':
      case 'LocaleString':
        for (const child of part.parts) this.part(child, true)
        return
      case 'SimpleExpansion':
        this.#variables.push(part.text.slice(1))
        this.#hole('variable', !quoted || part.text === '$@')
        return
      case 'ParameterExpansion':
        this.#hole(this.#parameter(part), !quoted || /[@]/.test(part.text))
        return
      case 'CommandExpansion': {
        const output = this.#outputOf(part)
        this.#outputs.push(output)
        this.#hole('command', !quoted && output.kind !== 'numeric' && !(output.kind === 'paths' && output.single === true))
        return
      }
      case 'ArithmeticExpansion':
        this.#hole('arithmetic', false)
        return
      case 'ProcessSubstitution':
        this.#hole('process', false)
        return
      case 'BraceExpansion':
        if (/^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(part.text)) this.#hole('arithmetic', true, STAR)
        else this.#hole('brace', true)
        return
      case 'Glob':
        // With globstar `**` also stands for folders below folders.
        this.#hole('glob', true, part.kind === 'star' ? (this.#pattern.endsWith(STAR) ? HOLE : STAR) : part.kind === 'question' ? ONE : part.text.includes('/') ? HOLE : ONE)
        return
      case 'ExtendedGlob':
        this.#hole('glob', true, /[./]/.test(part.text) ? HOLE : STAR)
        return
      default:
        // An unknown kind of part must never count as static.
        part satisfies never
        this.#hole('command', true)
    }
  }

  /** Only a variable by name, or with a text in its place that stands there to be read, is more than computed. */
  #parameter(part: ParameterExpansionPart): Source {
    if (part.prefix === '#') return 'arithmetic'
    if (part.prefix !== undefined || part.index !== undefined) return this.#computed()
    if (part.operation !== undefined) {
      if (part.operation.type === 'Remove') {
        this.#variables.push(part.parameter)
        return 'trim'
      }
      if (part.operation.type !== 'Default') return this.#computed()
      const { value } = evaluateWord(part.operation.operand)
      if (value === undefined) return this.#computed()
      this.#defaults.push(value)
    }
    this.#variables.push(part.parameter)
    return 'variable'
  }

  #computed(): Source {
    this.#outputs.push({ kind: 'unknown' })
    return 'command'
  }

  #text(text: string): void {
    // bash ends a text at a NUL, and the other two mean something here.
    if (/[\0-\u0002]/.test(text)) return this.#hole('command', false)
    this.#shape += text
    this.#pattern += text
  }

  #hole(source: Source, splits: boolean, pattern = HOLE): void {
    this.#shape += HOLE
    this.#pattern += pattern
    this.#sources.push(source)
    this.#splits ||= splits
  }
}

/** Removes backslashes of unquoted text; undefined where a character is left that the shell would act on. */
function unescapeUnquoted(raw: string): string | undefined {
  if (!/[\\$`"'*?{}]/.test(raw)) return raw
  let value = ''
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i] ?? ''
    if (char === '\\') {
      const next = raw[i + 1]
      if (next === undefined) value += '\\'
      else if (next !== '\n') value += next
      i++
    } else if ('`"\'*?'.includes(char)) {
      return undefined
    } else {
      value += char
    }
  }
  return value
}

/** Whether a word begins with an unquoted tilde, which becomes a directory. */
export function hasTilde(arg: Arg): boolean {
  return arg.text.startsWith('~')
}

/** The end of a word from a position of its shape on, such as the value attached to an option. */
export function cutArg(arg: Arg, from: number): Arg {
  const shape = arg.shape.slice(from)
  // A shape and its pattern have one character each for every piece.
  const pattern = arg.pattern.length === arg.shape.length ? arg.pattern.slice(from) : shape
  return { ...arg, text: shape.replaceAll(HOLE, '…'), shape, pattern, value: arg.value === undefined ? undefined : shape }
}

/** The shape of a word with an ellipsis for each unknown piece. */
export function displayShape(arg: Arg): string {
  return arg.shape.replaceAll(HOLE, '…')
}

/** Writes a word so that a shell reads back the same value, on one line. */
export function quoteWord(arg: Arg): string {
  if (arg.value === undefined || hasTilde(arg)) return arg.text.replaceAll(/\s+/g, ' ')
  const value = arg.value
  if (/^[\w@%+=:,./^{}-]+$/.test(value)) return value
  if (/[\n\t\r]/.test(value)) {
    const escaped = value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
    return `$'${escaped}'`
  }
  return `'${value.replaceAll("'", "'\\''")}'`
}
