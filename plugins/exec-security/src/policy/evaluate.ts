// Judges a command line: every part gets a verdict, and the strictest one holds.
import { Budget, BudgetExceeded } from './budget.js'
import { dangerousEnvironment, runsValue } from './programs/environment.js'
import { refuseInput } from './input.js'
import { judgeCommand, notCovered, type Bench } from './judge.js'
import { Paths } from './paths.js'
import { evaluatesUnknown } from './provenance.js'
import { Resolver } from './resolve.js'
import { exactRule } from './rules.js'
import { walkText } from './walk.js'
import { newWalk, type Finding, type Unit } from './walk-types.js'
import type { ExecDecision, ExecPolicy, ExecVerdict, OwnerRules, PartDecision } from './types.js'

const STRICTNESS: Readonly<Record<ExecVerdict, number>> = { allow: 0, ask: 1, deny: 2 }
const MAX_PARTS = 2000
const SHOWN = 300
const NO_RULES: OwnerRules = { bashAlways: false, bashRules: [] }

/**
 * Decides whether a shell command may run. It never throws and runs nothing: what it does not understand, it denies.
 *
 * @param command the text as it would be given to bash
 * @param policy the configuration that applies
 * @param rules what the owner has approved for good
 */
export function evaluateCommand(command: string, policy: ExecPolicy, rules: OwnerRules = NO_RULES): ExecDecision {
  if (policy.execSecurity !== 'allowlist' && policy.execSecurity !== 'full')
    return denied(command, 'mode', 'execSecurity deny forbids every shell command')
  try {
    const problem = refuseInput(command)
    if (problem !== undefined) return denied(command, 'input', problem)
    const { parts, network } = judgeText(command, policy, rules)
    return { ...decide(parts), network }
  } catch (error) {
    // A failure of the analysis, such as a full stack, must never let a command through.
    if (error instanceof BudgetExceeded) return denied(command, 'budget', error.message)
    return denied(
      command,
      'not-understood',
      `the command could not be analysed: ${error instanceof Error ? error.message : 'unknown error'}`,
    )
  }
}

function judgeText(command: string, policy: ExecPolicy, rules: OwnerRules): Pick<ExecDecision, 'parts' | 'network'> {
  const budget = new Budget()
  const walk = newWalk(budget)
  const bench: Bench = { policy, rules, paths: new Paths(policy.places, budget), budget }
  walkText(command, walk)
  const resolver = new Resolver(walk)
  const parts = new Map<string, PartDecision>()
  let network = policy.execSecurity === 'full'
  const add = (part: PartDecision, reaches = false): void => {
    // Variants of one command that are judged alike are one part.
    parts.set(`${part.verdict} ${part.rule} ${part.text}`, part)
    network ||= reaches
  }
  let entered = 0
  // Resolving adds the units of nested scripts at the end of the same list.
  for (let i = 0; i < walk.units.length; i++) {
    if (i >= MAX_PARTS) throw new BudgetExceeded('the command has too many parts')
    for (; entered < walk.units.length; entered++) enterFolder(walk.units[entered], bench.paths)
    judgeUnit(walk.units[i] as Unit, resolver, bench, add)
  }
  const hidden = evaluatesUnknown(walk.facts)
  if (hidden !== undefined) add(fixed('refused', command, hidden))
  if (parts.size === 0) {
    const computes: PartDecision = {
      text: oneLine(command),
      verdict: 'allow',
      rule: 'syntax',
      reason: 'only tests or computes',
    }
    add(walk.facts.holdsCommand ? computes : fixed('refused', command, 'the command holds nothing to run'))
  }
  return { parts: [...parts.values()], network }
}

/** A folder that a command enters is where the paths of others may begin, whatever the order. */
function enterFolder(unit: Unit | undefined, paths: Paths): void {
  if (unit?.kind !== 'command') return
  const at = unit.words.findIndex(({ value }) => value === 'cd' || value === 'pushd')
  if (at < 0 || at > 2) return
  const target = unit.words.slice(at + 1).find(({ shape }) => !shape.startsWith('-'))
  if (target !== undefined) paths.enter(target)
}

function judgeUnit(
  unit: Unit,
  resolver: Resolver,
  bench: Bench,
  add: (part: PartDecision, reaches?: boolean) => void,
): void {
  switch (unit.kind) {
    case 'sets':
      if (runsValue(unit.name, unit.value?.value))
        add(fixed('refused', unit.text, `${unit.name} holds text that the shell would run`))
      else if (dangerousEnvironment(unit.name, unit.value))
        add(notCovered(oneLine(unit.text), `sets ${unit.name}, which may change what is run`, bench))
      return
    case 'command':
      for (const resolved of resolver.resolve(unit)) {
        bench.budget.spend(2)
        if (resolved.kind === 'command') add(judgeCommand(resolved, bench), resolved.reading?.table.network === true)
        else add(judgeFinding(resolved, bench))
      }
      return
    default:
      add(judgeFinding(unit, bench))
  }
}

function judgeFinding({ kind, text, reason }: Finding, bench: Bench): PartDecision {
  if (kind === 'state') return notCovered(oneLine(text), reason, bench)
  // Text that only exists at run time can be put to the owner, but is never waved through.
  if (kind === 'opaque' && bench.policy.execSecurity === 'allowlist' && bench.policy.execApprovalMode === 'ask') {
    return notCovered(oneLine(text), reason, { ...bench, rules: NO_RULES })
  }
  return fixed(kind, text, reason)
}

function fixed(kind: Finding['kind'], text: string, reason: string): PartDecision {
  return { text: oneLine(text), verdict: 'deny', rule: kind === 'blacklisted' ? 'blacklist' : 'not-understood', reason }
}

function denied(text: string, rule: string, reason: string): ExecDecision {
  return { verdict: 'deny', reason, parts: [{ text: oneLine(text), verdict: 'deny', rule, reason }] }
}

function decide(parts: readonly PartDecision[]): ExecDecision {
  // Among denials the blacklist is the one worth telling.
  const rank = ({ verdict, rule }: PartDecision): number => 2 * STRICTNESS[verdict] + (rule === 'blacklist' ? 1 : 0)
  const worst = parts.reduce((first, part) => (rank(part) > rank(first) ? part : first))
  if (worst.verdict === 'allow') return { verdict: 'allow', reason: 'every part is covered', parts }
  const open = parts.find(({ rule }) => rule === 'not-covered' || rule === 'sensitive')
  const suggestible =
    open !== undefined && !parts.some(({ rule }) => ['blacklist', 'not-understood', 'sealed'].includes(rule))
  return {
    verdict: worst.verdict,
    reason: `${worst.text}: ${worst.reason}`,
    parts,
    ...(suggestible ? { suggestion: exactRule(open.text) } : {}),
  }
}

function oneLine(text: string): string {
  const line = String(text)
    .slice(0, 4 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
