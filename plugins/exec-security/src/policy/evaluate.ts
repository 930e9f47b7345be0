import { Budget, BudgetExceeded } from './budget.js'
import { dangerousEnvironment, runsValue } from './programs/environment.js'
import { recordEntered, recordFolders, recordVariables } from './folders.js'
import { denyInput } from './input-check.js'
import { evaluateResolved, invocationOf, notCovered, sealedPart, type EvaluationContext } from './evaluate-command.js'
import { isWalled, outsidePaths } from './at-levels.js'
import { namedHosts } from './named-hosts.js'
import { PathRules } from './path-rules.js'
import { evaluatesUnknown } from './provenance.js'
import { denyVariable } from './protected-variables.js'
import { Resolver } from './resolve.js'
import type { ResolvedCommand } from './resolved.js'
import { exactRule } from './rules.js'
import { walkText } from './walk.js'
import { newWalk, type Finding, type Unit } from './walk-types.js'
import type { ExecDecision, ExecPolicy, ExecVerdict, OutsidePath, OwnerRules, PartDecision } from './types.js'

const STRICTNESS: Readonly<Record<ExecVerdict, number>> = { allow: 0, ask: 1, deny: 2 }
const MAX_PARTS = 2000
const SHOWN = 300
const NO_RULES: OwnerRules = { bashAlways: false, bashRules: [] }

/**
 * Decides whether a shell command may run. Each part gets a verdict, and the strictest one holds. A command that is not
 * understood is denied. Never throws and runs nothing.
 *
 * @param command the text as it would be given to bash
 * @param policy the configuration that applies
 * @param rules the owner's permanent approvals
 */
export function evaluateCommand(command: string, policy: ExecPolicy, rules: OwnerRules = NO_RULES): ExecDecision {
  if (policy.execSecurity !== 'allowlist' && policy.execSecurity !== 'full')
    return denied(command, 'mode', 'execSecurity deny forbids every shell command')
  try {
    const problem = denyInput(command)
    if (problem !== undefined) return denied(command, 'input', problem)
    const { parts, network, hosts, outside } = evaluateText(command, policy, rules)
    return { ...decide(parts), network, hosts, outside }
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

function evaluateText(
  command: string,
  policy: ExecPolicy,
  rules: OwnerRules,
): Pick<ExecDecision, 'parts' | 'network' | 'hosts' | 'outside'> {
  const budget = new Budget()
  const walk = newWalk(budget)
  const context: EvaluationContext = { policy, rules, paths: new PathRules(policy.paths, budget), budget }
  walkText(command, walk)
  const resolver = new Resolver(walk)
  const parts = new Map<string, PartDecision>()
  let network = policy.execSecurity === 'full'
  const hosts = new Set<string>()
  const outside = new Map<string, OutsidePath>()
  const add: AddPart = (part, reached) => {
    // Variants of one command that are judged alike are one part.
    parts.set(`${part.verdict} ${part.rule} ${part.text}`, part)
    network ||= reached?.network === true
    for (const host of reached?.hosts ?? []) hosts.add(host)
    for (const path of reached?.outside ?? []) outside.set(JSON.stringify(path), path)
  }
  let entered = 0
  // Resolving adds the units of nested scripts at the end of the same list.
  for (let i = 0; i < walk.units.length; i++) {
    if (i >= MAX_PARTS) throw new BudgetExceeded('the command has too many parts')
    for (; entered < walk.units.length; entered++) recordFolders(walk.units[entered], context.paths)
    evaluateUnit(walk.units[i] as Unit, resolver, context, add)
  }
  const hidden = evaluatesUnknown(walk.facts)
  if (hidden !== undefined) add(deniedPart('refused', command, hidden))
  if (parts.size === 0) {
    const computes: PartDecision = {
      text: oneLine(command),
      verdict: 'allow',
      rule: 'syntax',
      reason: 'only tests or computes',
    }
    add(walk.facts.holdsCommand ? computes : deniedPart('refused', command, 'the command holds nothing to run'))
  }
  return { parts: [...parts.values()], network, hosts: [...hosts], outside: [...outside.values()] }
}

/** Places that a part reaches besides its working directory. */
interface Reached {
  readonly network: boolean
  readonly hosts: readonly string[]
  readonly outside: readonly OutsidePath[]
}
type AddPart = (part: PartDecision, reached?: Reached) => void

function evaluateUnit(unit: Unit, resolver: Resolver, context: EvaluationContext, add: AddPart): void {
  switch (unit.kind) {
    case 'sets': {
      const touched = denyVariable(unit, context.paths)
      if (touched !== undefined) add({ ...deniedPart('refused', unit.text, touched), rule: 'sealed' })
      if (runsValue(unit.name, unit.value?.value))
        add(deniedPart('refused', unit.text, `${unit.name} holds text that the shell would run`))
      else if (!isWalled(context.policy) && dangerousEnvironment(unit.name, unit.value))
        add(notCovered(oneLine(unit.text), `sets ${unit.name}, which may change what is run`, context))
      return
    }
    case 'command':
      for (const resolved of resolver.resolve(unit)) {
        context.budget.spend(2)
        if (resolved.kind === 'command' && resolved.isGuess === true) evaluateGuess(resolved, context, add)
        else if (resolved.kind === 'command') {
          recordVariables(
            resolved.environment.filter((item) => !unit.assignments.includes(item)),
            context.paths,
          )
          add(evaluateResolved(resolved, context), {
            network: resolved.parsed?.spec.network === true,
            hosts: namedHosts(resolved.words, resolved.parsed),
            outside: outsidePaths(resolved, invocationOf(resolved), context.policy, context.paths),
          })
        } else add(evaluateFinding(resolved, context))
      }
      return
    default:
      add(evaluateFinding(unit, context))
  }
}

/** A command that a text may run can be a reason to refuse, and is no part of its own. */
function evaluateGuess(command: ResolvedCommand, context: EvaluationContext, add: AddPart): void {
  recordEntered(command.words, command.assignments, context.paths)
  const part = sealedPart(command, context)
  if (part !== undefined) add(part)
}

function evaluateFinding({ kind, text, reason }: Finding, context: EvaluationContext): PartDecision {
  if (kind === 'state') {
    return isWalled(context.policy)
      ? { text: oneLine(text), verdict: 'allow', rule: 'walled', reason: 'it changes its own shell alone' }
      : notCovered(oneLine(text), reason, context)
  }
  // Text that only exists at run time can be put to the owner, but is never waved through.
  if (kind === 'opaque' && context.policy.execSecurity === 'allowlist' && context.policy.execApprovalMode === 'ask') {
    return notCovered(oneLine(text), reason, { ...context, rules: NO_RULES })
  }
  return deniedPart(kind, text, reason)
}

function deniedPart(kind: Finding['kind'], text: string, reason: string): PartDecision {
  return { text: oneLine(text), verdict: 'deny', rule: kind === 'blacklisted' ? 'blacklist' : 'not-understood', reason }
}

function denied(text: string, rule: string, reason: string): ExecDecision {
  return { verdict: 'deny', reason, parts: [{ text: oneLine(text), verdict: 'deny', rule, reason }] }
}

function decide(parts: readonly PartDecision[]): ExecDecision {
  // Among denials the blacklist is the most informative one.
  const rank = ({ verdict, rule }: PartDecision): number => 2 * STRICTNESS[verdict] + (rule === 'blacklist' ? 1 : 0)
  const worst = parts.reduce((first, part) => (rank(part) > rank(first) ? part : first))
  if (worst.verdict === 'allow') return { verdict: 'allow', reason: 'every part is covered', parts }
  const wanted = parts
    .filter(({ rule }) => rule === 'not-covered' || rule === 'sensitive')
    .map(({ text }) => exactRule(text))
  // Where no rule can cover a part, rules for the others are of no use.
  const isClosed =
    wanted.includes(undefined) || parts.some(({ rule }) => ['blacklist', 'not-understood', 'sealed'].includes(rule))
  const [suggestion] = isClosed ? [] : wanted
  return {
    verdict: worst.verdict,
    reason: `${worst.text}: ${worst.reason}`,
    parts,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

function oneLine(text: string): string {
  const line = String(text)
    .slice(0, 4 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)} # …` : line
}
