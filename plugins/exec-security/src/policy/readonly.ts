// The twelve read-only commands: which of their arguments keep them read-only.
import { checkFind } from './find.js'
import { parseOptions } from './options.js'
import type { OptionTable, ParsedOptions } from './options.js'
import { displayShape, secretDirectory, secretPath, wideDirectory } from './secrets.js'
import { HOLE } from './words.js'
import type { Arg } from './words.js'

/** Returns what is not read-only about the arguments, or undefined. */
export type ArgumentCheck = (args: readonly Arg[]) => string | undefined

const COMMON = ['help', 'version']

const LS: OptionTable = {
  flags: 'aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1', values: 'ITw', long: [
    'all', 'almost-all', 'author', 'escape', 'ignore-backups', 'directory', 'dired', 'file-type', 'full-time', 'group-directories-first',
    'no-group', 'human-readable', 'si', 'dereference-command-line', 'dereference-command-line-symlink-to-dir', 'inode', 'kibibytes',
    'dereference', 'numeric-uid-gid', 'literal', 'hide-control-chars', 'show-control-chars', 'quote-name', 'reverse', 'recursive', 'size',
    'context', 'zero', ...COMMON
  ],
  longValues: ['block-size', 'format', 'hide', 'indicator-style', 'ignore', 'quoting-style', 'sort', 'time', 'time-style', 'tabsize', 'width'],
  longOptional: ['color', 'classify', 'hyperlink']
}
const CAT: OptionTable = {
  flags: 'AbeEnstTuv',
  long: ['show-all', 'number-nonblank', 'show-ends', 'number', 'squeeze-blank', 'show-tabs', 'show-nonprinting', ...COMMON]
}
const PWD: OptionTable = { flags: 'LP', long: ['logical', 'physical', ...COMMON] }
const WHOAMI: OptionTable = { long: COMMON }
const DATE: OptionTable = {
  flags: 'Ru', values: 'dfr', optional: 'I', long: ['debug', 'rfc-email', 'rfc-2822', 'utc', 'universal', 'resolution', ...COMMON],
  longValues: ['date', 'file', 'reference', 'rfc-3339'], longOptional: ['iso-8601']
}
const HEAD: OptionTable = {
  flags: 'qvz', values: 'cn', numbers: true, splitValues: true, long: ['quiet', 'silent', 'verbose', 'zero-terminated', ...COMMON], longValues: ['bytes', 'lines']
}
const TAIL: OptionTable = {
  flags: 'fFqvzr', values: 'cnsb', numbers: true, splitValues: true, long: ['quiet', 'silent', 'verbose', 'zero-terminated', 'retry', ...COMMON],
  longValues: ['bytes', 'lines', 'pid', 'sleep-interval', 'max-unchanged-stats'], longOptional: ['follow']
}
const WC: OptionTable = { flags: 'clLmw', long: ['bytes', 'chars', 'lines', 'max-line-length', 'words', ...COMMON], longValues: ['files0-from', 'total'] }
const STAT: OptionTable = { flags: 'fLtnqrsx', values: 'c', long: ['dereference', 'file-system', 'terse', ...COMMON], longValues: ['format', 'printf', 'cached'] }
const FILE: OptionTable = {
  flags: 'bcdEhiIklLNnprsSvzZ0', values: 'eFfmP', long: [
    'brief', 'checking-printout', 'mime', 'mime-type', 'mime-encoding', 'keep-going', 'list', 'dereference', 'no-dereference', 'no-pad', 'no-buffer',
    'preserve-date', 'raw', 'special-files', 'uncompress', 'uncompress-noreport', 'print0', 'apple', 'extension', 'debug', 'no-sandbox', ...COMMON
  ],
  longValues: ['exclude', 'exclude-quiet', 'separator', 'files-from', 'magic-file', 'parameter']
}
const GREP: OptionTable = {
  flags: 'EFGPivwxcLlqshHnbTUzaIrRoyuV', values: 'efmABCdD', numbers: true, long: [
    'extended-regexp', 'fixed-strings', 'basic-regexp', 'perl-regexp', 'ignore-case', 'no-ignore-case', 'invert-match', 'word-regexp', 'line-regexp',
    'count', 'files-without-match', 'files-with-matches', 'quiet', 'silent', 'no-messages', 'with-filename', 'no-filename', 'line-number', 'byte-offset',
    'initial-tab', 'binary', 'null', 'null-data', 'text', 'recursive', 'dereference-recursive', 'only-matching', 'line-buffered', 'unix-byte-offsets',
    'no-group-separator', ...COMMON
  ],
  longValues: [
    'regexp', 'file', 'max-count', 'after-context', 'before-context', 'context', 'binary-files', 'directories', 'devices', 'include', 'exclude',
    'exclude-from', 'exclude-dir', 'label', 'group-separator'
  ],
  longOptional: ['color', 'colour']
}

const CHECKS: Readonly<Record<string, ArgumentCheck>> = {
  ls: (args) => withOptions('ls', args, LS, (parsed) => listsSecret('ls', parsed.operands)),
  cat: (args) => withOptions('cat', args, CAT, (parsed) => readsSecret('cat', parsed.operands)),
  pwd: (args) => withOptions('pwd', args, PWD, () => undefined),
  whoami: (args) => withOptions('whoami', args, WHOAMI, () => undefined),
  head: (args) => withOptions('head', args, HEAD, (parsed) => readsSecret('head', parsed.operands)),
  tail: (args) => withOptions('tail', args, TAIL, (parsed) => readsSecret('tail', parsed.operands)),
  wc: (args) => withOptions('wc', args, WC, (parsed) => readsSecret('wc', [...parsed.operands, ...valuesOf(parsed, '--files0-from')])),
  stat: (args) => withOptions('stat', args, STAT, (parsed) => listsSecret('stat', parsed.operands)),
  file: (args) => withOptions('file', args, FILE, checkFile),
  date: (args) => withOptions('date', args, DATE, checkDate),
  grep: (args) => withOptions('grep', args, GREP, checkGrep),
  find: checkFind
}

/** The check of a read-only command, or undefined for any other word. */
export function readOnlyCheck(name: string): ArgumentCheck | undefined {
  return Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined
}

function withOptions(name: string, args: readonly Arg[], table: OptionTable, check: (parsed: ParsedOptions) => string | undefined): string | undefined {
  const parsed = parseOptions(args, table)
  return typeof parsed === 'string' ? `the argument ${parsed} of ${name} is not known to be read-only` : check(parsed)
}

function valuesOf(parsed: ParsedOptions, ...names: string[]): Arg[] {
  return parsed.options.flatMap((option) => (names.includes(option.name) && option.value !== undefined ? [option.value] : []))
}

/** Whether one of the files read holds credentials. */
export function readsSecret(name: string, files: readonly Arg[]): string | undefined {
  const secret = files.find(secretPath)
  return secret === undefined ? undefined : `${name} would read ${displayShape(secret)}, which may hold credentials`
}

function listsSecret(name: string, files: readonly Arg[]): string | undefined {
  const secret = files.find(secretDirectory)
  return secret === undefined ? undefined : `${name} would look into ${displayShape(secret)}, which may hold credentials`
}

function checkFile(parsed: ParsedOptions): string | undefined {
  const computed = parsed.uncertain.find((arg) => arg.unknown.includes('command'))
  if (computed !== undefined) return `the argument ${computed.text} of file is computed`
  return readsSecret('file', valuesOf(parsed, '-f', '--files-from', '-m', '--magic-file')) ?? listsSecret('file', parsed.operands)
}

function checkDate(parsed: ParsedOptions): string | undefined {
  const setting = parsed.operands.find((arg) => !arg.shape.startsWith('+'))
  if (setting !== undefined) {
    return setting.shape.startsWith(HOLE) ? `the argument ${setting.text} of date is computed` : 'date with an operand sets the clock'
  }
  return readsSecret('date', valuesOf(parsed, '-f', '--file'))
}

function checkGrep(parsed: ParsedOptions): string | undefined {
  const given = new Set(parsed.options.map((option) => option.name))
  const named = ['-e', '-f', '--regexp', '--file'].some((option) => given.has(option))
  const files = named ? parsed.operands : parsed.operands.slice(1)
  const secret = readsSecret('grep', [...files, ...valuesOf(parsed, '-f', '--file', '--include', '--exclude-from')])
  if (secret !== undefined) return secret
  const recursive = ['-r', '-R', '--recursive', '--dereference-recursive', '-d', '--directories'].some((option) => given.has(option))
  const wide = recursive ? files.find(wideDirectory) : undefined
  return wide === undefined ? undefined : `grep would read everything below ${displayShape(wide)}`
}
