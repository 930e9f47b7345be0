import { bracedTexts } from './brace-lists.js'
import type { Budget } from './budget.js'
import { WILD, globPattern } from './patterns.js'
import type { ScriptFacts } from './walk-types.js'
import {
  GIVEN,
  HOLE,
  likelyName,
  STAR,
  hasTilde,
  patternPieces,
  piecesOf,
  staticArg,
  wordOf,
  type Arg,
  type Output,
  type Piece,
} from './words.js'
import { anyOf } from './any-of.js'

const MAX_VALUES = 32
const MAX_VARIANTS = 64

/** A variable of a word, with the text that replaces it if it has no value. */
interface Slot {
  readonly name: string
  readonly fallback: string | undefined
}

/** Returns the words of a command for every combination of values of its variables. The budget limits their number. */
export function variantsOf(words: readonly Arg[], facts: ScriptFacts, budget: Budget): readonly (readonly Arg[])[] {
  const known =
    facts.definesFunction || facts.definesAlias
      ? words
      : words.flatMap((word, i) => (i === 0 ? [word] : [...split(withOutputs(word)), ...likelyNames(word)]))
  let variants: readonly (readonly Arg[])[] = [expandBraces(known)]
  budget.spend(known.length + 1)
  const slotsOf = ({ variables, fallbacks }: Arg): Slot[] =>
    variables
      .map((name, i) => ({ name, fallback: fallbacks[i] }))
      .filter(({ name, fallback }) => fallback !== undefined || facts.assigned.has(name))
  const keyed = (all: readonly Arg[]): (readonly [string, Slot])[] =>
    all
      .slice(1)
      .flatMap(slotsOf)
      .map((slot) => [`${slot.name}:${slot.fallback ?? ''}`, slot])
  const slots = new Map(variants.flatMap(keyed))
  // The value of a variable may hold others, which come next.
  for (const slot of slots.values()) {
    const holds = (word: Arg): boolean =>
      slotsOf(word).some(({ name, fallback }) => name === slot.name && fallback === slot.fallback)
    const filled = (all: readonly Arg[], value: Arg | undefined): readonly Arg[] =>
      all.flatMap((word, i) => (i > 0 && holds(word) ? split(fill(word, slot, value)) : [word]))
    const values = choicesOf(slot, facts, budget)
    budget.spend(Math.min(variants.length * values.length, MAX_VARIANTS) * (known.length + 1))
    if (variants.length * values.length > MAX_VARIANTS) {
      // Too many to look at one by one: each value of each variable is, the others may be anything.
      variants = [...variants.slice(0, 1), ...values.map((value) => filled(variants[0] ?? words, value))].map(
        (variant) => variant.map((word) => (holds(word) ? computed(word) : word)),
      )
    } else {
      variants = values.flatMap((value) => variants.map((variant) => filled(variant, value)))
    }
    for (const [key, other] of variants.flatMap(keyed)) slots.set(key, slots.get(key) ?? other)
  }
  // A variable that is left names itself or an earlier one.
  return variants.map((variant) =>
    variant.map((word, i) => (i > 0 && slotsOf(word).length > 0 ? computed(word) : word)),
  )
}

/**
 * Returns the words of a command with what its arrays may hold, and variables whose value is only guessed. These words
 * can be a reason to refuse, and never one to allow.
 */
export function guessesOf(words: readonly Arg[], facts: ScriptFacts, budget: Budget): readonly (readonly Arg[])[] {
  if (facts.guessed.size === 0 && facts.indirect.length === 0) return []
  if (words.every(({ variables, outputs }) => variables.length === 0 && !outputs.some(isElement))) return []
  const all = words.flatMap((word, i) => (i === 0 ? [word] : elementsOf(word, facts)))
  return variantsOf(all, withGuesses(facts), budget)
}

const isElement = (output: Output): boolean => output.kind === 'unknown' && output.elementOf !== undefined

/** Returns the elements that a word is replaced by, if it is a whole array. */
function elementsOf(word: Arg, { guessed }: ScriptFacts): readonly Arg[] {
  const [output] = word.outputs
  const name = output?.kind === 'unknown' && word.shape === HOLE ? output.elementOf : undefined
  const elements = /\[[@*]\]/.test(word.text) ? guessed.get(name ?? '') : undefined
  return (elements ?? [word]).map((element) => asVariables(element, guessed))
}

/** Returns a word whose elements of arrays are variables. One of an unknown subscript may be any of its array. */
function asVariables(word: Arg, guessed: ScriptFacts['guessed']): Arg {
  const pieces = word.outputs.some(isElement) ? piecesOf(word) : undefined
  if (pieces === undefined) return word
  const known = pieces.map((piece): Piece => {
    const name = piece.output?.kind === 'unknown' ? piece.output.elementOf : undefined
    if (name === undefined) return piece
    return { token: HOLE, source: 'variable', variable: guessed.has(name) ? name : name.replace(/\[\w+\]$/, '') }
  })
  return wordOf(word.text, known, word.splits)
}

function withGuesses(facts: ScriptFacts): ScriptFacts {
  const assigned = new Map<string, Arg[]>()
  for (const [name, values] of [...facts.assigned, ...facts.guessed]) {
    const guessed = values.map((value) => withOutputs(asVariables(value, facts.guessed)))
    assigned.set(name, [...(assigned.get(name) ?? []), ...guessed])
  }
  for (const { variable } of facts.indirect)
    assigned.set(`!${variable}`, (facts.assigned.get(variable) ?? []).flatMap(namedVariable))
  return { ...facts, assigned, assignsAny: false, definesFunction: false, definesAlias: false }
}

/** Returns the value of the variable that a text names. */
function namedVariable({ value }: Arg): readonly Arg[] {
  const [name = ''] = value?.split('[', 1) ?? []
  return name === '' ? [] : [wordOf(`$${name}`, [{ token: HOLE, source: 'variable', variable: name }])]
}

/** Names that the environment of a command has, or bash itself. */
const PRESENT = anyOf(
  /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL|PWD|OLDPWD|IFS|HOST\w+|MACHTYPE|OSTYPE)$/,
  /^(?:BASH\w*|EUID|UID|PPID|SHLVL|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|COLUMNS|LINES|OPT\w+|PS\d|DIRSTACK)$/,
  /^(?:GROUPS|PIPESTATUS|FUNCNAME|REPLY|MAPFILE|COMP\w+|PAGER|GIT_\w+|\d+|[@*#?$!_-])$/,
)

/** Variables of the environment that hold a folder of known meaning. */
const FOLDERS = /^(?:HOME|PWD|TMPDIR)$/

/** Returns what may replace a variable. Undefined is anything at all. */
function choicesOf({ name, fallback }: Slot, facts: ScriptFacts, budget: Budget): readonly (Arg | undefined)[] {
  // A subshell or another branch may have set it, and this command sees the one of the environment.
  const given =
    FOLDERS.test(name) && !facts.replaced.has(name)
      ? [wordOf(`$${name}`, [{ token: HOLE, source: 'variable', variable: GIVEN + name }])]
      : []
  if (fallback === undefined) return [...valuesOf(name, facts, budget), ...given]
  // A variable that neither the script nor the environment sets is replaced for sure.
  if (facts.assigned.has(name)) return [...valuesOf(name, facts, budget), staticArg(fallback)]
  if (!facts.assignsAny && !PRESENT.test(name)) return [staticArg(fallback)]
  return [wordOf(`$${name}`, [{ token: HOLE, source: 'variable', variable: name }]), staticArg(fallback)]
}

/** The values of a variable, computed once for each number of assignments. */
const distinctOf = new WeakMap<readonly Arg[], { readonly of: number; readonly values: readonly (Arg | undefined)[] }>()

function valuesOf(name: string, facts: ScriptFacts, budget: Budget): readonly (Arg | undefined)[] {
  const values = facts.assigned.get(name) ?? []
  const known = distinctOf.get(values)
  if (known?.of === values.length) return known.values
  const found = findValues(values, facts)
  budget.spend(values.length + found.length)
  distinctOf.set(values, { of: values.length, values: found })
  return found
}

function findValues(values: readonly Arg[], facts: ScriptFacts): readonly (Arg | undefined)[] {
  if (values.length > MAX_VALUES * 4 || facts.assignsAny) return [undefined]
  const all = expandBraces([staticArg(''), ...values]).slice(1)
  const distinct = [...new Map(all.map((value) => [`${value.pattern}\n${value.sources.join()}`, value])).values()]
  return distinct.length === 0 || distinct.length > MAX_VALUES
    ? [...distinct.slice(0, MAX_VALUES), undefined]
    : distinct
}

/** Returns a word with its substitutions replaced by their output, where that is written out. */
function withOutputs(word: Arg): Arg {
  const pieces = word.outputs.some((output) => textOf(output) !== undefined) ? piecesOf(word) : undefined
  if (pieces === undefined) return word
  const filled = wordOf(
    word.text,
    pieces.flatMap((piece) => {
      const text = piece.output === undefined ? undefined : textOf(piece.output)
      return text === undefined ? [piece] : patternPieces(text)
    }),
    word.splits,
  )
  return word.splits ? expandedAgain(filled) : filled
}

/** Returns names that a word of unknown text may be, besides all else. */
function likelyNames({ shape, outputs: [output] }: Arg): readonly Arg[] {
  const names = shape === HOLE && output?.kind === 'unknown' ? (output.names ?? []) : []
  return names.map(likelyName)
}

/** Removes the line breaks that a substitution drops at the end. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 10) end--
  return text.slice(0, end)
}

const textOf = (output: Output): string | undefined =>
  output.kind === 'text' ? withoutLastBreaks(output.text) : undefined

/** Splits an unquoted word at known blanks. Next to an unknown piece, blanks may split it in any way. */
function split(word: Arg): readonly Arg[] {
  if (!word.splits || !/\s/.test(word.shape)) return [word]
  if (word.value === undefined && word.sources.some((source) => source !== 'glob')) return [computed(word)]
  return word.pattern
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .map((piece) => wordOf(piece.replaceAll(WILD, HOLE), patternPieces(piece)))
}

/** A word with a value in place of a variable. Its other pieces stay what they are. */
function fill(word: Arg, slot: Slot, known: Arg | undefined): Arg {
  const isFileName = known?.sources.includes('glob') === true
  // Without quotes, the name of a file is taken to pieces at its blanks, and each piece may be anything.
  if (known === undefined || (word.splits && isFileName)) return computed(word)
  // Without quotes, the value of a variable is a pattern again.
  const value = word.splits ? expandedAgain(known) : known
  const [pieces, given] = [piecesOf(word), piecesOf(value)]
  if (given === undefined || pieces === undefined) return computed(word)
  const cut = cutPiece(value, word)
  const filled = wordOf(
    word.text,
    pieces.flatMap((piece) => {
      if (piece.variable !== slot.name || piece.fallback !== slot.fallback) return [piece]
      return piece.source === 'trim' ? [cut] : given
    }),
  )
  return {
    ...filled,
    text: filledText(word, value, filled),
    splits: word.splits && (value.splits || /\s/.test(value.shape) || filled.sources.length > 0),
  }
}

/** A tilde was expanded where the value was given, and nowhere else. */
function filledText(word: Arg, value: Arg, { shape, value: exact }: Arg): string {
  if (shape.startsWith('~')) return hasTilde(value) ? shape : word.text
  return exact ?? word.text
}

/** Returns any part of a value that is cut. A part of a path that climbs may climb as well. */
function cutPiece(value: Arg, word: Arg): Piece {
  const { shape, pattern, sources } = value
  const isFileName = sources.length > 0 && sources.every((source) => source === 'glob')
  // A part of the name of a file leads nowhere in a word without folders.
  if (isFileName && !/[\0/]/.test(pattern) && !word.shape.includes('/')) return { token: STAR, source: 'glob' }
  return {
    token: value.value === undefined || value.value.includes('/') ? HOLE : STAR,
    ...(shape.includes('..') ? { source: 'command', output: { kind: 'unknown' } } : { source: 'glob' }),
  }
}

/** A text that the shell takes for a pattern. */
function expandedAgain(word: Arg): Arg {
  if (word.value === undefined || !/[*?[\\]/.test(word.value)) return word
  // Options that a script may set decide whether a pattern is an extended one.
  if (/[()]/.test(word.value))
    return computed(wordOf(word.text, [{ token: HOLE, source: 'command', output: { kind: 'unknown' } }], word.splits))
  return wordOf(word.text, patternPieces(globPattern(word.value)), word.splits)
}

/** Returns words that a list with quotes in it may make, besides all else. */
function likelyChoices({ text }: Arg): readonly Arg[] {
  const texts = bracedTexts(text.replaceAll(/["'\\]/g, ''), MAX_VARIANTS) ?? []
  return texts.filter((choice) => choice !== '' && choice !== text).map(likelyName)
}

/** Expands brace lists. */
function expandBraces(words: readonly Arg[]): readonly Arg[] {
  if (!words.some((word) => word.sources.includes('brace'))) return words
  return words.flatMap((word, i) => {
    if (i === 0 || !word.sources.includes('brace')) return [word]
    return word.choices ?? [word, ...likelyChoices(word)]
  })
}

/** Returns a word of which only the literal text is known. */
function computed(word: Arg): Arg {
  return {
    ...word,
    sources: [...word.sources, 'command'],
    variables: [],
    fallbacks: [],
    outputs: [{ kind: 'unknown' }],
  }
}
