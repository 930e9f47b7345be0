import { HOLE, ONE, STAR } from './words.js'

/** The longest pattern that is looked at piece by piece. A longer one may be anything. */
const MAX_PATTERN = 4096

/** Every piece of a pattern that is not written out. */
export const WILD = /[\0-\u0002]/g

/** Whether a pattern has any piece that is not written out. */
export function hasWild(pattern: string): boolean {
  return /[\0-\u0002]/.test(pattern)
}

const WILDCARDS: Readonly<Record<string, string>> = { '*': STAR, '?': ONE }

/** Returns the pattern of a glob that is written as text: `?`, `*`, classes and escaped characters. */
export function globPattern(glob: string): string {
  let pattern = ''
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? ''
    if (char === '[') {
      const end = classEnd(glob, at)
      // Programs differ in what an open bracket means.
      if (end < 0) return pattern + HOLE
      pattern += ONE
      at = end
    } else if (char === '\\') {
      pattern += glob[++at] ?? ''
    } else {
      pattern += WILDCARDS[char] ?? char
    }
  }
  return pattern
}

/**
 * Returns the end of a character class. A bracket at its beginning, escaped or in a name such as `[:alpha:]` belongs to
 * it.
 */
function classEnd(glob: string, from: number): number {
  let at = from + 1
  if (glob[at] === '!' || glob[at] === '^') at++
  for (let first = true; at < glob.length; at++, first = false) {
    const char = glob[at]
    if (char === ']' && !first) return at
    if (char === '\\') at++
    else if (char === '[' && /[:.=]/.test(glob[at + 1] ?? '')) {
      const close = glob.indexOf(`${glob[at + 1] ?? ''}]`, at + 2)
      if (close >= 0) at = close + 1
    }
  }
  return -1
}

/** Whether a pattern may become a text. Letters count as equal in any case. */
export function couldBe(pattern: string, text: string): boolean {
  return reach(pattern, text).includes(pattern.length)
}

/** Whether a pattern may become a path or anything below it. */
export function couldReach(pattern: string, tree: string): boolean {
  return reach(pattern, tree).some((at) => mayContinue(pattern, at))
}

/** How far a pattern has been used up, in every way in which what was used is exactly the text. */
function reach(pattern: string, text: string): number[] {
  if (pattern.length > MAX_PATTERN) return hasWild(pattern) ? [pattern.length] : []
  const lower = text.toLowerCase()
  let states = new Set<number>([0])
  skipEmpty(pattern, states)
  for (const char of lower) {
    const next = new Set<number>()
    for (const at of states) {
      const token = pattern[at]
      if (token === undefined) continue
      if (token === HOLE || (token === STAR && char !== '/')) next.add(at)
      else if (token === ONE ? char !== '/' : token.toLowerCase() === char) next.add(at + 1)
    }
    skipEmpty(pattern, next)
    states = next
    if (states.size === 0) return []
  }
  return [...states]
}

/** A piece of any length may be empty. */
function skipEmpty(pattern: string, states: Set<number>): void {
  for (const at of states) if (pattern[at] === HOLE || pattern[at] === STAR) states.add(at + 1)
}

/** Whether what is left of a pattern may be nothing, or a path below. */
function mayContinue(pattern: string, from: number): boolean {
  for (let at = from; at < pattern.length; at++) {
    const token = pattern[at]
    if (token === '/' || token === HOLE) return true
    if (token !== STAR) return false
  }
  return true
}

/** Splits a pattern before its first component with a wildcard. */
export function splitWild(pattern: string): { readonly fixed: string; readonly wild: string } {
  const parts = pattern.split('/')
  const at = parts.findIndex(hasWild)
  return at < 0
    ? { fixed: pattern, wild: '' }
    : { fixed: parts.slice(0, at).join('/'), wild: parts.slice(at).join('/') }
}

/** The letters of a component that are written out. */
export function written(part: string): string {
  return part.replaceAll(WILD, '')
}
