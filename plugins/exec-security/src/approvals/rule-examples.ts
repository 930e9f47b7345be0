// Examples of a rule: what it must match and what it must not, checked when it is made and when it is read.
import { ruleMatches, ruleProblem } from '../policy/index.js'

/** A pattern with its examples. */
export interface RuleExamples {
  readonly pattern: string
  readonly match?: readonly string[] | undefined
  readonly noMatch?: readonly string[] | undefined
}

/** Why a rule is not usable: its pattern, or the first example that it does not keep. */
export function exampleProblem({ pattern, match = [], noMatch = [] }: RuleExamples): string | undefined {
  const problem = /[\p{Cc}\u2028\u2029]/u.test(pattern) ? 'a rule is one line' : ruleProblem(pattern)
  if (problem !== undefined) return problem
  const missed = match.find((example) => !ruleMatches(pattern, example))
  if (missed !== undefined) return `it does not match "${missed}"`
  const caught = noMatch.find((example) => ruleMatches(pattern, example))
  return caught === undefined ? undefined : `it matches "${caught}"`
}
