import { RE2JS } from 're2js'
import { Budget } from './budget.js'
import type { OwnerRules } from './types.js'

const MAX_CACHED = 256
const MAX_PATTERN = 1000
/** Limit for the states of a pattern. Counted repetitions add states, and each state takes time at every character. */
const MAX_STATES = 5000
const WORK_A_STEP = 100
const compiled = new Map<string, RE2JS | string>()

/** Why a pattern cannot be a rule, or undefined when it can. */
export function ruleProblem(pattern: string): string | undefined {
  const result = compile(pattern)
  return typeof result === 'string' ? result : undefined
}

/** The id of the first rule that matches a whole subcommand. A rule that does not compile matches nothing. */
export function matchingRule(rules: OwnerRules, subcommand: string, budget: Budget): string | undefined {
  return rules.bashRules.find((rule) => {
    const pattern = compile(rule.pattern)
    if (typeof pattern === 'string') return false
    // Matching takes time by the size of the pattern and the length of the text.
    budget.spend(1 + Math.ceil((pattern.programSize() * subcommand.length) / WORK_A_STEP))
    return pattern.matches(subcommand)
  })?.id
}

/** Returns whether a pattern matches a whole text, such as an example of a rule. */
export function ruleMatches(pattern: string, subcommand: string): boolean {
  return (
    matchingRule({ bashAlways: false, bashRules: [{ id: 'example', pattern }] }, subcommand, new Budget()) !== undefined
  )
}

/** The pattern that matches exactly one subcommand. */
export function exactRule(subcommand: string): string {
  return subcommand.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** The pieces of a pattern: escaped characters, classes, counted repetitions, single characters. */
const PIECES = /\\[^]?|\[(?:\\[^]|[^\]])*\]?|\{\d{1,9}(?:,\d{0,9})?\}|[^]/g

/** Returns about how many states a pattern has. They are counted before it is compiled, which takes time as well. */
function weightOf(pattern: string): number {
  // For each open group its size so far, and its last piece, which a count repeats.
  const groups = [{ sum: 0, last: 0 }]
  for (const [piece] of pattern.matchAll(PIECES)) {
    const group = groups.at(-1) as { sum: number; last: number }
    const [, least, most] = /^\{(\d+)(?:,(\d*))?\}$/.exec(piece) ?? []
    if (least !== undefined) {
      group.last *= Math.max(1, Number(least), Number(most ?? 0))
    } else if (piece === ')' && groups.length > 1) {
      groups.pop()
      Object.assign(groups.at(-1) ?? {}, { last: group.sum + group.last })
    } else {
      group.sum += group.last
      group.last = piece === '(' ? 0 : 1
      if (piece === '(') groups.push({ sum: 0, last: 0 })
    }
  }
  return groups.reduce((total, { sum, last }) => total + sum + last, 0)
}

function compile(pattern: string): RE2JS | string {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  if (compiled.size >= MAX_CACHED) compiled.clear()
  const result = compileNew(pattern)
  compiled.set(pattern, result)
  return result
}

function compileNew(pattern: string): RE2JS | string {
  if (pattern.trim() === '') return 'the pattern is empty'
  if (pattern.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`
  if (weightOf(pattern) > MAX_STATES) return 'the pattern repeats too much'
  try {
    const made = RE2JS.compile(pattern)
    return made.programSize() > MAX_STATES ? 'the pattern repeats too much' : made
  } catch (error) {
    return error instanceof Error ? error.message : 'the pattern is not valid'
  }
}
