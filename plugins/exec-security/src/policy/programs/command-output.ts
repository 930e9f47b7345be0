import { hasOption, parseArgs } from '../parse-args.js'
import type { ParsedArgs } from '../parsed-args.js'
import { evaluateWord } from '../evaluate-word.js'
import { STAR, HOLE, type Arg, type Output, type OutputOf } from '../words.js'
import type { Command, ParsedScript, PipelineNode, Redirection, Word } from '../parse.js'
import { printedText } from './echo-output.js'
import { findPatterns } from './find.js'
import { programSpec } from './index.js'
import { anyOf } from '../any-of.js'

const UNKNOWN: Output = { kind: 'unknown' }

/** The output of a command before a pipe: names of files are known as such if each is ended by a NUL. */
export type Piped = Output | { readonly kind: 'names'; readonly patterns: readonly string[] }

/**
 * Returns the text that replaces a substitution. The output of a command is unknown unless it is written out or a
 * number: names of files hold any text, and so does everything that is made of them.
 */
export function outputOfScript(script: ParsedScript, outputOf: OutputOf): Output {
  const [statement, ...others] = script.commands
  if (statement === undefined || others.length > 0) return UNKNOWN
  const node = statement.command
  const nodes: readonly PipelineNode[] = node.type === 'Pipeline' ? node.commands : [node as PipelineNode]
  const joins = node.type === 'Pipeline' ? node.operators : []
  let output: Piped | undefined
  nodes.forEach((command, i) => {
    const written = outputOfNode(command, output, outputOf)
    output = joins[i] === '|&' ? withErrors(written) : written
  })
  if (output?.kind === 'names') return { kind: 'unknown', names: output.patterns }
  return output ?? UNKNOWN
}

/** Returns the output of one command of a pipe, given its input. */
export function outputOfNode(node: PipelineNode, input: Piped | undefined, outputOf: OutputOf): Piped {
  if (node.type !== 'Command' || node.name === undefined) return UNKNOWN
  const words = node.args
    .filter((item): item is Word => item.type === 'Word')
    .map((word) => evaluateWord(word, outputOf))
  const name = evaluateWord(node.name, outputOf).value
  if (name === undefined || words.length !== node.args.length || !node.redirects.every(isAside)) return UNKNOWN
  return printedBy(name, words) ?? outputOfWords(name, words, node, input)
}

/** Returns what a command other than `echo` and `printf` writes. */
function outputOfWords(name: string, words: readonly Arg[], node: Command, input: Piped | undefined): Piped {
  if (node.redirects.some(({ operator }) => operator === '>&')) return UNKNOWN
  const isFed = node.redirects.some(({ operator }) => operator.startsWith('<'))
  if (isNumeric(name, words, input !== undefined || isFed)) return { kind: 'numeric' }
  if (name === 'cat' && words.length === 0 && input !== undefined && !isFed) return input
  return namesWritten(name, words) ?? UNKNOWN
}

/** Returns what `echo` or `printf` writes, if all of its words are known. */
function printedBy(name: string, words: readonly Arg[]): Output | undefined {
  const values = words.flatMap(({ value, splits }) => (value === undefined || splits ? [] : [value]))
  const text = values.length === words.length ? (printedText(name, values) ?? undatedText(name, values)) : undefined
  if (text === undefined) return undefined
  return /^\s*-?\d+\s*$/.test(text) ? { kind: 'numeric' } : { kind: 'text', text }
}

/** Returns the text of a date in which there is none. */
function undatedText(name: string, values: readonly string[]): string | undefined {
  const [format = ''] = values
  return name === 'date' && values.length === 1 && /^\+[^%]*$/.test(format) ? format.slice(1) : undefined
}

/** Returns whether a redirection leaves the output alone. Any other file may be the output under another name. */
function isAside(node: Redirection): boolean {
  const { operator, descriptor } = node
  return (
    /^<+-?$/.test(operator) ||
    (descriptor?.type === 'FileDescriptor' &&
      descriptor.value === 2 &&
      (operator === '>&' || ('target' in node && node.target?.text === '/dev/null')))
  )
}

/** Returns an output together with errors, which may name any argument. */
export function withErrors(output: Piped): Piped {
  return output.kind === 'text' || output.kind === 'unknown' ? output : UNKNOWN
}

/** Returns whether a command writes only numbers. `piped` says whether it reads the output of another. */
function isNumeric(name: string, words: readonly Arg[], piped: boolean): boolean {
  const values = words.flatMap(({ value }) => value ?? [])
  if (values.length < words.length)
    return name === 'seq' && words.every(({ value, sources }) => isInteger(value) || isComputation(sources))
  return NUMERIC.get(name)?.(values, piped) ?? false
}

const isInteger = (value: string | undefined): boolean => /^\d+$/.test(value ?? '')
const isComputation = (sources: Arg['sources']): boolean =>
  sources.length > 0 && sources.every((source) => source === 'arithmetic')

const NUMERIC: ReadonlyMap<string, (values: readonly string[], piped: boolean) => boolean> = new Map([
  ['nproc', (values: readonly string[]) => values.length === 0],
  ['id', (values: readonly string[]) => values.length === 1 && /^-[ug]$/.test(values[0] ?? '')],
  [
    'seq',
    (values: readonly string[]) =>
      values.length > 0 && values.every((value, i) => isInteger(value) || (i === 1 && value === '-1')),
  ],
  ['wc', (values: readonly string[], piped: boolean) => piped && values.length > 0 && values.every(isCount)],
  ['date', (values: readonly string[]) => values.length === 1 && /^\+(?:%[sYmdHMSNj]|\d)+$/.test(values[0] ?? '')],
  ['stat', writesStatNumber],
  ['grep', countsMatches],
])

const isCount = (value: string): boolean => /^-[clmwL]+$|^--(?:lines|words|chars|bytes)$/.test(value)

function writesStatNumber([option = '', ...rest]: readonly string[]): boolean {
  const format = /^-c$|^--format$/.test(option) ? rest[0] : /^(?:-c|--format=)(.+)$/.exec(option)?.[1]
  return /^%[sYXZauigbBh]$/.test(format ?? '')
}

function countsMatches(values: readonly string[], piped: boolean): boolean {
  const flags = values.filter((value) => value.startsWith('-'))
  const operands = values.length - flags.length
  return (
    flags.some((flag) => flag.includes('c')) &&
    flags.every((flag) => /^-[ciEFPvwx]+$/.test(flag)) &&
    (operands === 2 || (operands === 1 && piped))
  )
}

/** Actions of find that write something besides names that a NUL ends. */
const OTHER_PRINTS = anyOf(/^-(?:print|printf|ls|fls|fprint|fprint0|fprintf|ok|okdir|exec|execdir)$/)
/** Options of `git ls-files` with which it writes names and nothing else. */
const LISTS = anyOf(/^-(?:[zcdmoix]|-(?:cached|deleted|modified|others|ignored|exclude-standard|exclude|deduplicate))$/)
/** A name below the working directory, which may begin with a hyphen. */
const ANY_NAME = STAR + HOLE

/** Returns patterns of the names that a command writes. They count as names if it ends each with a NUL. */
function namesWritten(name: string, words: readonly Arg[]): Piped | undefined {
  const spec = programSpec(name)
  const writes = NAMES.get(name)
  if (spec === undefined || writes === undefined) return undefined
  const parsed = parseArgs(words, spec)
  const isComputed = words.some(({ splits, sources }) => splits && !sources.every((source) => source === 'glob'))
  return parsed.unknown !== undefined || parsed.innerCommands.length > 0 || isComputed
    ? undefined
    : writes(parsed, words)
}

type NamesOf = (parsed: ParsedArgs, words: readonly Arg[]) => Piped | undefined
const NAMES: ReadonlyMap<string, NamesOf> = new Map<string, NamesOf>([
  ['find', foundNames],
  ['git', trackedNames],
  ['grep', matchingNames],
])

function foundNames({ givenOptions, spec }: ParsedArgs, words: readonly Arg[]): Piped {
  const patterns = findPatterns(words, spec)
  const endsByNul = givenOptions.has('-print0') && ![...givenOptions].some((option) => OTHER_PRINTS.test(option))
  return endsByNul ? { kind: 'names', patterns } : { kind: 'unknown', names: patterns }
}

function trackedNames({ givenOptions, subcommandPath, operands }: ParsedArgs): Piped | undefined {
  const isPlain =
    givenOptions.has('-z') &&
    [...givenOptions].every((option) => LISTS.test(option)) &&
    operands.every(({ value }) => /^(?!.*\.\.)[\w*][\w./*-]*$/.test(value ?? ''))
  return subcommandPath[0] === 'ls-files' && isPlain ? { kind: 'names', patterns: [ANY_NAME] } : undefined
}

function matchingNames({ givenOptions, uses }: ParsedArgs): Piped | undefined {
  const isPlain =
    hasOption(givenOptions, 'l L files-with-matches files-without-match') &&
    hasOption(givenOptions, 'Z null') &&
    !hasOption(givenOptions, 'label')
  const patterns = uses.flatMap(({ effect, arg }) => {
    // Below the working directory, names are written without it where it is not named.
    if (effect === 'tree') return [arg.pattern === '.' ? ANY_NAME : `${arg.pattern}/${HOLE}`]
    return effect === 'read' ? [arg.pattern] : []
  })
  return isPlain && patterns.length > 0 ? { kind: 'names', patterns } : undefined
}
