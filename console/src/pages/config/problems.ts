// What is wrong with a value, in the person's language.
import { joinFacts, joinList } from '../../kit/join-list.js'
import { brief, type Path } from './model.js'
import { t } from './texts.js'
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

/** A sentence without a subject: the field stands beside it. */
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

/** The words of the schema, an example; the pattern itself where it has neither. */
function formOf({ said, example }: Problem, pattern: string): string {
  const such = example === undefined ? '' : t('suchAs', { example })
  if (said === undefined) return such ? t('error.example', { such }) : t('error.pattern', { expected: pattern })
  return t('error.form', { form: joinFacts(said, such) })
}

export const pathText = (key: string, path: Path): string => [key, ...path].join('.')

/** Problems at a place or below it. */
export const problemsBelow = (problems: readonly Problem[], path: Path): Problem[] =>
  problems.filter((problem) => path.every((part, index) => String(part) === String(problem.path[index])))
