import { parse } from 'unbash'
import type { ParsedScript } from 'unbash'

export type {
  ArithmeticExpression,
  ArrayValue,
  Assignment,
  Command,
  CommandExpansionPart,
  CompoundList,
  ParameterExpansionPart,
  ParsedScript,
  PipelineNode,
  AndOr,
  Redirection,
  TestExpression,
  Word,
  WordPart,
} from 'unbash'

/** Parses text as bash. The string is the reason when it cannot be understood. */
export function parseScript(source: string): ParsedScript | string {
  try {
    return parse(source)
  } catch (error) {
    return `the shell parser failed: ${error instanceof Error ? error.message : 'unknown error'}`
  }
}

/** The first syntax error of a script itself. Nested scripts carry their own. */
export function scriptProblem(script: ParsedScript): string | undefined {
  const error = script.errors?.[0]
  return error === undefined ? undefined : `invalid shell syntax: ${error.message}`
}
