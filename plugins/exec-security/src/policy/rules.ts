import { RE2JS } from 're2js'
import { Budget } from './budget.js'
import { parseScript, scriptProblem } from './parse.js'
import { isWhole } from './subcommand-text.js'
import type { OwnerRules } from './types.js'

const MAX_CACHED = 256
const MAX_PATTERN = 1000
/** Limit for the states of a pattern. Counted repetitions add states, and each state takes time at every character. */
const MAX_STATES = 5000
const WORK_A_STEP = 100
const compiled = new Map<string, Compiled | string>()

interface Compiled {
  readonly expression: RE2JS
  /** Whether it may cover a subcommand with redirections, input or surroundings. */
  readonly namesLines: boolean
}

/** Why a pattern cannot be a rule, or undefined when it can. */
export function ruleProblem(pattern: string): string | undefined {
  const result = compile(pattern)
  return typeof result === 'string' ? result : undefined
}

/**
 * The id of the first rule that matches a whole subcommand, with its redirections on lines of their own. A rule that
 * does not compile matches nothing, and no rule matches a text that does not say all.
 */
export function matchingRule(rules: OwnerRules, subcommand: string, budget: Budget): string | undefined {
  if (!isWhole(subcommand)) return undefined
  return rules.bashRules.find((rule) => {
    const pattern = compile(rule.pattern)
    if (typeof pattern === 'string' || (subcommand.includes('\n') && !pattern.namesLines)) return false
    const { expression } = pattern
    // Matching takes time by the size of the pattern and the length of the text.
    budget.spend(1 + Math.ceil((expression.programSize() * subcommand.length) / WORK_A_STEP))
    return expression.matches(subcommand)
  })?.id
}

/** Returns whether a pattern matches the whole text of a subcommand on one line, such as an example of a rule. */
export function ruleMatches(pattern: string, text: string): boolean {
  const rules: OwnerRules = { bashAlways: false, bashRules: [{ id: 'example', pattern }] }
  return matchingRule(rules, inLines(text), new Budget()) !== undefined
}

/** The pattern that matches exactly one subcommand, unless no rule can. */
export function exactRule(text: string): string | undefined {
  const pattern = literally(text)
  return isWhole(text) && ruleProblem(pattern) === undefined ? pattern : undefined
}

const literally = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Puts the redirections of a subcommand on lines of their own, and what it is run with. */
function inLines(text: string): string {
  const script = parseScript(text)
  const [statement, more] = typeof script === 'string' || scriptProblem(script) !== undefined ? [] : script.commands
  const { command } = statement ?? {}
  if (command?.type !== 'Command' || more !== undefined) return text
  const starts = [...command.redirects.map(({ pos }) => pos), text.indexOf('#', command.end)]
  return starts.reduce(
    (lines, at) => (lines[at - 1] === ' ' ? `${lines.slice(0, at - 1)}\n${lines.slice(at)}` : lines),
    text,
  )
}

/** The pieces of a pattern: escaped characters, classes, counted repetitions, single characters. */
const PIECES = /\\[pP]\{\^?\w+\}|\\[^]?|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]?|\{\d{1,9}(?:,\d{0,9})?\}|[^]/g

/** The end of a pattern that begins with a redirection, or with what a subcommand is run with. */
const SEPARATE = /^[*+?]?(?:\((?:\?:)?)*(?:(?:\d|\\d|\[[\d-]+\]|\\\{\w+\\\})[*+?]?)?(?:\[[^\]]*[<>]|&?\\?[<>]|#)/

/**
 * Returns a pattern that reaches redirections, input and what a subcommand is run with, which are lines of their own,
 * only where it names one: by a space before its operator.
 */
function overLines(pattern: string): string {
  const start = SEPARATE.test(pattern) ? '\\n?' : ''
  const rest = pattern.replaceAll(PIECES, (piece, at: number) => {
    if (/^(?:\\? |\\s)$/.test(piece)) return SEPARATE.test(pattern.slice(at + piece.length)) ? '[ \\n]' : ' '
    return piece.startsWith('[^') ? `[^\\n${piece.slice(2).replace(/^[\]-]/, '\\$&')}` : piece
  })
  return start + rest
}

/** Writes the texts between `\Q` and `\E` without these. */
const unquoted = (pattern: string): string =>
  pattern.replaceAll(/\\Q([^]*?)(?:\\E|$)|\\[^]/g, (piece, text?: string) =>
    text === undefined ? piece : literally(text),
  )

/** Returns whether the end of a line cannot be left out of what a pattern matches, as in `\W`, `[\s\S]` and `(?s)`. */
function crossesLines(pattern: string): boolean {
  const pieces = [...pattern.matchAll(PIECES)].map(([piece]) => piece)
  return (
    /\(\?[a-z-]*s/i.test(pattern) || pieces.some((piece) => /^(?:\[(?!\^)|\\(?!s))/.test(piece) && isLineEnd(piece))
  )
}

function isLineEnd(piece: string): boolean {
  try {
    return RE2JS.compile(piece).matches('\n')
  } catch {
    // A part of an escaped character is none by itself.
    return false
  }
}

/** Returns about how many states a pattern has. They are counted before it is compiled, which takes time as well. */
function weightOf(pattern: string): number {
  // For each open group its size so far, and its last piece, which a count repeats.
  const groups = [{ sum: 0, last: 0 }]
  for (const [piece] of pattern.matchAll(PIECES)) {
    const group = groups.at(-1) as { sum: number; last: number }
    const [, least, most] = /^\{(\d+)(?:,(\d*))?\}$/.exec(piece) ?? []
    if (least !== undefined) {
      group.last *= Math.max(1, Number(least), Number(most ?? 0))
    } else if (piece === ')' && groups.length > 1) {
      groups.pop()
      Object.assign(groups.at(-1) ?? {}, { last: group.sum + group.last })
    } else {
      group.sum += group.last
      group.last = piece === '(' ? 0 : 1
      if (piece === '(') groups.push({ sum: 0, last: 0 })
    }
  }
  return groups.reduce((total, { sum, last }) => total + sum + last, 0)
}

function compile(pattern: string): Compiled | string {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  if (compiled.size >= MAX_CACHED) compiled.clear()
  const result = compileNew(pattern)
  compiled.set(pattern, result)
  return result
}

function compileNew(pattern: string): Compiled | string {
  if (pattern.trim() === '') return 'the pattern is empty'
  if (pattern.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`
  if (weightOf(pattern) > MAX_STATES) return 'the pattern repeats too much'
  try {
    const expression = RE2JS.compile(overLines(unquoted(pattern)))
    const isLarge = expression.programSize() > MAX_STATES
    return isLarge ? 'the pattern repeats too much' : { expression, namesLines: !crossesLines(unquoted(pattern)) }
  } catch (error) {
    return error instanceof Error ? error.message : 'the pattern is not valid'
  }
}
