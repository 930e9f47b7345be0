import { pathText } from './setting-path.js'
import type { Editing } from './use-editing.js'
import type { Problem } from './yaml-tools.js'

/** An invalid value of a draft, or a line of the file that cannot be read. */
export interface Mistake {
  readonly section: string
  readonly setting: string
  readonly problem?: Problem
  /** In the file, where it cannot be parsed. */
  readonly line?: number
  /** Describes the mistake in that line. */
  readonly message?: string
}

/** Returns the problems of sections as mistakes. */
export const mistakesIn = (problems: Editing['problems'], keys: readonly string[]): readonly Mistake[] =>
  keys.flatMap((key) =>
    (problems[key] ?? []).map((problem) => ({ section: key, setting: pathText(key, problem.path), problem })),
  )

/** Returns what is not valid in the sections that were edited, or in the text. */
export function mistakesOf({ draft, problems, yamlProblems }: Editing): readonly Mistake[] {
  const found = draft
    ? mistakesIn(
        problems,
        Object.keys(problems).filter((key) => Object.hasOwn(draft.sections, key)),
      )
    : []
  if (found.length > 0 || draft?.text === undefined) return found
  return yamlProblems.map(({ line, message }) => ({ section: '', setting: '', line, message }))
}
