// What is wrong with a value, in the person's language.
import { facts, listed } from '../../kit/listed.js'
import { brief, type Path } from './model.js'
import { p } from './texts.js'
import type { Problem } from './tools.js'

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
export function wordsOf(problem: Problem): string {
  const keyword = known.find((item) => item === (problem.keyword === 'oneOf' ? 'anyOf' : problem.keyword))
  const expected = Array.isArray(problem.expected)
    ? listed(problem.expected.map((item) => brief(item)))
    : brief(problem.expected)
  const said =
    keyword === 'pattern'
      ? formOf(problem, expected)
      : keyword
        ? p(`error.${keyword}`, { expected })
        : p('error.other', { expected: `${problem.keyword} ${expected}`.trim() })
  return problem.near ? `${said}. ${p('near', { name: problem.near })}` : said
}

/** The words of the schema, an example; the pattern itself where it has neither. */
function formOf({ said, example }: Problem, pattern: string): string {
  const such = example === undefined ? '' : p('suchAs', { example })
  if (said === undefined) return such ? p('error.example', { such }) : p('error.pattern', { expected: pattern })
  return p('error.form', { form: facts(said, such) })
}

export const pathText = (key: string, path: Path): string => [key, ...path].join('.')

export const samePath = (a: Path, b: Path): boolean =>
  a.length === b.length && a.every((part, index) => String(part) === String(b[index]))

/** Problems at a place or below it. */
export const below = (problems: readonly Problem[], path: Path): Problem[] =>
  problems.filter((problem) => path.every((part, index) => String(part) === String(problem.path[index])))
