// Evaluates the words of a syntax tree as far as that is possible without running anything.
import { bracedWords, type BracedWord } from './brace-words.js'
import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from './parse.js'
import { HOLE, ONE, STAR, wordOf, type Arg, type Output, type OutputOf, type Piece } from './words.js'

const UNKNOWN: Output = { kind: 'unknown' }
/** A piece that is only known when the command runs. */
const COMPUTED = { source: 'command', output: UNKNOWN } as const

/** Evaluates one word. */
export function evaluateWord(word: Word, outputOf: OutputOf = () => UNKNOWN): Arg {
  const choices = word.text.includes('{') ? choicesOf(word, outputOf) : undefined
  if (choices !== undefined && hasUnseenList(word))
    return { ...wordOf(word.text, [{ token: HOLE, source: 'brace' }], true), ...choices }
  const state = new Evaluation(outputOf)
  if (word.parts === undefined) state.literal(word.text)
  else for (const part of word.parts) state.part(part, false)
  return { ...state.finish(word.text), ...choices }
}

/** Text in which a brace list is all that the shell acts on. */
const PLAIN = /^(?:[^\\*?[\]"'`$]|\\[^])*$/

/** Returns the words that brace lists make of one, as far as that is known, or undefined where there is no list. */
function choicesOf({ parts, text }: Word, outputOf: OutputOf): Pick<Arg, 'choices'> | undefined {
  const raw = parts?.filter(({ type }) => type === 'Literal') ?? [{ text }]
  if (raw.some((part) => part.text.includes('{') && !PLAIN.test(part.text))) return {}
  const words = bracedWords<Piece>(
    parts?.map((part) => {
      if (/^(?:Literal|BraceExpansion)$/.test(part.type) && PLAIN.test(part.text)) return { raw: part.text }
      const state = new Evaluation(outputOf)
      state.part(part, false)
      return { text: part.text, pieces: state.pieces }
    }) ?? [{ raw: text }],
  )
  return words === 'unknown' ? {} : words && { choices: words.map(wordOfList) }
}

function wordOfList({ text, pieces }: BracedWord<Piece>): Arg {
  const all = pieces
    .filter((piece) => piece !== '')
    .map((piece) => (typeof piece === 'string' ? { token: piece } : piece))
  // Two stars may match folders below folders.
  const joined = all.map((piece, i) =>
    piece.token === STAR && all[i - 1]?.token === STAR ? { ...piece, token: HOLE } : piece,
  )
  return wordOf(
    text,
    joined,
    joined.some(({ source }) => source !== undefined),
  )
}

/** Returns whether there is a brace list other than those that the parser has found. */
function hasUnseenList({ parts, text }: Word): boolean {
  const others = parts?.map((part) => (part.type === 'Literal' ? { raw: part.text } : { text: part.text, pieces: [] }))
  return (
    bracedWords(others ?? [{ raw: text }]) !== undefined ||
    parts?.some(({ type }) => type === 'BraceExpansion') !== true
  )
}

/** Evaluates parts in double quotes or in a here-document. */
export function evaluateQuoted(parts: readonly WordPart[], text: string, outputOf: OutputOf): Arg {
  const state = new Evaluation(outputOf)
  for (const part of parts) state.part(part, true)
  return state.finish(text)
}

class Evaluation {
  readonly #outputOf: OutputOf
  readonly pieces: Piece[] = []
  #splits = false

  constructor(outputOf: OutputOf) {
    this.#outputOf = outputOf
  }

  finish(text: string): Arg {
    return wordOf(text, this.pieces, this.#splits)
  }

  literal(raw: string): void {
    const value = unescapeUnquoted(raw)
    if (value === undefined) this.hole({ source: 'glob' }, true)
    else this.text(value)
  }

  part(part: WordPart, quoted: boolean): void {
    // An unknown kind of part must never count as static.
    if (!Object.hasOwn(EVALUATORS, part.type)) return this.hole(COMPUTED, true)
    const evaluate = EVALUATORS[part.type] as (state: Evaluation, part: WordPart, quoted: boolean) => void
    evaluate(this, part, quoted)
  }

  substitution(part: CommandExpansionPart, quoted: boolean): void {
    const output = this.#outputOf(part)
    this.hole({ source: 'command', output }, !quoted && output.kind !== 'numeric')
  }

  glob(part: PartOf<'Glob'>): void {
    // With globstar, `**` also matches folders below folders.
    const star = this.pieces.at(-1)?.token === STAR ? HOLE : STAR
    const other = part.kind !== 'question' && part.text.includes('/') ? HOLE : ONE
    this.hole({ source: 'glob', token: part.kind === 'star' ? star : other }, true)
  }

  text(token: string): void {
    // bash ends a text at a NUL, and the other two mean something here.
    if (/[\0-\u0002]/.test(token)) this.hole(COMPUTED, false)
    else this.pieces.push({ token })
  }

  hole(piece: Omit<Piece, 'token'> & Partial<Piece>, splits: boolean): void {
    this.pieces.push({ token: HOLE, ...piece })
    this.#splits ||= splits
  }
}

/** Distinguishes a variable by name, with or without a literal default, from any other expansion. */
function parameterPiece({ prefix, index, operation, parameter }: ParameterExpansionPart): Omit<Piece, 'token'> {
  if (prefix === '#') return { source: 'arithmetic' }
  if (prefix === '!' && operation === undefined && /^[@*]$/.test(index?.text ?? ''))
    return { source: 'command', output: { kind: 'unknown', keysOf: parameter } }
  if (prefix === '!' && operation === undefined) return elementPiece(`!${parameter}`)
  if (prefix !== undefined) return COMPUTED
  if (index !== undefined) return elementPiece(elementName(parameter, index.text))
  if (operation === undefined) return { source: 'variable', variable: parameter }
  if (operation.type === 'Remove') return { source: 'trim', variable: parameter }
  const fallback = operation.type === 'Default' ? evaluateWord(operation.operand).value : undefined
  return fallback === undefined ? COMPUTED : { source: 'variable', variable: parameter, fallback }
}

const elementPiece = (elementOf: string): Omit<Piece, 'token'> => ({
  source: 'command',
  output: { kind: 'unknown', elementOf },
})

/** Returns the name of an element whose subscript is written out, else that of its array. */
const elementName = (array: string, index: string): string => (/^\w+$/.test(index) ? `${array}[${index}]` : array)

type PartOf<K extends WordPart['type']> = Extract<WordPart, { type: K }>
type Evaluators = {
  readonly [K in WordPart['type']]: (state: Evaluation, part: PartOf<K>, quoted: boolean) => void
}

const evaluateQuotedParts = (state: Evaluation, { parts }: PartOf<'DoubleQuoted' | 'LocaleString'>): void => {
  for (const part of parts) state.part(part, true)
}

/** Evaluates each kind of part of a word. */
const EVALUATORS: Evaluators = {
  Literal: (state, part, quoted) => (quoted ? state.text(part.value) : state.literal(part.text)),
  SingleQuoted: (state, part) => state.text(part.value),
  AnsiCQuoted: (state, part) => state.text(part.value),
  DoubleQuoted: evaluateQuotedParts,
  LocaleString: evaluateQuotedParts,
  SimpleExpansion: (state, { text }, quoted) =>
    state.hole({ source: 'variable', variable: text.slice(1) }, !quoted || text === '$@'),
  ParameterExpansion: (state, part, quoted) => state.hole(parameterPiece(part), !quoted || part.text.includes('@')),
  CommandExpansion: (state, part, quoted) => state.substitution(part, quoted),
  ArithmeticExpansion: (state) => state.hole({ source: 'arithmetic' }, false),
  ProcessSubstitution: (state) => state.hole({ source: 'process' }, false),
  BraceExpansion: (state, { text }) => {
    const isRange = /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(text)
    state.hole(isRange ? { source: 'arithmetic', token: STAR } : { source: 'brace' }, true)
  },
  Glob: (state, part) => state.glob(part),
  ExtendedGlob: (state, { text }) => state.hole({ source: 'glob', token: /[./]/.test(text) ? HOLE : STAR }, true),
}

/** Removes backslashes of unquoted text. Returns undefined if a character is left that the shell would act on. */
function unescapeUnquoted(raw: string): string | undefined {
  if (!/^(?:[^\\`"'*?]|\\[^])*\\?$/.test(raw)) return undefined
  // A backslash before the end of a line goes with it, and one at the end of all stays.
  return raw.replaceAll(/\\([^]|$)/g, (_, char: string) => {
    if (char === '\n') return ''
    return char === '' ? '\\' : char
  })
}
