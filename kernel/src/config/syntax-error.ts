import type { YAMLException } from 'js-yaml'

/** A mistake in a text, and its line, counted from 1. */
export interface SyntaxProblem {
  readonly message: string
  readonly line?: number
}

const isEmpty = (line: string): boolean => /^\s*(?:#|$)/.test(line)
const hasNoColon = (line: string): boolean => !line.includes(':') && !/^\s*-(?:\s|$)/.test(line)

/**
 * Explains an error of the parser.
 *
 * A line without a colon continues the value above it, so that the parser complains about a later line.
 */
export function syntaxProblem(error: YAMLException, text: string): SyntaxProblem {
  if (!error.mark) return { message: error.reason }
  const { line } = error.mark
  if (error.reason.includes('mapping entry')) {
    const lines = text.split('\n', line + 1)
    const above = lines.findLastIndex((other, index) => index < line && !isEmpty(other))
    const found = [line, above].find((index) => hasNoColon(lines[index] ?? ':') && !isEmpty(lines[index] ?? ''))
    const word = found === undefined ? undefined : /^\s*([\w.-]{1,60})/.exec(lines[found] ?? '')?.[1]
    if (found !== undefined && word !== undefined)
      return { message: `a colon is missing: write "${word}: …"`, line: found + 1 }
  }
  return { message: error.reason, line: line + 1 }
}
