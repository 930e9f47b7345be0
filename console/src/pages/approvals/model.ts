import type { ExecApproval, ExecDecisionView } from '@mynah/contract/types'

export type Part = ExecDecisionView['parts'][number]

export interface Piece {
  readonly text: string
  readonly part: Part | undefined
}

/** Splits a command at its parts. Parts whose text it does not contain are left out. */
export function pieces(command: string, parts: readonly Part[]): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const part of parts) {
    const at = command.indexOf(part.text, from)
    if (at < 0 || part.text === '') continue
    if (at > from) found.push({ text: command.slice(from, at), part: undefined })
    found.push({ text: part.text, part })
    from = at + part.text.length
  }
  if (from < command.length) found.push({ text: command.slice(from), part: undefined })
  return found
}

/** Returns whether a title is the command on one line, or its beginning. */
export function repeatsCommand({ kind, title, command }: Pick<ExecApproval, 'kind' | 'title' | 'command'>): boolean {
  const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
  return kind === 'bash' || words(command).startsWith(words(title).replace(/…$/, ''))
}

/** Sorts by age, oldest first, without expired ones. */
export function waiting(pending: readonly ExecApproval[], now: number): ExecApproval[] {
  return pending
    .filter((approval) => approval.status === 'pending' && approval.expiresAt > now)
    .sort((a, b) => a.createdAt - b.createdAt)
}

/** Leaves out what still waits: it is above. */
export const answeredOf = (approvals: readonly ExecApproval[]): ExecApproval[] =>
  approvals.filter(({ status }) => status !== 'pending')

/** The parts that a suggested rule covers, of those that no rule covers. */
export interface RuleReach {
  readonly covered: readonly Part[]
  readonly of: number
}

/** Compares a rule with the parts that are not covered. */
export function reachOf(pattern: string, parts: readonly Part[]): RuleReach {
  const open = parts.filter(({ verdict }) => verdict === 'ask')
  return { covered: open.filter(({ text }) => checkRule(pattern, text, '') === undefined), of: open.length }
}

export type RuleProblem = 'invalid' | 'matchFails' | 'noMatchFails' | undefined

/** Longest pattern that the host accepts. */
const LONGEST = 1000

/** Checks a pattern against its two examples. The host checks again. */
export function checkRule(pattern: string, match: string, noMatch: string): RuleProblem {
  if (!pattern || pattern.length > LONGEST) return 'invalid'
  let expression: RegExp
  try {
    // A rule covers a subcommand as a whole.
    expression = new RegExp(`^(?:${pattern})$`)
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid'
    throw error
  }
  if (match && !expression.test(match.slice(0, LONGEST))) return 'matchFails'
  return noMatch && expression.test(noMatch.slice(0, LONGEST)) ? 'noMatchFails' : undefined
}
