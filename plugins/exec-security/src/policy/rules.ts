// The owner's rules: linear-time patterns that must match one whole normalised subcommand.
import { RE2JS } from 're2js'
import { Budget } from './budget.js'
import type { OwnerRules } from './types.js'

const MAX_CACHED = 256
const MAX_PATTERN = 1000
/** States of a pattern; more come of counted repetitions, and each takes its time at every character. */
const MAX_STATES = 5000
const WORK_A_STEP = 100
const compiled = new Map<string, RE2JS | string>()

/** Why a pattern cannot be a rule, or undefined when it can. */
export function ruleProblem(pattern: string): string | undefined {
  const result = compile(pattern)
  return typeof result === 'string' ? result : undefined
}

/** The id of the first rule that matches a whole subcommand; a rule that does not compile matches nothing. */
export function matchingRule(rules: OwnerRules, subcommand: string, budget: Budget): string | undefined {
  return rules.bashRules.find((rule) => {
    const pattern = compile(rule.pattern)
    if (typeof pattern === 'string') return false
    // Matching takes time by the size of the pattern and the length of the text.
    budget.spend(1 + Math.ceil(pattern.programSize() * subcommand.length / WORK_A_STEP))
    return pattern.matches(subcommand)
  })?.id
}

/** Whether a pattern matches a whole text; for examples of rules. */
export function ruleMatches(pattern: string, subcommand: string): boolean {
  return matchingRule({ bashAlways: false, bashRules: [{ id: 'example', pattern }] }, subcommand, new Budget()) !== undefined
}

/** The pattern that matches exactly one subcommand. */
export function exactRule(subcommand: string): string {
  return subcommand.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** About how many states a pattern has; counted before it is compiled, since that takes its time as well. */
function weightOf(pattern: string): number {
  const sums = [0]
  let last = 0
  const atom = (weight: number): void => {
    sums[sums.length - 1] = (sums.at(-1) ?? 0) + last
    last = weight
  }
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    const counted = char === '{' ? /^\{(\d{1,9})(?:,(\d{0,9}))?\}/.exec(pattern.slice(at, at + 24)) : null
    if (counted !== null) {
      last *= Math.max(1, Number(counted[1]), Number(counted[2] ?? 0))
      at += counted[0].length - 1
    } else if (char === '(') {
      atom(0)
      sums.push(0)
    } else if (char === ')') {
      atom(0)
      last = sums.length > 1 ? (sums.pop() ?? 0) : 0
    } else if (char === '[') {
      atom(1)
      for (at += 1; at < pattern.length && pattern[at] !== ']'; at++) if (pattern[at] === '\\') at++
    } else {
      atom(1)
      if (char === '\\') at++
    }
  }
  atom(0)
  return sums.reduce((total, sum) => total + sum, 0)
}

function compile(pattern: string): RE2JS | string {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  let result: RE2JS | string
  if (pattern.trim() === '') result = 'the pattern is empty'
  else if (weightOf(pattern) > MAX_STATES) result = 'the pattern repeats too much'
  else if (pattern.length > MAX_PATTERN) result = `the pattern is longer than ${MAX_PATTERN} characters`
  else {
    try {
      const made = RE2JS.compile(pattern)
      result = made.programSize() > MAX_STATES ? 'the pattern repeats too much' : made
    } catch (error) {
      result = error instanceof Error ? error.message : 'the pattern is not valid'
    }
  }
  if (compiled.size >= MAX_CACHED) compiled.clear()
  compiled.set(pattern, result)
  return result
}
