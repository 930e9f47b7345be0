// The owner's rules: linear-time patterns that must match one whole normalised subcommand.
import { RE2JS } from 're2js'
import type { OwnerRules } from './types.js'

const MAX_CACHED = 256
const MAX_PATTERN = 1000
const compiled = new Map<string, RE2JS | string>()

/** Why a pattern cannot be a rule, or undefined when it can. */
export function ruleProblem(pattern: string): string | undefined {
  const result = compile(pattern)
  return typeof result === 'string' ? result : undefined
}

/** The id of the first rule that matches a whole subcommand; a rule that does not compile matches nothing. */
export function matchingRule(rules: OwnerRules, subcommand: string): string | undefined {
  return rules.bashRules.find((rule) => {
    const pattern = compile(rule.pattern)
    return typeof pattern !== 'string' && pattern.matches(subcommand)
  })?.id
}

/** The pattern that matches exactly one subcommand. */
export function exactRule(subcommand: string): string {
  return subcommand.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

function compile(pattern: string): RE2JS | string {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  let result: RE2JS | string
  if (pattern.trim() === '') result = 'the pattern is empty'
  else if (pattern.length > MAX_PATTERN) result = `the pattern is longer than ${MAX_PATTERN} characters`
  else {
    try {
      result = RE2JS.compile(pattern)
    } catch (error) {
      result = error instanceof Error ? error.message : 'the pattern is not valid'
    }
  }
  if (compiled.size >= MAX_CACHED) compiled.clear()
  compiled.set(pattern, result)
  return result
}
