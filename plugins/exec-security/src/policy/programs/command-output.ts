// What a command is known to write: numbers, names of files, or a text. Everything else may be anything.
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

/** What a substitution will be replaced with. */
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

/** What one command of a pipe writes, given what it reads. */
export function outputOfNode(node: PipelineNode, input: Output | undefined, outputOf: OutputOf): Output {
  return node.type === 'Command' ? outputOfCommand(node, input, outputOf) : UNKNOWN
}

function outputOfCommand(node: Command, input: Output | undefined, outputOf: OutputOf): Output {
  if (node.name === undefined) return UNKNOWN
  const words = node.args
    .filter((item): item is Word => item.type === 'Word')
    .map((word) => evaluateWord(word, outputOf))
  const name = evaluateWord(node.name, outputOf).value
  if (name === undefined || words.length !== node.args.length) return UNKNOWN
  if (!node.redirects.every(isAside)) return UNKNOWN
  const fed = node.redirects.some(({ operator }) => operator.startsWith('<'))
  const values = words.map(({ value }) => value)
  if (values.every((value) => value !== undefined) && !words.some(({ splits }) => splits)) {
    const text = printedText(name, values as string[])
    if (text !== undefined) return /^\s*-?\d+\s*$/.test(text) ? { kind: 'numeric' } : { kind: 'text', text }
  }
  if (node.redirects.some(({ operator }) => operator === '>&')) return UNKNOWN
  if (numeric(name, words, input !== undefined || fed)) return { kind: 'numeric' }
  if (passesLines(name, words)) return node.redirects.length === 0 && input?.kind === 'paths' ? input : UNKNOWN
  if (name === 'cat' && words.length === 0 && input !== undefined && !fed) return input
  return namesOf(name, words)
}

/** A redirection of what is read, or of errors to nowhere or beside the output: any other file may be the output under another name. */
function isAside(node: Redirection): boolean {
  const { operator, descriptor } = node
  return (
    /^<+-?$/.test(operator) ||
    (descriptor?.type === 'FileDescriptor' &&
      descriptor.value === 2 &&
      (operator === '>&' || ('target' in node && node.target?.text === '/dev/null')))
  )
}

/** What is written together with errors: what a program complains about names what it was given. */
export function withErrors(output: Output): Output {
  return output.kind === 'text' ? output : UNKNOWN
}

function numeric(name: string, words: readonly Arg[], piped: boolean): boolean {
  if (words.some(({ value }) => value === undefined))
    return (
      name === 'seq' &&
      words.every((word) => word.value !== undefined || word.sources.every((source) => source === 'arithmetic'))
    )
  const values = words.map(({ value }) => value ?? '')
  switch (name) {
    case 'wc':
      return (
        piped && values.length > 0 && values.every((value) => /^-[clmwL]+$|^--(?:lines|words|chars|bytes)$/.test(value))
      )
    case 'date': {
      const format = values.find((value) => value.startsWith('+'))
      return format !== undefined && /^\+(?:%[sYmdHMSjNuVyCegGIklUWw]|\d)+$/.test(format)
    }
    case 'nproc':
      return true
    case 'id':
      return values.length === 1 && /^-[ug]$/.test(values[0] ?? '')
    case 'seq':
      return values.length > 0 && values.every((value) => /^-?\d+$/.test(value))
    case 'stat':
      return (
        (values.length >= 3 &&
          /^(?:-c|--format)$/.test(values[0] ?? '') &&
          /^%[sYXZWauigbBh]$/.test(values[1] ?? '')) ||
        /^(?:-c|--format=)%[sYXZWauigbBh]$/.test(values[0] ?? '')
      )
    case 'grep': {
      const flags = values.filter((value) => value.startsWith('-'))
      const operands = values.length - flags.length
      return (
        flags.length > 0 &&
        flags.every((flag) => /^-[ciEFPvwx]+$/.test(flag)) &&
        flags.some((flag) => flag.includes('c')) &&
        (operands === 2 || (operands === 1 && piped))
      )
    }
    default:
      return false
  }
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

/** A date in a form that is written out: what stands between its pieces stays as it is. */
function dated(words: readonly Arg[]): Output {
  const format = words.at(-1)?.value
  const plain = words
    .slice(0, -1)
    .every(({ value }) => value !== undefined && /^(?:-u|--utc|-d|--date|--date=.*|[^-+].*)$/.test(value))
  if (format === undefined || !plain || !/^\+(?:%[-_:]?[aAbBCdeFgGHIjklmMNqRsSTuUVwWyYzZ]|[^%\s])+$/.test(format))
    return UNKNOWN
  return { kind: 'paths', patterns: [format.slice(1).replaceAll(/%[-_:]?[a-zA-Z]/g, STAR)], single: true }
}

/** The names of files that a command writes. */
function namesOf(name: string, words: readonly Arg[]): Output {
  switch (name) {
    case 'find':
      return foundBy(words)
    case 'ls': {
      const read = parseArgs(words, programSpec('ls') ?? NO_SPEC)
      if (
        read.unknown !== undefined ||
        [...read.givenOptions].some(
          (option) =>
            !/^(?:-[1aAcdfFHLprStuUvX]|--(?:all|almost-all|directory|reverse|sort|time|color|group-directories-first))$/.test(
              option,
            ),
        )
      )
        return UNKNOWN
      const folders = read.operands.filter(({ shape }) => !shape.includes(HOLE) || shape.length > 1)
      const hidden = [...read.givenOptions].some((option) => /^(?:-[aAf]|--(?:all|almost-all))$/.test(option))
      if (read.operands.length === 0) return paths([hidden ? HOLE : STAR])
      // Of a folder its names alone are written, of a file or of itself what was given; what has an extension is a file.
      return paths(
        folders.flatMap(({ pattern }) =>
          read.givenOptions.has('-d') || read.givenOptions.has('--directory') || /\.\w+$/.test(pattern)
            ? [pattern]
            : [pattern, STAR],
        ),
      )
    }
    case 'git': {
      const [first, ...rest] = words.map(({ value }) => value)
      // Of what it is given, as a format or a name that is none, some is written as it is.
      if (
        rest.some(
          (word) =>
            word === undefined || /^--(?:format|pretty)=(?!(?:format:)?(?:%[hH])?$)|^--git-path|\.\.\//.test(word),
        )
      )
        return UNKNOWN
      const lists = first === 'ls-files' || (/^(?:diff|show|log)$/.test(first ?? '') && rest.includes('--name-only'))
      // Names of branches and commits begin with no hyphen.
      if (/^(?:rev-parse|branch|describe|symbolic-ref|merge-base|tag|rev-list)$/.test(first ?? ''))
        return paths([`./${HOLE}`])
      if (/^(?:log|show)$/.test(first ?? '') && rest.some((word) => /^--(?:format|pretty)=%[hH]$/.test(word ?? '')))
        return paths([`./${HOLE}`])
      if (!lists) return UNKNOWN
      const named = words
        .slice(1)
        .filter(({ value }) => value !== undefined && !value.startsWith('-') && first === 'ls-files')
      return paths(
        named.length === 0
          ? [`./${HOLE}`]
          : named.map(({ value }) => `./${globPattern(value ?? '').replaceAll(STAR, HOLE)}`),
      )
    }
    case 'grep':
    case 'rg': {
      const read = parseArgs(words, programSpec(name) ?? NO_SPEC)
      if (
        read.unknown !== undefined ||
        !hasOption(read.givenOptions, 'l L files-with-matches files-without-match files') ||
        hasOption(read.givenOptions, 'label')
      )
        return UNKNOWN
      return paths(
        read.uses.flatMap(({ effect, arg }) =>
          effect === 'tree' ? [`${arg.pattern}/${HOLE}`] : effect === 'read' ? [arg.pattern] : [],
        ),
      )
    }
    case 'which':
    case 'type':
    case 'command': {
      const names = words.flatMap(({ value }) =>
        value === undefined || value.startsWith('-') ? [] : [`/bin/${value}`],
      )
      return words.every(({ value }) => value !== undefined) ? paths(names) : UNKNOWN
    }
    case 'pwd':
      return paths(['.'])
    case 'date':
      return dated(words)
    case 'whoami':
    case 'arch':
    case 'hostname':
    case 'uname':
      return words.every(({ value }) => value !== undefined && /^-[nrsm]$/.test(value))
        ? { kind: 'paths', patterns: [STAR], single: true }
        : UNKNOWN
    case 'basename':
      return words.some(({ sources }) => sources.includes('command') || sources.includes('input'))
        ? UNKNOWN
        : paths([HOLE])
    default:
      return UNKNOWN
  }
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
