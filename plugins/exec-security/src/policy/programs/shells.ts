// Shells called as commands: which text they will run, as far as their arguments and standard input tell.
import { HOLE } from '../words.js'
import type { Arg } from '../words.js'
import type { Stdin } from '../redirects.js'

/** What a call of a shell runs. */
export type ShellCall =
  | { readonly kind: 'script'; readonly text: string; readonly posix: boolean }
  | { readonly kind: 'file'; readonly path: Arg | undefined }
  | { readonly kind: 'nothing' }
  /** A text that is only known when it runs: it can be asked about, never passed unseen. */
  | { readonly kind: 'opaque'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

const BASH = new Set(['bash', 'rbash'])
const POSIX = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'lksh', 'yash', 'posh'])
const FOREIGN = new Set([
  'zsh',
  'fish',
  'csh',
  'tcsh',
  'nu',
  'pwsh',
  'powershell',
  'xonsh',
  'elvish',
  'rc',
  'es',
  'osh',
])

/** Whether a base name is a shell. */
export function isShell(name: string): boolean {
  return BASH.has(name) || POSIX.has(name) || FOREIGN.has(name)
}

/** Commands that run their standard input as a script of sh, at a later time. */
export function runsInput(name: string): boolean {
  return name === 'at' || name === 'batch'
}

/** Decides what a shell will run. */
export function readShellCall(name: string, args: readonly Arg[], stdin: Stdin): ShellCall {
  const foreign = FOREIGN.has(name)
  const posix = POSIX.has(name)
  let wantsText = false
  let fromStdin = false
  let i = 0
  for (; i < args.length; i++) {
    const word = args[i]
    if (word === undefined) break
    const { value } = word
    if (value === undefined) {
      // The only argument, and nothing on standard input: whatever it turns out to be, it is no more than a file.
      const alone = args.length === 1 && !word.splits && stdin.kind === 'none' && !word.sources.includes('process')
      if (alone && word.shape.startsWith(HOLE)) return { kind: 'file', path: word }
      // What holds a slash may be a path, but no option.
      const path = word.shape.includes('/') && !word.splits
      if ((word.shape.startsWith(HOLE) && !path) || word.shape.startsWith('-'))
        return { kind: 'refused', reason: `an argument of ${name} is computed: ${word.text}` }
      break
    }
    if (value === '--' || value === '-') {
      i += 1
      break
    }
    if (value === '--version' || value === '--help') return { kind: 'nothing' }
    if (value === '--rcfile' || value === '--init-file') {
      return { kind: 'refused', reason: `${name} ${value} runs a start-up file` }
    }
    if (
      /^--(?:norc|noprofile|posix|login|noediting|restricted|verbose|debugger|dump-strings|no-config|no-rcs)$/.test(
        value,
      )
    )
      continue
    if (value.startsWith('--') && value.length > 2)
      return { kind: 'refused', reason: `${name} has an option that is not known: ${value}` }
    if (!/^[-+]./.test(value)) break
    if (!/^[-+][abcefhiklmnprstuvxBCDEHPTOo]+$/.test(value))
      return { kind: 'refused', reason: `${name} has an option that is not known: ${value}` }
    if (value.startsWith('-') && value.includes('c')) wantsText = true
    if (value.startsWith('-') && value.includes('s')) fromStdin = true
    for (const letter of value) {
      if (letter !== 'o' && letter !== 'O') continue
      const option = args[i + 1]
      if (option?.value === undefined) return { kind: 'refused', reason: `an argument of ${name} is computed` }
      if (/alias|posix/.test(option.value))
        return { kind: 'refused', reason: `${name} ${value} ${option.value} changes how text is read` }
      i += 1
    }
  }
  const operand = args[i]
  if (wantsText) {
    if (operand === undefined) return { kind: 'nothing' }
    if (foreign) return { kind: 'refused', reason: `the script of ${name} is not bash` }
    if (operand.value === undefined) return { kind: 'refused', reason: `the script given to ${name} is computed` }
    return { kind: 'script', text: operand.value, posix }
  }
  if (operand !== undefined && !fromStdin) {
    const path = operand.value
    if (path === undefined && operand.shape.includes('/') && !operand.sources.includes('process'))
      return { kind: 'file', path: operand }
    if (path === undefined) return { kind: 'opaque', reason: `the script file of ${name} is computed` }
    if (!/^\/(?:dev\/(?:stdin|fd\/|tcp|udp)|proc\/)/.test(path)) return { kind: 'file', path: operand }
    if (path !== '/dev/stdin' && path !== '/dev/fd/0' && path !== '/proc/self/fd/0') {
      return { kind: 'opaque', reason: `${name} reads its script from ${path}` }
    }
  }
  return fromInput(name, stdin, foreign, posix)
}

function fromInput(name: string, stdin: Stdin, foreign: boolean, posix: boolean): ShellCall {
  switch (stdin.kind) {
    case 'none':
      return { kind: 'nothing' }
    case 'file':
      return { kind: 'file', path: undefined }
    case 'unknown':
    case 'paths':
      return { kind: 'opaque', reason: `${name} runs text that is only known when it runs` }
    case 'text':
      return foreign
        ? { kind: 'refused', reason: `the script of ${name} is not bash` }
        : { kind: 'script', text: stdin.text, posix }
  }
}
