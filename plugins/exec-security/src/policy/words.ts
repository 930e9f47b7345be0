// Evaluates words without running anything: the exact value where it is static, a shape with holes where it is not.
import type { ParameterExpansionPart, Word, WordPart } from './parse.js'

/** Stands in a shape for a piece that is only known when the command runs. */
export const HOLE = '\u0000'

/** Where the unknown pieces of a word come from. */
export type Unknown = 'variable' | 'command' | 'glob' | 'brace' | 'arithmetic' | 'process' | 'input'

/** One word of a command, evaluated as far as that is possible without running it. */
export interface Arg {
  /** The source text. */
  readonly text: string
  /** The exact value, when every piece of the word is static. */
  readonly value: string | undefined
  /** The value with {@link HOLE} for each unknown piece. */
  readonly shape: string
  readonly unknown: readonly Unknown[]
  /** The variables that the word expands by name alone. */
  readonly variables: readonly string[]
  /** What `${name:-text}` and its like put in place of a variable. */
  readonly defaults?: readonly string[]
  /** Whether the word may become none or several words. */
  readonly splits: boolean
}

/** A word of known value, such as one produced by a wrapper. */
export function staticArg(value: string, text = value): Arg {
  return { text, value, shape: value, unknown: [], variables: [], splits: false }
}

/** Words that come from standard input or from file names found at run time. */
export function inputArg(text: string, shape = HOLE, splits = true): Arg {
  return { text, value: undefined, shape, unknown: ['input'], variables: [], splits }
}

/** Evaluates one word. */
export function evaluateWord(word: Word): Arg {
  const state = new Evaluation()
  if (word.parts === undefined) state.literal(word.text)
  else for (const part of word.parts) state.part(part, false)
  return state.finish(word.text)
}

/** Evaluates parts that stand in double quotes or in a here-document. */
export function evaluateQuoted(parts: readonly WordPart[], text: string): Arg {
  const state = new Evaluation()
  for (const part of parts) state.part(part, true)
  return state.finish(text)
}

class Evaluation {
  #shape = ''
  #unknown: Unknown[] = []
  #variables: string[] = []
  #defaults: string[] = []
  #splits = false

  finish(text: string): Arg {
    const known = this.#unknown.length === 0
    return {
      text,
      value: known ? this.#shape : undefined,
      shape: this.#shape,
      unknown: this.#unknown,
      variables: this.#variables,
      ...(this.#defaults.length === 0 ? {} : { defaults: this.#defaults }),
      splits: this.#splits
    }
  }

  literal(raw: string): void {
    const value = unescapeUnquoted(raw)
    if (value === undefined) this.#hole('glob', true)
    else this.#shape += value
  }

  part(part: WordPart, quoted: boolean): void {
    switch (part.type) {
      case 'Literal':
        if (quoted) this.#shape += part.value
        else this.literal(part.text)
        return
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        this.#shape += part.value
        return
      case 'DoubleQuoted':
        for (const child of part.parts) this.part(child, true)
        return
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
      case 'CommandExpansion':
        this.#hole('command', !quoted)
        return
      case 'ArithmeticExpansion':
        this.#hole('arithmetic', false)
        return
      case 'ProcessSubstitution':
        this.#hole('process', false)
        return
      case 'BraceExpansion':
        this.#hole('brace', true)
        return
      case 'Glob':
      case 'ExtendedGlob':
        this.#hole('glob', true)
        return
      default:
        // An unknown kind of part must never count as static.
        part satisfies never
        this.#hole('command', true)
    }
  }

  /** Only a variable by name, or with a text in its place that stands there to be read, is more than computed. */
  #parameter(part: ParameterExpansionPart): Unknown {
    if (part.prefix === '#') return 'variable'
    if (part.prefix !== undefined || part.index !== undefined) return 'command'
    if (part.operation !== undefined) {
      if (part.operation.type !== 'Default') return 'command'
      const { value } = evaluateWord(part.operation.operand)
      if (value === undefined) return 'command'
      this.#defaults.push(value)
    }
    this.#variables.push(part.parameter)
    return 'variable'
  }

  #hole(kind: Unknown, splits: boolean): void {
    this.#shape += HOLE
    this.#unknown.push(kind)
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

/** Whether a static word begins with an unquoted tilde, which becomes a directory. */
export function hasTilde(arg: Arg): boolean {
  return arg.text.startsWith('~')
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
