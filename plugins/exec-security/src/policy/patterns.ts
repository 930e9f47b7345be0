// Patterns as sets of texts: what may a word with unknown pieces become, and can that be a certain path?
import { HOLE, ONE, STAR } from './words.js'

/** The longest pattern that is looked at piece by piece; a longer one may be anything. */
const MAX_PATTERN = 4096

const isWild = (token: string): boolean => token === HOLE || token === STAR || token === ONE

/** Whether a pattern has any piece that is not written out. */
export function hasWild(pattern: string): boolean {
  return pattern.includes(HOLE) || pattern.includes(STAR) || pattern.includes(ONE)
}

/** Whether a pattern may become a text; letters count as equal in any case. */
export function couldBe(pattern: string, text: string): boolean {
  return reach(pattern, text).includes(pattern.length)
}

/** Whether a pattern may become a path or anything below it. */
export function couldReach(pattern: string, tree: string): boolean {
  if (pattern.length > MAX_PATTERN) return hasWild(pattern)
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

/** The components of a pattern from its first wild one on, and what stands before them. */
export function splitWild(pattern: string): { readonly fixed: string; readonly wild: string } {
  const parts = pattern.split('/')
  const at = parts.findIndex((part) => [...part].some(isWild))
  return at < 0 ? { fixed: pattern, wild: '' } : { fixed: parts.slice(0, at).join('/'), wild: parts.slice(at).join('/') }
}

/** The letters of a component that are written out. */
export function written(part: string): string {
  return [...part].filter((token) => !isWild(token)).join('')
}
