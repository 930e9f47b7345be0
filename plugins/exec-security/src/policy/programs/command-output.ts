import { hasOption, parseArgs } from '../parse-args.js'
import { globPattern } from '../patterns.js'
import { findPatterns } from './find.js'
import { printedText } from './echo-output.js'
import { programSpec, type ProgramSpec } from './index.js'
import { HOLE, STAR, evaluateWord, type Arg, type Output, type OutputOf } from '../words.js'
import type { Command, ParsedScript, PipelineNode, Redirection, Word } from '../parse.js'

const UNKNOWN: Output = { kind: 'unknown' }
const MAX_NAMES = 64
const NO_SPEC: ProgramSpec = { options: new Map() }

/** Returns the text that replaces a substitution. */
export function outputOfScript(script: ParsedScript, outputOf: OutputOf): Output {
  const [statement, ...others] = script.commands
  if (statement === undefined || others.length > 0) return UNKNOWN
  const node = statement.command
  if (node.type !== 'Pipeline') return node.type === 'Command' ? outputOfCommand(node, undefined, outputOf) : UNKNOWN
  let output: Output | undefined
  node.commands.forEach((command, i) => {
    const written = outputOfNode(command, output, outputOf)
    output = node.operators[i] === '|&' ? withErrors(written) : written
  })
  return output ?? UNKNOWN
}

/** Returns the output of one command of a pipe, given its input. */
export function outputOfNode(node: PipelineNode, input: Output | undefined, outputOf: OutputOf): Output {
  return node.type === 'Command' ? outputOfCommand(node, input, outputOf) : UNKNOWN
}

function outputOfCommand(node: Command, input: Output | undefined, outputOf: OutputOf): Output {
  if (node.name === undefined) return UNKNOWN
  const words = node.args
    .filter((item): item is Word => item.type === 'Word')
    .map((word) => evaluateWord(word, outputOf))
  const name = evaluateWord(node.name, outputOf).value
  if (name === undefined || words.length !== node.args.length || !node.redirects.every(isAside)) return UNKNOWN
  return printedBy(name, words) ?? outputOfWords(name, words, node, input)
}

/** Returns what a command other than `echo` and `printf` writes. */
function outputOfWords(name: string, words: readonly Arg[], node: Command, input: Output | undefined): Output {
  if (node.redirects.some(({ operator }) => operator === '>&')) return UNKNOWN
  const isFed = node.redirects.some(({ operator }) => operator.startsWith('<'))
  if (isNumeric(name, words, input !== undefined || isFed)) return { kind: 'numeric' }
  if (passesLines(name, words)) return node.redirects.length === 0 && input?.kind === 'paths' ? input : UNKNOWN
  if (name === 'cat' && words.length === 0 && input !== undefined && !isFed) return input
  return NAMES.get(name)?.(words, name) ?? UNKNOWN
}

/** Returns what `echo` or `printf` writes, if all of its words are known. */
function printedBy(name: string, words: readonly Arg[]): Output | undefined {
  const values = words.flatMap(({ value, splits }) => (value === undefined || splits ? [] : [value]))
  const text = values.length === words.length ? printedText(name, values) : undefined
  if (text === undefined) return undefined
  return /^\s*-?\d+\s*$/.test(text) ? { kind: 'numeric' } : { kind: 'text', text }
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
export function withErrors(output: Output): Output {
  return output.kind === 'text' ? output : UNKNOWN
}

/** Returns whether a command writes only numbers. `piped` says whether it reads the output of another. */
function isNumeric(name: string, words: readonly Arg[], piped: boolean): boolean {
  if (words.some(({ value }) => value === undefined))
    return name === 'seq' && words.every(({ value, sources }) => value !== undefined || isNumber(sources))
  return (
    NUMERIC.get(name)?.(
      words.map(({ value }) => value ?? ''),
      piped,
    ) ?? false
  )
}

const isNumber = (sources: Arg['sources']): boolean => sources.every((source) => source === 'arithmetic')

const NUMERIC: ReadonlyMap<string, (values: readonly string[], piped: boolean) => boolean> = new Map([
  ['nproc', () => true],
  ['id', (values: readonly string[]) => values.length === 1 && /^-[ug]$/.test(values[0] ?? '')],
  ['seq', (values: readonly string[]) => values.length > 0 && values.every((value) => /^-?\d+$/.test(value))],
  ['wc', countsInput],
  ['date', writesDateNumber],
  ['stat', writesStatNumber],
  ['grep', countsMatches],
])

function countsInput(values: readonly string[], piped: boolean): boolean {
  const isCount = (value: string): boolean => /^-[clmwL]+$|^--(?:lines|words|chars|bytes)$/.test(value)
  return piped && values.length > 0 && values.every(isCount)
}

function writesDateNumber(values: readonly string[]): boolean {
  const format = values.find((value) => value.startsWith('+'))
  return format !== undefined && /^\+(?:%[sYmdHMSjNuVyCegGIklUWw]|\d)+$/.test(format)
}

function writesStatNumber([option = '', format = '', file]: readonly string[]): boolean {
  if (/^(?:-c|--format=)%[sYXZWauigbBh]$/.test(option)) return true
  return /^(?:-c|--format)$/.test(option) && /^%[sYXZWauigbBh]$/.test(format) && file !== undefined
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

/** Whether a command writes some of the lines that it reads, as they are. */
function passesLines(name: string, words: readonly Arg[]): boolean {
  const values = words.map(({ value }) => value ?? HOLE)
  if (name === 'sort') return values.every((value) => /^-[nruVfbzR]+$/.test(value))
  if (name === 'uniq') return values.every((value) => /^-[du]$/.test(value))
  if (name === 'head' || name === 'tail') return /^(?:-z ?)?(?:(?:-n ?[-+]?|-)\d+)?$/.test(values.join(' '))
  if (name === 'grep' || name === 'egrep') {
    const operands = values.filter((value) => !value.startsWith('-'))
    return operands.length === 1 && values.every((value) => !value.startsWith('-') || /^-[vEiFPwxze]+$/.test(value))
  }
  return false
}

/** Returns a date of a literal format. The text between its fields is kept. */
function dated(words: readonly Arg[]): Output {
  const format = words.at(-1)?.value
  const plain = words
    .slice(0, -1)
    .every(({ value }) => value !== undefined && /^(?:-u|--utc|-d|--date|--date=.*|[^-+].*)$/.test(value))
  if (format === undefined || !plain || !/^\+(?:%[-_:]?[aAbBCdeFgGHIjklmMNqRsSTuUVwWyYzZ]|[^%\s])+$/.test(format))
    return UNKNOWN
  return { kind: 'paths', patterns: [format.slice(1).replaceAll(/%[-_:]?[a-zA-Z]/g, STAR)], single: true }
}

/** The outputs of commands that write names of files. */
const NAMES: ReadonlyMap<string, (words: readonly Arg[], name: string) => Output> = new Map([
  ['find', foundBy],
  ['ls', listedByLs],
  ['git', listedByGit],
  ['grep', matchingFiles],
  ['rg', matchingFiles],
  ['which', programPaths],
  ['type', programPaths],
  ['command', programPaths],
  ['pwd', () => paths(['.'])],
  ['date', dated],
  ['whoami', systemWord],
  ['arch', systemWord],
  ['hostname', systemWord],
  ['uname', systemWord],
  ['basename', baseNames],
])

const LS_OPTION =
  /^(?:-[1aAcdfFHLprStuUvX]|--(?:all|almost-all|directory|reverse|sort|time|color|group-directories-first))$/

function listedByLs(words: readonly Arg[]): Output {
  const { unknown, givenOptions, operands } = parseArgs(words, programSpec('ls') ?? NO_SPEC)
  if (unknown !== undefined || [...givenOptions].some((option) => !LS_OPTION.test(option))) return UNKNOWN
  if (operands.length === 0) return paths([hasOption(givenOptions, 'a A f all almost-all') ? HOLE : STAR])
  const isFolderItself = hasOption(givenOptions, 'd directory')
  const folders = operands.filter(({ shape }) => !shape.includes(HOLE) || shape.length > 1)
  // The names in a folder are written without it, a file as it was given. A name with an extension is a file.
  return paths(
    folders.flatMap(({ pattern }) => (isFolderItself || /\.\w+$/.test(pattern) ? [pattern] : [pattern, STAR])),
  )
}

/** Words by which git may write what it is given, such as a format or an unknown name. */
const GIT_ECHOES = /^--(?:format|pretty)=(?!(?:format:)?(?:%[hH])?$)|^--git-path|\.\.\//
/** Subcommands that write names of branches and commits, which begin with no hyphen. */
const GIT_REVISIONS = /^(?:rev-parse|branch|describe|symbolic-ref|merge-base|tag|rev-list)$/

function listedByGit(words: readonly Arg[]): Output {
  const [first = '', ...rest] = words.map(({ value }) => value)
  if (rest.some((word) => word === undefined || GIT_ECHOES.test(word))) return UNKNOWN
  const writesHashes = rest.some((word) => /^--(?:format|pretty)=%[hH]$/.test(word ?? ''))
  if (GIT_REVISIONS.test(first) || (/^(?:log|show)$/.test(first) && writesHashes)) return paths([`./${HOLE}`])
  if (first !== 'ls-files') {
    const listsNames = /^(?:diff|show|log)$/.test(first) && rest.includes('--name-only')
    return listsNames ? paths([`./${HOLE}`]) : UNKNOWN
  }
  const named = rest.filter((word) => word !== undefined && !word.startsWith('-'))
  return named.length === 0
    ? paths([`./${HOLE}`])
    : paths(named.map((word) => `./${globPattern(word ?? '').replaceAll(STAR, HOLE)}`))
}

const LISTS_FILES = 'l L files-with-matches files-without-match files'

function matchingFiles(words: readonly Arg[], name: string): Output {
  const { unknown, givenOptions, uses } = parseArgs(words, programSpec(name) ?? NO_SPEC)
  if (unknown !== undefined || !hasOption(givenOptions, LISTS_FILES) || hasOption(givenOptions, 'label')) return UNKNOWN
  return paths(
    uses.flatMap(({ effect, arg }) => {
      if (effect === 'tree') return [`${arg.pattern}/${HOLE}`]
      return effect === 'read' ? [arg.pattern] : []
    }),
  )
}

function programPaths(words: readonly Arg[]): Output {
  const values = words.map(({ value }) => value)
  if (values.includes(undefined)) return UNKNOWN
  return paths(values.filter((value) => value?.startsWith('-') === false).map((value) => `/bin/${value}`))
}

function systemWord(words: readonly Arg[]): Output {
  return words.every(({ value }) => value !== undefined && /^-[nrsm]$/.test(value))
    ? { kind: 'paths', patterns: [STAR], single: true }
    : UNKNOWN
}

function baseNames(words: readonly Arg[]): Output {
  return words.some(({ sources }) => sources.includes('command') || sources.includes('input')) ? UNKNOWN : paths([HOLE])
}

/** The paths that find prints: below its folders, with the last component that its one test of names allows. */
function foundBy(words: readonly Arg[]): Output {
  const table = programSpec('find')
  if (table === undefined) return UNKNOWN
  const read = parseArgs(words, table)
  if (
    read.unknown !== undefined ||
    read.innerCommands.length > 0 ||
    read.uses.some(({ option }) => option === '-printf' || option === '-fstype')
  )
    return UNKNOWN
  return paths(findPatterns(words, table))
}

function paths(patterns: readonly string[]): Output {
  return patterns.length > MAX_NAMES || patterns.length === 0 ? UNKNOWN : { kind: 'paths', patterns }
}
