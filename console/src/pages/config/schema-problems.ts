import { describeProblem } from './describe-problem.js'
import { pathText } from './setting-path.js'
import type { parse as Parse, Problem, YamlProblem } from './yaml-tools.js'

/** Returns the problems of the sections with their lines in the text of the file. */
export function schemaProblems(
  parse: typeof Parse,
  text: string,
  problems: Readonly<Record<string, readonly Problem[]>>,
): readonly YamlProblem[] {
  if (Object.values(problems).every((list) => list.length === 0)) return []
  const { lineOf } = parse(text)
  return Object.entries(problems).flatMap(([key, list]) =>
    list.map((problem) => ({
      line: lineOf([...key.split('.'), ...problem.path]) ?? 1,
      column: 1,
      message: `${pathText(key, problem.path)} ${describeProblem(problem)}`,
    })),
  )
}
