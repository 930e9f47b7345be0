import type { CommandExpansionPart } from './parse.js'

/** A piece that is only known when the command runs: any text at all. */
export const HOLE = '\u0000'
/** In a pattern, what `*` may become: any text without a slash. */
export const STAR = '\u0001'
/** In a pattern, one character that is not a slash. */
export const ONE = '\u0002'

/** Before the name of a variable: its value in the environment, although the text sets it as well. */
export const GIVEN = '='

/** The source of a computed piece of a word. `trim` is a part of a variable. */
export type Source = 'variable' | 'command' | 'glob' | 'brace' | 'arithmetic' | 'process' | 'input' | 'trim'

/** The known output of a command: numbers, a text, or anything. */
export type Output =
  | { readonly kind: 'numeric' }
  | { readonly kind: 'text'; readonly text: string }
  /**
   * `names`: patterns of names that it may be made of. They can be a reason to refuse, and never one to allow.
   * `keysOf`: the array of which it is all keys, `${!array[@]}`.
   * `elementOf`: the array of which it is a value, or `!name` for a variable that another one names.
   */
  | {
      readonly kind: 'unknown'
      readonly names?: readonly string[]
      readonly keysOf?: string
      readonly elementOf?: string
    }

const UNKNOWN: Output = { kind: 'unknown' }

/** Returns the output of a substitution, as far as it is known. */
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
  /** The known outputs of the commands in the word, in order. */
  readonly outputs: readonly Output[]
  /** The text that `${name:-text}` and the like put in place of each variable. */
  readonly fallbacks: readonly (string | undefined)[]
  /** Whether the word may become none or several words. */
  readonly splits: boolean
  /** The words that its brace lists make, where it has any. */
  readonly choices?: readonly Arg[] | undefined
}

/** One piece of a word: literal text, or a placeholder for computed text. */
export interface Piece {
  /** The text, or all that it may become. */
  readonly token: string
  /** Where it comes from, unless it is written out. */
  readonly source?: Source | undefined
  readonly variable?: string | undefined
  /** The text that replaces the variable if it has no value. */
  readonly fallback?: string | undefined
  readonly output?: Output | undefined
}

/** A word of pieces. */
export function wordOf(text: string, pieces: readonly Piece[], splits = false): Arg {
  const sources = pieces.flatMap(({ source = [] }) => source)
  const shape = pieces.map(({ token, source }) => (source === undefined ? token : HOLE)).join('')
  const variables = pieces.filter(({ variable }) => variable !== undefined)
  return {
    text,
    value: sources.length === 0 ? shape : undefined,
    shape,
    pattern: pieces.map(({ token }) => token).join(''),
    sources,
    variables: variables.map(({ variable = '' }) => variable),
    fallbacks: variables.map(({ fallback }) => fallback),
    outputs: pieces.flatMap(({ output = [] }) => output),
    splits,
  }
}

/** Returns the pieces of a word, unless they cannot be distinguished any more. */
export function piecesOf(arg: Arg): readonly Piece[] | undefined {
  // A shape and its pattern have one character each for every piece, but for a word that is a single one.
  if (arg.shape.length !== arg.pattern.length && arg.shape !== HOLE) return undefined
  const [sources, outputs] = [[...arg.sources], [...arg.outputs]]
  let at = 0
  return [...arg.shape.matchAll(/\0|[^\0]+/g)].map(({ 0: token, index }) => {
    if (token !== HOLE) return { token }
    const source = sources.shift() ?? 'command'
    const piece = { token: arg.shape === HOLE ? arg.pattern : arg.pattern.charAt(index), source }
    if (source === 'command') return { ...piece, output: outputs.shift() ?? UNKNOWN }
    return source === 'variable' || source === 'trim'
      ? { ...piece, variable: arg.variables[at] ?? '', fallback: arg.fallbacks[at++] }
      : piece
  })
}

/** The pieces of a pattern. */
export function patternPieces(pattern: string, source: Source = 'glob'): readonly Piece[] {
  return (pattern.match(/[\0-\u0002]|[^\0-\u0002]+/g) ?? []).map((token) =>
    token === HOLE || token === STAR || token === ONE ? { token, source } : { token },
  )
}

/** A word of known value, such as one produced by a wrapper. */
export function staticArg(value: string, text = value): Arg {
  return {
    text,
    value,
    shape: value,
    pattern: value,
    sources: [],
    variables: [],
    fallbacks: [],
    outputs: [],
    splits: false,
  }
}

/** Words that come from standard input or from file names found at run time. */
export function inputArg(text: string): Arg {
  return wordOf(text, [{ token: HOLE, source: 'input' }], true)
}

/** A word that is one of the file names of a pattern. */
export function fileArg(text: string, pattern: string): Arg {
  if (!/[\0-\u0002]/.test(pattern)) return staticArg(pattern)
  // A tilde was expanded where the names were found.
  return wordOf(pattern.startsWith('~') ? pattern : text, [{ token: pattern, source: 'glob' }])
}

/** A word that text of a run may become, besides anything else. It is judged, and not shown. */
export function likelyName(pattern: string): Arg {
  return { ...fileArg('', pattern), text: '' }
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
  return {
    ...arg,
    text: shape.replaceAll(HOLE, '…'),
    shape,
    pattern,
    value: arg.value === undefined ? undefined : shape,
  }
}

/** The shape of a word with an ellipsis for each unknown piece. */
export function displayShape(arg: Arg): string {
  return arg.shape.replaceAll(HOLE, '…')
}

/** Writes source text on one line, so that every other text gives another line. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[⏎⇥]/g, '‹$&›').replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}

/** Writes a word so that a shell reads back the same value, on one line. */
export function quoteWord(arg: Arg): string {
  if (arg.value === undefined || hasTilde(arg)) return inOneLine(arg.text)
  const value = arg.value
  if (/^[\w@%+=:,./^{}-]+$/.test(value)) return value
  if (/[\n\t\r]/.test(value)) {
    const escaped = value
      .replaceAll(/[\\']/g, '\\$&')
      .replaceAll('\n', '\\n')
      .replaceAll('\t', '\\t')
      .replaceAll('\r', '\\r')
    return `$'${escaped}'`
  }
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** Whether a word that begins with something unknown may turn out to be an option. */
export function mayBeOption(arg: Arg): boolean {
  const [output] = arg.outputs
  if (arg.shape === HOLE && (arg.sources[0] === 'arithmetic' || output?.kind === 'numeric')) return false
  if (arg.shape === HOLE && arg.pattern.startsWith('-')) return true
  return (
    startsWild(arg.pattern) &&
    !(arg.sources[0] === 'variable' && /^(?:HOME|PWD|TMPDIR|OLDPWD|USER|LOGNAME)$/.test(arg.variables[0] ?? '')) &&
    arg.sources[0] !== 'process'
  )
}

function startsWild(pattern: string): boolean {
  const [first] = pattern
  return first === HOLE || first === STAR || first === ONE
}
