import { HOLE } from '../words.js'
import { changesMeaning } from './environment.js'
import type { Arg } from '../words.js'
import type { Stdin } from '../redirects.js'

/** The text or file that a call of a shell runs. */
export type ShellCall =
  | { readonly kind: 'script'; readonly text: string; readonly posix: boolean }
  | { readonly kind: 'file'; readonly path: Arg | undefined }
  | { readonly kind: 'nothing' }
  /** A text that is only known when it runs: it can be asked about, never passed unseen. */
  | { readonly kind: 'opaque'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

const BASH = new Set(['bash', 'rbash'])
const POSIX = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'lksh', 'yash', 'posh'])
const FOREIGN = new Set('zsh fish csh tcsh nu pwsh powershell xonsh elvish rc es osh'.split(' '))

/** Whether a base name is a shell. */
export function isShell(name: string): boolean {
  return BASH.has(name) || POSIX.has(name) || FOREIGN.has(name)
}

/** Commands that run their standard input as a script of sh, at a later time. */
export function runsInput(name: string): boolean {
  return name === 'at' || name === 'batch'
}

/** Returns what a call of a shell runs. */
export function readShellCall(name: string, args: readonly Arg[], stdin: Stdin): ShellCall {
  const options = readShellOptions(name, args, stdin)
  if ('kind' in options) return options
  const { wantsText, fromStdin, operand } = options
  if (wantsText) return textCall(name, operand)
  return (operand === undefined || fromStdin ? undefined : fileCall(name, operand)) ?? fromInput(name, stdin)
}

interface ShellOptions {
  /** `-c`: the first operand is the script. */
  readonly wantsText: boolean
  /** `-s`: the script is on standard input. */
  readonly fromStdin: boolean
  /** The first word that is not an option. */
  readonly operand: Arg | undefined
}

/** Options without an effect on what is run. */
const HARMLESS_OPTION =
  /^--(?:norc|noprofile|posix|login|noediting|restricted|verbose|debugger|dump-strings|no-config|no-rcs)$/

/** Reads the options of a shell up to its first operand, or returns what is known before. */
function readShellOptions(name: string, args: readonly Arg[], stdin: Stdin): ShellOptions | ShellCall {
  let wantsText = false
  let fromStdin = false
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as Arg
    const { value } = word
    if (value === undefined) {
      const call = computedOption(name, word, args.length === 1 && stdin.kind === 'none')
      if (call !== undefined) return call
      break
    }
    if (value === '--' || value === '-') {
      at += 1
      break
    }
    if (HARMLESS_OPTION.test(value)) continue
    if (value.startsWith('--')) return longOption(name, value)
    if (!/^[-+]./.test(value)) break
    const cluster = readCluster(name, value, args.slice(at + 1))
    if ('kind' in cluster) return cluster
    wantsText ||= cluster.letters.includes('c')
    fromStdin ||= cluster.letters.includes('s')
    at += cluster.taken
  }
  return { wantsText, fromStdin, operand: args[at] }
}

interface ShellCluster {
  /** The letters that are switched on. */
  readonly letters: string
  /** The number of the next words that are values of options. */
  readonly taken: number
}

/** Reads options behind one sign. `next` are the words after it. */
function readCluster(name: string, value: string, next: readonly Arg[]): ShellCluster | ShellCall {
  if (!/^[-+][abcefhilmnprstuvxBCDEHPTOo]+$/.test(value)) return unknownOption(name, value)
  let taken = 0
  for (const letter of value) {
    if (letter !== 'o' && letter !== 'O') continue
    const refused = refusedSetting(name, value, next[taken++])
    if (refused !== undefined) return refused
  }
  return { letters: value.startsWith('-') ? value : '', taken }
}

/** Returns what a computed word means where options are possible. `isAlone` says that nothing else can be a script. */
function computedOption(name: string, word: Arg, isAlone: boolean): ShellCall | undefined {
  const isHole = word.shape.startsWith(HOLE)
  if (isAlone && isHole && !word.splits && !word.sources.includes('process')) return { kind: 'file', path: word }
  // A word with a slash can be a path and no option.
  const isPath = word.shape.includes('/') && !word.splits
  return (isHole && !isPath) || word.shape.startsWith('-')
    ? { kind: 'refused', reason: `an argument of ${name} is computed: ${word.text}` }
    : undefined
}

function longOption(name: string, value: string): ShellCall {
  if (value === '--version' || value === '--help') return { kind: 'nothing' }
  if (value === '--rcfile' || value === '--init-file')
    return { kind: 'refused', reason: `${name} ${value} runs a start-up file` }
  return unknownOption(name, value)
}

function unknownOption(name: string, value: string): ShellCall {
  return { kind: 'refused', reason: `${name} has an option that is not known: ${value}` }
}

/** Returns why the value of `-o` or `-O` is refused. */
function refusedSetting(name: string, option: string, word: Arg | undefined): ShellCall | undefined {
  if (word?.value === undefined) return { kind: 'refused', reason: `an argument of ${name} is computed` }
  return /alias|posix/.test(word.value) || changesMeaning(word.value)
    ? { kind: 'refused', reason: `${name} ${option} ${word.value} changes how text is read` }
    : undefined
}

/** Returns what `-c` runs. */
function textCall(name: string, operand: Arg | undefined): ShellCall {
  if (operand === undefined) return { kind: 'nothing' }
  if (FOREIGN.has(name)) return { kind: 'refused', reason: `the script of ${name} is not bash` }
  if (operand.value === undefined) return { kind: 'refused', reason: `the script given to ${name} is computed` }
  return { kind: 'script', text: operand.value, posix: POSIX.has(name) }
}

/** Returns what a script file runs, or undefined where the file is standard input. */
function fileCall(name: string, operand: Arg): ShellCall | undefined {
  const path = operand.value
  if (path === undefined)
    return operand.shape.includes('/') && !operand.sources.includes('process')
      ? { kind: 'file', path: operand }
      : { kind: 'opaque', reason: `the script file of ${name} is computed` }
  if (!/^\/(?:dev\/(?:stdin|fd\/|tcp|udp)|proc\/)/.test(path)) return { kind: 'file', path: operand }
  return path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0'
    ? undefined
    : { kind: 'opaque', reason: `${name} reads its script from ${path}` }
}

function fromInput(name: string, stdin: Stdin): ShellCall {
  switch (stdin.kind) {
    case 'none':
      return { kind: 'nothing' }
    case 'file':
      return { kind: 'file', path: undefined }
    case 'unknown':
    case 'names':
      return { kind: 'opaque', reason: `${name} runs text that is only known when it runs` }
    case 'text':
      return FOREIGN.has(name)
        ? { kind: 'refused', reason: `the script of ${name} is not bash` }
        : { kind: 'script', text: stdin.text, posix: POSIX.has(name) }
  }
}
