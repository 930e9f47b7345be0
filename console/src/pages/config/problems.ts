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

export const pathText = (key: string, path: Path): string => [key, ...path].join('.')

/** Focuses the control of a setting, or of the nearest one above it that is shown. Returns whether there is one. */
export function focusSetting(setting: string): boolean {
  for (let at = setting; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const row = document.querySelector<HTMLElement>(`[data-setting="${CSS.escape(at)}"]`)
    if (!row) continue
    const item = row.closest('details')
    if (item) item.open = true
    row.scrollIntoView({ block: 'center' })
    const inside = 'input, select, textarea, button, summary'
    ;(row.querySelector<HTMLElement>(`.wrong :is(${inside})`) ?? row.querySelector<HTMLElement>(inside))?.focus()
    return true
  }
  return false
}

/** Returns the problems at a path or below it. */
export const problemsBelow = (problems: readonly Problem[], path: Path): Problem[] =>
  problems.filter((problem) => path.every((part, index) => String(part) === String(problem.path[index])))
