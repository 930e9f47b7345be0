import type { Redirection } from './parse.js'
import { HARMLESS_OUTPUT } from './system-paths.js'
import { quoteWord, staticArg, type Arg } from './words.js'

/** The standard input of a command, as far as it is known. */
export type Stdin =
  | { readonly kind: 'none' | 'file' }
  /** `names`: patterns of names that it may be made of, as a reason to refuse. */
  | { readonly kind: 'unknown'; readonly names?: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  /** Names of files, each ended by a NUL. */
  | { readonly kind: 'names'; readonly patterns: readonly string[] }

/** One redirection, described by its effect. */
export interface RedirectInfo {
  readonly text: string
  /**
   * `write` creates or changes a file, `read` opens one, `data` is a here-document, `pipe` is the output of others,
   * `descriptor` copies or closes one, `device` writes to where nothing is kept.
   */
  readonly effect: 'write' | 'read' | 'data' | 'pipe' | 'descriptor' | 'device'
  readonly target: Arg | undefined
  /** The new standard input, where this redirection sets it. */
  readonly stdin: Stdin | undefined
}

/**
 * Describes one redirection. `content` is the text of a here-document or here-string, where it is known, `names` those
 * that a command in the place of a file is known to write.
 */
export function describeRedirect(
  node: Redirection,
  text: string,
  target: Arg | undefined,
  content: string | undefined,
  names?: readonly string[],
): RedirectInfo {
  const isZero = node.descriptor?.type === 'FileDescriptor' && node.descriptor.value === 0
  const isInput = node.descriptor === undefined || isZero
  if (node.type === 'HereDoc' || node.type === 'HereString') {
    const data: Stdin = content === undefined ? { kind: 'unknown' } : { kind: 'text', text: content }
    const shown = shownData(node, text, target, content)
    return { text: shown, effect: 'data', target, stdin: isInput ? data : undefined }
  }
  const { operator } = node
  if (operator === '<') return describeRead(text, target, isInput, names)
  const setsStdin = operator.startsWith('<') ? isInput : isZero
  return {
    text,
    effect: copiesDescriptor(operator, target) ? 'descriptor' : writeEffect(target),
    target,
    stdin: setsStdin ? { kind: 'unknown' } : undefined,
  }
}

/** Writes a here-document or here-string as one on one line. The text of one that bash expands is behind `<<`. */
function shownData(node: Redirection, text: string, target: Arg | undefined, content: string | undefined): string {
  const descriptor = text.slice(0, text.indexOf('<')).replace(/^0$/, '')
  if (content !== undefined) return `${descriptor}<<< ${quoteWord(staticArg(content))}`
  return target === undefined
    ? `${descriptor}<< ${quoteWord(staticArg(node.type === 'HereDoc' ? node.body.text : ''))}`
    : `${descriptor}<<< ${target.text}`
}

/** Returns a redirection whose target is known to be another word. */
export function redirectTo(redirect: RedirectInfo, target: Arg): RedirectInfo {
  const { text } = redirect
  const written = redirect.target?.text ?? ''
  return written === target.text || !text.endsWith(written)
    ? { ...redirect, target }
    : { ...redirect, target, text: text.slice(0, text.length - written.length) + quoteWord(target) }
}

/** Describes `<`. A file on a descriptor for output is opened once more, for writing, by its name there. */
function describeRead(
  text: string,
  target: Arg | undefined,
  isInput: boolean,
  names: readonly string[] | undefined,
): RedirectInfo {
  if (!isInput) return { text, effect: writeEffect(target), target, stdin: undefined }
  const stdin: Stdin = target?.sources.length === 0 ? { kind: 'file' } : { kind: 'unknown', ...(names && { names }) }
  return { text, effect: 'read', target, stdin }
}

/** Returns whether a redirection copies or closes a descriptor, and opens no file. */
function copiesDescriptor(operator: string, target: Arg | undefined): boolean {
  return operator === '<&' || (operator === '>&' && /^(?:\d+-?|-)$/.test(target?.value ?? ''))
}

const writeEffect = (target: Arg | undefined): 'write' | 'device' => (writes(target) ? 'write' : 'device')

/**
 * Returns whether a descriptor for output may become a copy of standard input, so that a file that is read could be
 * written.
 */
export function copiesInput({ operator, descriptor }: Redirection, target: Arg): boolean {
  const byDefault = descriptor === undefined && operator === '<&' ? 0 : 1
  const own = descriptor?.type === 'FileDescriptor' ? descriptor.value : byDefault
  return (
    /^[<>]&$/.test(operator) &&
    own !== 0 &&
    (target.value === undefined ? !target.text.includes('/') : /^0-?$/.test(target.value))
  )
}

/** The standard input after redirections are applied from left to right. */
export function stdinOf(redirects: readonly RedirectInfo[], inherited: Stdin): Stdin {
  return redirects.reduce((stdin, redirect) => redirect.stdin ?? stdin, inherited)
}

function writes(target: Arg | undefined): boolean {
  if (target === undefined) return true
  if (target.value !== undefined) return !HARMLESS_OUTPUT.test(target.value)
  // The commands inside a process substitution are judged by themselves.
  return !(target.sources.length === 1 && target.sources[0] === 'process' && target.shape.length === 1)
}
