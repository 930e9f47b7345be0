// Replaces what can be known in the words of a command: brace lists, variables that the script sets, default texts.
import type { Budget } from './budget.js'
import { WILD, globPattern } from './patterns.js'
import type { Facts } from './walk-types.js'
import { HOLE, STAR, fileArg, hasTilde, staticArg, type Arg, type Output } from './words.js'

const MAX_WORDS = 64
const MAX_VALUES = 32
const MAX_VARIANTS = 64
const MAX_DEFAULTS = 5

/** The words of a command once for every choice that the script leaves to its variables. The budget bounds how many. */
export function variantsOf(words: readonly Arg[], facts: Facts, budget: Budget): readonly (readonly Arg[])[] {
  const known = facts.definesFunction || facts.definesAlias ? words : words.flatMap((word, i) => (i === 0 ? [word] : split(told(word))))
  let variants = defaultVariants(expandBraces(known), facts)
  budget.spend(variants.length * ((variants[0]?.length ?? 0) + 1))
  const named = (all: readonly Arg[]): string[] => all.slice(1).flatMap(({ variables }) => variables.filter((name) => facts.assigned.has(name)))
  const names = new Set(named(words))
  // The value of a variable may hold others, which come next.
  for (const name of names) {
    const values = valuesOf(name, facts, budget)
    if (variants.length * values.length > MAX_VARIANTS) {
      // Too many to look at one by one: each value of each variable is, the others may be anything.
      variants = [...variants.slice(0, 1), ...values.map((value) => filled(variants[0] ?? words, name, value))].map((variant) => variant.map((word) => (word.variables.includes(name) ? computed(word) : word)))
    } else {
      variants = values.flatMap((value) => variants.map((variant) => filled(variant, name, value)))
    }
    budget.spend(variants.length * (words.length + 1))
    for (const variant of variants) for (const other of named(variant)) names.add(other)
  }
  // What is left names itself, or what came before it.
  return variants.map((variant) => variant.map((word, i) => (i > 0 && named([word, word]).length > 0 ? computed(word) : word)))
}

/** The values of a variable, found once for as many as the script has shown. */
const distinctOf = new WeakMap<readonly Arg[], { readonly of: number; readonly values: readonly (Arg | undefined)[] }>()

function valuesOf(name: string, facts: Facts, budget: Budget): readonly (Arg | undefined)[] {
  const values = facts.assigned.get(name) ?? []
  const known = distinctOf.get(values)
  if (known?.of === values.length) return known.values
  const found = findValues(values, facts)
  budget.spend(values.length + found.length)
  distinctOf.set(values, { of: values.length, values: found })
  return found
}

function findValues(values: readonly Arg[], facts: Facts): readonly (Arg | undefined)[] {
  if (values.length > MAX_VALUES * 4 || facts.assignsAny) return [undefined]
  const all = expandBraces([staticArg(''), ...values]).slice(1).flatMap((value): readonly Arg[] => {
    const [output] = value.outputs
    return value.shape === HOLE && output?.kind === 'paths' ? output.patterns.map((pattern) => fileArg(value.text, pattern)) : [value]
  })
  const distinct = [...new Map(all.map((value) => [`${value.pattern}\n${value.sources.join()}`, value])).values()]
  return distinct.length === 0 || distinct.length > MAX_VALUES ? [...distinct.slice(0, MAX_VALUES), undefined] : distinct
}

function filled(words: readonly Arg[], name: string, value: Arg | undefined): readonly Arg[] {
  return words.flatMap((word, i) => (i > 0 && word.variables.includes(name) ? split(fill(word, name, value)) : [word]))
}

/** A word with the text of its substitutions in their place, where that is known but for pieces without a slash. */
function told(word: Arg): Arg {
  if (!word.outputs.some((output) => textOf(output) !== undefined) || word.shape.length !== word.pattern.length) return word
  let [shape, pattern, source, output] = ['', '', 0, 0]
  const [sources, outputs]: [Arg['sources'][number][], Output[]] = [[], []]
  for (let i = 0; i < word.shape.length; i++) {
    const from = word.shape[i] === HOLE ? word.sources[source++] : undefined
    const own = from === 'command' ? word.outputs[output++] : undefined
    const text = own === undefined ? undefined : textOf(own)
    if (from !== undefined && text === undefined) sources.push(from)
    if (own !== undefined && text === undefined) outputs.push(own)
    pattern += text ?? word.pattern[i] ?? ''
    shape += text?.replaceAll(WILD, HOLE) ?? word.shape[i] ?? ''
    if (text !== undefined) for (const [token] of text.matchAll(WILD)) if (token !== '') sources.push(own?.kind === 'paths' && own.single === true ? 'arithmetic' : 'glob')
  }
  const filled = { ...word, shape, pattern, sources, outputs, value: sources.length === 0 ? shape : undefined }
  return word.splits ? expandedAgain(filled) : filled
}

/** As a substitution stands in its word. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 10) end--
  return text.slice(0, end)
}

function textOf(output: Output): string | undefined {
  if (output.kind === 'text') return withoutLastBreaks(output.text)
  return output.kind === 'paths' && output.patterns.length === 1 && output.patterns[0]?.includes(HOLE) === false ? output.patterns[0] : undefined
}

/** Without quotes, blanks in what is known divide a word; blanks beside something unknown may divide it in any way. */
function split(word: Arg): readonly Arg[] {
  if (!word.splits || !/\s/.test(word.shape)) return [word]
  if (word.value === undefined && word.sources.some((source) => source !== 'glob')) return [computed(word)]
  return word.pattern.split(/\s+/).filter((piece) => piece !== '').map((piece) => {
    const shape = piece.replaceAll(WILD, HOLE)
    return { ...word, text: shape, shape, pattern: piece, value: shape.includes(HOLE) ? undefined : shape, sources: [...shape].filter((token) => token === HOLE).map(() => 'glob' as const), outputs: [], splits: false }
  })
}

/** A word with a value in place of one variable; its other pieces stay what they are. */
function fill(word: Arg, name: string, known: Arg | undefined): Arg {
  // Without quotes, what stands in place of a variable is a pattern once more.
  const value = known !== undefined && word.splits ? expandedAgain(known) : known
  if (value === undefined || value.defaults !== undefined || word.defaults !== undefined || word.shape.length !== word.pattern.length) return computed(word)
  const result = { shape: '', pattern: '', sources: [] as Arg['sources'][number][], variables: [] as string[], outputs: [] as Arg['outputs'][number][] }
  let source = 0
  let variable = 0
  let output = 0
  for (let i = 0; i < word.shape.length; i++) {
    const from = word.shape[i] === HOLE ? word.sources[source++] : undefined
    const own = from === 'variable' || from === 'trim' ? word.variables[variable++] ?? '' : undefined
    if (own === name && from === 'variable') {
      result.shape += value.shape
      result.pattern += value.pattern
      result.sources.push(...value.sources)
      result.variables.push(...value.variables)
      result.outputs.push(...value.outputs)
      continue
    }
    result.shape += word.shape[i] ?? ''
    // Of a value that is cut, any part may be left.
    result.pattern += own === name ? (value.value === undefined || value.value.includes('/') ? HOLE : STAR) : word.pattern[i] ?? ''
    if (from === undefined) continue
    // What is left of a value that climbs may climb as well.
    const climbs = own === name && value.shape.includes('..')
    if (climbs) result.outputs.push({ kind: 'unknown' })
    result.sources.push(climbs ? 'command' : own === name ? 'glob' : from)
    if (own !== undefined && own !== name) result.variables.push(own)
    if (from === 'command') result.outputs.push(word.outputs[output++] ?? { kind: 'unknown' })
  }
  // A tilde was expanded where the value was given.
  const text = hasTilde(value) && result.shape.startsWith('~') ? result.shape : word.text
  return { ...word, ...result, text, value: result.sources.length === 0 ? result.shape : undefined, splits: word.splits && (value.splits || /\s/.test(value.shape) || result.sources.length > 0) }
}

/** A text that the shell takes for a pattern. */
function expandedAgain(word: Arg): Arg {
  if (word.value === undefined || !/[*?[\\]/.test(word.value)) return word
  const pattern = globPattern(word.value)
  // Extended patterns are told from plain ones by options that a script may set.
  if (/[()]/.test(word.value)) return computed({ ...word, value: undefined, shape: HOLE, pattern: HOLE })
  const shape = pattern.replaceAll(WILD, HOLE)
  return { ...word, value: undefined, shape, pattern, sources: [...shape].filter((token) => token === HOLE).map(() => 'glob' as const) }
}

/** Expands brace lists of plain text; other words are kept as they are. */
function expandBraces(words: readonly Arg[]): readonly Arg[] {
  if (!words.some((word) => word.sources.includes('brace'))) return words
  return words.flatMap((word, i) => {
    if (i === 0 || !word.sources.includes('brace') || !/^[\w./,{}:=@%+-]+$/.test(word.text)) return [word]
    const values = expandText(word.text)
    return values === undefined ? [word] : values.map((value) => staticArg(value))
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

/** The words once for every choice between a variable and the text that `${name:-text}` puts in its place. */
function defaultVariants(all: readonly Arg[], facts: Facts): readonly (readonly Arg[])[] {
  // What neither the script nor the environment sets is replaced for sure.
  const words = all.flatMap((word, i) => (i > 0 && word.defaults?.length === 1 && word.variables.length === 1 && unset(word.variables[0] ?? '', facts) ? withDefault(word) : [word]))
  const open = words.filter((word) => word.defaults !== undefined)
  if (open.length === 0) return [words]
  if (open.length > MAX_DEFAULTS) return [words.map((word) => (word.defaults === undefined ? word : computed(word)))]
  return Array.from({ length: 2 ** open.length }, (_, choice) =>
    words.flatMap((word) => {
      const at = open.indexOf(word)
      return at >= 0 && (choice >> at) % 2 === 1 ? withDefault(word) : [word]
    }))
}

/** Names that the environment of a command has, or bash itself. */
const PRESENT = /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL|PWD|OLDPWD|IFS|HOST\w+|MACHTYPE|OSTYPE|BASH\w*|EUID|UID|PPID|SHLVL|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|COLUMNS|LINES|OPT\w+|PS\d|DIRSTACK|GROUPS|PIPESTATUS|FUNCNAME|REPLY|MAPFILE|COMP\w+|PAGER|GIT_\w+|\d+|[@*#?$!_-])$/

const unset = (name: string, facts: Facts): boolean => !PRESENT.test(name) && !facts.assignsAny && !facts.assigned.has(name)

function withDefault(word: Arg): readonly Arg[] {
  const [text, ...others] = word.defaults ?? []
  if (text === undefined || others.length > 0 || word.sources.length !== 1) return [computed(word)]
  const value = word.shape.replace(HOLE, () => text)
  const values = word.splits ? value.split(/\s+/).filter((piece) => piece !== '') : [value]
  return values.map((piece) => (word.splits ? expandedAgain(staticArg(piece)) : staticArg(piece)))
}

/** A word of which nothing more is known than what is written out. */
function computed(word: Arg): Arg {
  return { ...word, sources: [...word.sources, 'command'], variables: [], outputs: [{ kind: 'unknown' }] }
}
