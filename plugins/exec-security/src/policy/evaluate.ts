// Judges a command line: every part gets a verdict, and the strictest one holds.
import { judgeCommand, notCovered } from './judge.js'
import { refuseInput } from './input.js'
import { Resolver } from './resolve.js'
import { dangerousEnvironment, runsValue } from './environment.js'
import { exactRule } from './rules.js'
import { walkText } from './walk.js'
import { newWalk } from './walk-types.js'
import type { Facts, Unit, Walk } from './walk-types.js'
import type { Resolved } from './resolved.js'
import type { ExecDecision, ExecPolicy, ExecVerdict, OwnerRules, PartDecision } from './types.js'

const STRICTNESS: Readonly<Record<ExecVerdict, number>> = { allow: 0, ask: 1, deny: 2 }
const MAX_PARTS = 2000
const SHOWN = 300

/**
 * Decides whether a shell command may run. It never throws and runs nothing: what it does not understand, it denies.
 *
 * @param command the text as it would be given to bash
 * @param policy the configuration that applies
 * @param rules what the owner has approved for good
 */
export function evaluateCommand(command: string, policy: ExecPolicy, rules: OwnerRules = { bashAlways: false, bashRules: [] }): ExecDecision {
  if (policy.execSecurity !== 'allowlist' && policy.execSecurity !== 'full') {
    return denied(command, 'mode', 'execSecurity deny forbids every shell command')
  }
  try {
    const problem = refuseInput(command)
    if (problem !== undefined) return denied(command, 'input', problem)
    return decide(judgeText(command, policy, rules))
  } catch (error) {
    // A failure of the analysis, such as a full stack, must never let a command through.
    return denied(command, 'not-understood', `the command could not be analysed: ${error instanceof Error ? error.message : 'unknown error'}`)
  }
}

function judgeText(command: string, policy: ExecPolicy, rules: OwnerRules): PartDecision[] {
  const walk = newWalk()
  walkText(command, walk)
  const resolver = new Resolver(walk)
  const parts: PartDecision[] = []
  // Resolving adds the units of nested scripts at the end of the same list.
  for (let i = 0; i < walk.units.length; i++) {
    const unit = walk.units[i]
    if (unit === undefined) break
    if (i >= MAX_PARTS) {
      parts.push(fixed('refused', command, 'the command has too many parts'))
      break
    }
    parts.push(...judgeUnit(unit, resolver, walk.facts, policy, rules))
  }
  const hidden = hiddenEvaluation(walk)
  if (hidden !== undefined) parts.push(fixed('refused', command, hidden))
  if (parts.length === 0) {
    parts.push(walk.facts.holdsCommand
      ? { text: oneLine(command), verdict: 'allow', rule: 'syntax', reason: 'only tests or computes' }
      : fixed('refused', command, 'the command holds nothing to run'))
  }
  return parts
}

function judgeUnit(unit: Unit, resolver: Resolver, facts: Facts, policy: ExecPolicy, rules: OwnerRules): PartDecision[] {
  switch (unit.kind) {
    case 'refused':
      return [fixed('refused', unit.text, unit.reason)]
    case 'state':
      return [notCovered(oneLine(unit.text), unit.reason, policy, rules)]
    case 'sets':
      if (!dangerousEnvironment(unit.name, undefined)) return []
      return [notCovered(oneLine(unit.text), `sets ${unit.name}, which may change what is run`, policy, rules)]
    case 'command':
      return resolver.resolve(unit).flatMap((resolved) => judgeResolved(resolved, facts, policy, rules))
    default:
      unit satisfies never
      return [fixed('refused', '', 'a kind of part that is not known')]
  }
}

function judgeResolved(resolved: Resolved, facts: Facts, policy: ExecPolicy, rules: OwnerRules): PartDecision[] {
  if (resolved.kind === 'command') {
    const hook = [...resolved.environment, ...resolved.assignments].find(({ name, value }) => runsValue(name, value?.value))
    if (hook !== undefined) return [fixed('refused', hook.text, `${hook.name} holds text that the shell would run`)]
    return [judgeCommand(resolved, facts, policy, rules)]
  }
  if (resolved.kind !== 'opaque') return [fixed(resolved.kind, resolved.text, resolved.reason)]
  // Text that only exists at run time can be put to the owner, but is never waved through.
  if (policy.execSecurity === 'allowlist' && policy.execApprovalMode === 'ask') {
    const part = notCovered(oneLine(resolved.text), resolved.reason, policy, { bashAlways: false, bashRules: [] })
    return [part]
  }
  return [fixed('refused', resolved.text, resolved.reason)]
}

/** Text that is data by its quotes, but that the shell would evaluate again. */
function hiddenEvaluation(walk: Walk): string | undefined {
  const { facts } = walk
  if (facts.definesAlias && facts.setsOptions) return 'an alias together with shell options changes how the text is read'
  if (!facts.evaluatesData) return undefined
  const code = facts.literals.some((text) => /\$\(|`|\$\{/.test(text))
  const pieces = facts.literals.some((text) => text.endsWith('$')) && facts.literals.some((text) => text.includes('['))
  return code || pieces ? 'arithmetic or an indirect name would evaluate quoted text as code' : undefined
}

function fixed(kind: 'blacklisted' | 'refused', text: string, reason: string): PartDecision {
  return { text: oneLine(text), verdict: 'deny', rule: kind === 'blacklisted' ? 'blacklist' : 'not-understood', reason }
}

function denied(text: string, rule: string, reason: string): ExecDecision {
  return { verdict: 'deny', reason, parts: [{ text: oneLine(text), verdict: 'deny', rule, reason }] }
}

function decide(parts: readonly PartDecision[]): ExecDecision {
  let worst = parts[0] as PartDecision
  for (const part of parts) {
    const difference = STRICTNESS[part.verdict] - STRICTNESS[worst.verdict]
    // Among denials the blacklist is the one worth telling.
    if (difference > 0 || (difference === 0 && part.rule === 'blacklist' && worst.rule !== 'blacklist')) worst = part
  }
  if (worst.verdict === 'allow') return { verdict: 'allow', reason: 'every part is covered', parts }
  const reason = `${worst.text}: ${worst.reason}`
  const open = parts.find((part) => part.rule === 'not-covered' || part.rule === 'sensitive')
  const suggestible = open !== undefined && !parts.some((part) => part.rule === 'blacklist' || part.rule === 'not-understood')
  return suggestible ? { verdict: worst.verdict, reason, parts, suggestion: exactRule(open.text) } : { verdict: worst.verdict, reason, parts }
}

function oneLine(text: string): string {
  const line = String(text).slice(0, 4 * SHOWN).replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
