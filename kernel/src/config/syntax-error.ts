import type { YAMLException } from 'js-yaml'

/** A mistake in a text, and its line, counted from 1. */
export interface SyntaxProblem {
  readonly message: string
  readonly line?: number
}

const isEmpty = (line: string): boolean => /^\s*(?:#|$)/.test(line)
const hasNoColon = (line: string): boolean => !isEmpty(line) && !line.includes(':') && !/^\s*-(?:\s|$)/.test(line)
const indentOf = (line: string): number => line.search(/\S|$/)
/** A word that may be a key. Others are not quoted: a line without a colon may be a part of a secret. */
const KEY = /^\s*([a-z][a-z-]{0,29})(?=\s|$)/i

/**
 * Explains an error of the parser.
 *
 * A line without a colon continues the value above it, so that the parser complains about a later line. A line that is
 * indented deeper than that one does belong to a value of several lines.
 */
export function syntaxProblem(error: YAMLException, text: string): SyntaxProblem {
  if (!error.mark) return { message: error.reason }
  const { line } = error.mark
  if (error.reason.includes('mapping entry')) {
    const lines = text.split('\n', line + 1)
    const named = lines[line] ?? ''
    const above = lines.findLastIndex((other, index) => index < line && !isEmpty(other))
    const isAbove =
      hasNoColon(lines[above] ?? '') && (isEmpty(named) || indentOf(lines[above] ?? '') <= indentOf(named))
    const found = hasNoColon(named) ? line : above
    if (hasNoColon(named) || isAbove) {
      const key = KEY.exec(lines[found] ?? '')?.[1]
      return { message: `a colon is missing${key === undefined ? '' : `: write "${key}: …"`}`, line: found + 1 }
    }
  }
  return { message: error.reason, line: line + 1 }
}
