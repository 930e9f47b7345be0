import { describeProblem } from './describe-problem.js'
import type { Mistake } from './mistakes.js'
import { t } from './problem-texts.js'

/** Names the setting of a mistake, or the line of the file, and says what is wrong there. */
export function describeMistake({ setting, problem, line, message }: Mistake): string {
  if (problem) return `${setting} ${describeProblem(problem)}`
  return `${t('fileLine', { line: line ?? 1 })}: ${message ?? ''}`
}
