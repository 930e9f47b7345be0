// Replaces what can be known in the words of a command: simple brace lists and the values of a loop variable.
import { HOLE, staticArg } from './words.js'
import type { Arg } from './words.js'

const MAX_WORDS = 64
const MAX_VARIANTS = 32

/** Expands brace lists of plain text; other words are kept as they are. */
export function expandBraces(words: readonly Arg[]): readonly Arg[] {
  if (!words.some((word) => word.unknown.includes('brace'))) return words
  return words.flatMap((word, i) => {
    if (i === 0 || !word.unknown.includes('brace') || !/^[\w./,{}:=@%+-]+$/.test(word.text)) return [word]
    const values = expandText(word.text)
    return values === undefined ? [word] : values.map((value) => ({ ...word, text: value, value, shape: value, unknown: [], splits: false }))
  })
}

function expandText(text: string): string[] | undefined {
  let results = ['']
  let i = 0
  while (i < text.length) {
    if (text[i] !== '{') {
      results = results.map((result) => result + (text[i] ?? ''))
      i += 1
      continue
    }
    const end = text.indexOf('}', i)
    const body = end < 0 ? '' : text.slice(i + 1, end)
    // Nested lists and sequences stay unknown.
    if (end < 0 || body.includes('{') || !body.includes(',')) return undefined
    const choices = body.split(',')
    if (results.length * choices.length > MAX_WORDS) return undefined
    results = results.flatMap((result) => choices.map((choice) => result + choice))
    i = end + 1
  }
  return text.includes('}') ? results.filter((result) => result !== '') : undefined
}

/** The command once for every value that a loop gives to its variables. */
export function loopVariants(words: readonly Arg[], loops: ReadonlyMap<string, readonly Arg[]>): readonly (readonly Arg[])[] {
  const names = new Set(words.flatMap((word) => word.variables.filter((name) => loops.has(name))))
  if (names.size === 0) return [words]
  const variants: (readonly Arg[])[] = []
  for (const name of names) {
    const values = expandBraces([{ ...EMPTY }, ...(loops.get(name) ?? [])]).slice(1)
    for (const value of values.slice(0, MAX_VARIANTS)) variants.push(words.map((word) => fill(word, name, value)))
    if (values.length === 0 || values.length > MAX_VARIANTS) variants.push(words.map((word) => (word.variables.includes(name) ? computed(word) : word)))
  }
  return variants
}

const EMPTY: Arg = { text: '', value: '', shape: '', unknown: [], variables: [], splits: false }

function fill(word: Arg, name: string, value: Arg): Arg {
  if (!word.variables.includes(name)) return word
  const holes = word.shape.split(HOLE).length - 1
  if (holes !== 1 || value.defaults !== undefined) return computed(word)
  const shape = word.shape.replace(HOLE, () => value.shape)
  return { ...word, shape, value: value.value === undefined ? undefined : shape, unknown: value.unknown, splits: word.splits || value.splits, variables: [] }
}

const MAX_DEFAULTS = 5

/** The words once for every choice between a variable and the text that `${name:-text}` puts in its place. */
export function defaultVariants(words: readonly Arg[]): readonly (readonly Arg[])[] {
  const open = words.filter((word) => word.defaults !== undefined)
  if (open.length === 0) return [words]
  if (open.length > MAX_DEFAULTS) return [words.map((word) => (word.defaults === undefined ? word : computed(word)))]
  return Array.from({ length: 2 ** open.length }, (_, choice) =>
    words.flatMap((word) => {
      const at = open.indexOf(word)
      return at >= 0 && (choice >> at) % 2 === 1 ? withDefault(word) : [word]
    }))
}

function withDefault(word: Arg): readonly Arg[] {
  const [text, ...others] = word.defaults ?? []
  if (text === undefined || others.length > 0 || word.unknown.length !== 1) return [computed(word)]
  const value = word.shape.replace(HOLE, () => text)
  const values = word.splits ? value.split(/\s+/).filter((piece) => piece !== '') : [value]
  return values.map((piece) => staticArg(piece))
}

function computed(word: Arg): Arg {
  return { ...word, unknown: [...word.unknown, 'command'] }
}
