import { joinFacts, joinList } from '../../kit/join-list.js'
import { brief } from './model.js'
import { t } from './problem-texts.js'
import type { Problem } from './yaml-tools.js'

const known = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'required',
  'unknown',
  'minItems',
  'maxItems',
  'anyOf',
  'uniqueItems',
] as const

/** Describes a problem in a sentence without a subject, because the field is shown next to it. */
export function describeProblem(problem: Problem): string {
  const keyword = known.find((item) => item === (problem.keyword === 'oneOf' ? 'anyOf' : problem.keyword))
  const expected = Array.isArray(problem.expected)
    ? joinList(problem.expected.map((item) => brief(item)))
    : brief(problem.expected)
  const text = violation(problem, keyword, expected)
  return problem.near ? `${text}. ${t('near', { name: problem.near })}` : text
}

function violation(problem: Problem, keyword: (typeof known)[number] | undefined, expected: string): string {
  if (keyword === 'pattern') return formOf(problem, expected)
  if (keyword) return t(`error.${keyword}`, { expected })
  return t('error.other', { expected: `${problem.keyword} ${expected}`.trim() })
}

/** Describes a pattern by the description and example of the schema, or by the pattern itself. */
function formOf({ said, example }: Problem, pattern: string): string {
  const such = example === undefined ? '' : t('suchAs', { example })
  if (said === undefined) return such ? t('error.example', { such }) : t('error.pattern', { expected: pattern })
  return t('error.form', { form: joinFacts(said, such) })
}
