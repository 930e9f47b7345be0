import { mentionsHost, USUAL_PORTS } from './addresses.js'
import { baseName } from './blacklist.js'
import type { Budget } from './budget.js'
import type { Invocation } from './invocation.js'
import { denyProtected } from './protected-check.js'
import { denyVariable } from './protected-variables.js'
import { dangerousEnvironment } from './programs/environment.js'
import type { PathRules } from './path-rules.js'
import { sensitiveSubcommand } from './programs/platform-cli.js'
import { listedBy, READ_ONLY, STEERING } from './presets.js'
import { isProvable, isWalled, unprovenRead, wallProblem } from './at-levels.js'
import { firstReason } from './first-reason.js'
import { matchingRule } from './rules.js'
import { shortText, subcommandText } from './subcommand-text.js'
import { denyReason } from './text/allow-check.js'
import { TextPaths } from './text/text-paths.js'
import type { Arg } from './words.js'
import type { ResolvedCommand } from './resolved.js'
import type { ExecPolicy, OwnerRules, PartDecision } from './types.js'

/** The state that evaluating the parts of one command line shares. */
export interface EvaluationContext {
  readonly policy: ExecPolicy
  readonly rules: OwnerRules
  readonly paths: PathRules
  readonly budget: Budget
}

/** Returns the program of a command and its words. */
export const invocationOf = (command: ResolvedCommand): Invocation => ({
  name: baseName(command.words[0]?.value ?? ''),
  args: command.words.slice(1),
  parsed: command.parsed,
  stdin: command.stdin,
})

/** Evaluates a resolved command. The blacklist has been checked before. */
export function evaluateResolved(command: ResolvedCommand, context: EvaluationContext): PartDecision {
  const { policy, paths } = context
  const sealed = sealedPart(command, context)
  if (sealed !== undefined) return sealed
  const text = shortText(command)
  const invocation = invocationOf(command)
  if (policy.execSecurity === 'full')
    return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const problem =
    policy.level === 'wall' ? denyTrusted(command, policy) : denySurroundings(command, judges(policy), paths)
  const cover =
    command.words.length === 0
      ? { rule: 'syntax', reason: 'only reads, or sets a variable of the shell' }
      : coverageOf(command, invocation, context)
  if (problem === undefined && 'rule' in cover) return { text, verdict: 'allow', ...cover }
  return notCovered(subcommandText(command), problem ?? cover.reason, context, 'sensitive' in cover)
}

/** Returns the refusal of a command that touches what decides over the host itself. */
export function sealedPart(command: ResolvedCommand, context: EvaluationContext): PartDecision | undefined {
  const reason = protectedBy(command, invocationOf(command), context)
  return reason === undefined ? undefined : { text: shortText(command), verdict: 'deny', rule: 'sealed', reason }
}

/**
 * Decides on a part that nothing covers, by the owner's rules and the approval mode. A sensitive one asks in every
 * mode.
 */
export function notCovered(
  subcommand: string,
  reason: string,
  { policy, rules, budget }: EvaluationContext,
  sensitive = false,
): PartDecision {
  const text = subcommand.replaceAll('\n', ' ').trim()
  if (policy.execSecurity === 'full')
    return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const rule = matchingRule(rules, subcommand, budget)
  if (rule !== undefined)
    return { text, verdict: 'allow', rule: `owner-rule:${rule}`, reason: 'an owner rule covers it' }
  const mode = sensitive ? 'ask' : policy.execApprovalMode
  if (mode === 'allow')
    return {
      text,
      verdict: 'allow',
      rule: 'approval:allow',
      reason: `${reason}; execApprovalMode allow lets it through`,
    }
  if (mode === 'ask' && rules.bashAlways)
    return { text, verdict: 'allow', rule: 'owner-always', reason: 'the owner has approved every command' }
  return { text, verdict: mode, rule: sensitive ? 'sensitive' : 'not-covered', reason }
}

type Coverage =
  | { readonly rule: string; readonly reason: string }
  | { readonly reason: string; readonly sensitive?: true }

function coverageOf(command: ResolvedCommand, invocation: Invocation, { policy, paths }: EvaluationContext): Coverage {
  const word = command.words[0]?.value ?? ''
  if (STEERING.includes(word)) {
    return word === 'wait' && invocation.args.some((arg) => arg.shape.startsWith('-p'))
      ? { reason: 'wait -p sets a variable' }
      : { rule: 'builtin', reason: 'a builtin without effect' }
  }
  if (word === policy.platformCli?.command) {
    const sensitive = sensitiveSubcommand(policy.platformCli, invocation.args)
    return sensitive === undefined
      ? { rule: 'platform-cli', reason: 'not one of its sensitive subcommands' }
      : { reason: `${word} ${sensitive} needs the owner`, sensitive: true }
  }
  const list = listOf(word, policy)
  const problem =
    list === undefined ? `${word} is neither read-only nor listed` : denyAtLevel(command, invocation, policy, paths)
  return list === undefined || problem !== undefined
    ? { reason: problem ?? '' }
    : { rule: list, reason: list === 'read-only' ? 'its arguments only read' : 'listed' }
}

const listOf = (word: string, policy: ExecPolicy): string | undefined =>
  READ_ONLY.includes(word) ? 'read-only' : (listedBy(word, policy) ?? (isWalled(policy) ? 'walled' : undefined))

/** Returns the judge of the words of a listed command: the view, a proof that it only reads, or all of its text. */
const judges = ({ level, unwalled }: ExecPolicy): 'view' | 'proof' | 'text' => {
  if (level === 'wall') return 'view'
  return level === undefined || unwalled === 'text' ? 'text' : 'proof'
}

/** Returns why a listed word does not cover its arguments, as far as nothing else holds the command. */
function denyAtLevel(
  command: ResolvedCommand,
  invocation: Invocation,
  policy: ExecPolicy,
  paths: PathRules,
): string | undefined {
  switch (judges(policy)) {
    case 'view':
      return wallProblem(command, invocation, policy, paths)
    case 'proof':
      return READ_ONLY.includes(command.words[0]?.value ?? '') && isProvable(command, invocation, paths)
        ? undefined
        : `${invocation.name} may do more than its text shows, and nothing else holds it`
    case 'text':
      return denyReason(invocation, new TextPaths(paths))
  }
}

/** At level `wall` a prefix may change what is run, which matters where only listed programs are trusted. */
function denyTrusted(command: ResolvedCommand, policy: ExecPolicy): string | undefined {
  if (isWalled(policy)) return undefined
  const dangerous = [...command.environment, ...command.assignments].find(({ name, value }) =>
    dangerousEnvironment(name, value),
  )
  return dangerous === undefined ? undefined : `${dangerous.text} may change what is run`
}

/** Returns the files that redirections and wrappers use. */
function surroundingPaths({ redirects, uses }: ResolvedCommand): readonly {
  readonly arg: Arg
  readonly access: 'read' | 'write' | 'chdir'
  readonly who: string
}[] {
  const redirected = redirects.flatMap(({ effect, target, text }) =>
    target !== undefined && (effect === 'read' || effect === 'write')
      ? [{ arg: target, access: effect, who: text }]
      : [],
  )
  return [
    ...redirected,
    ...uses.map(({ effect, arg }) => ({
      arg,
      access: effect === 'write' || effect === 'chdir' ? effect : ('read' as const),
      who: 'a wrapper',
    })),
  ]
}

/** Returns why the words, redirections or wrappers of a command touch what decides over the host itself. */
function protectedBy(
  command: ResolvedCommand,
  invocation: Invocation,
  { policy, paths }: EvaluationContext,
): string | undefined {
  const ports = policy.hostPorts ?? USUAL_PORTS
  const proxy = command.environment.find(
    ({ name, value }) => /_proxy$/i.test(name) && mentionsHost(value?.shape ?? '', ports),
  )
  if (proxy !== undefined) return `${proxy.text} may reach this host itself`
  const variable = firstReason([...command.environment, ...command.assignments], (item) => denyVariable(item, paths))
  if (variable !== undefined) return variable
  paths.workIn(command.uses.filter(({ effect }) => effect === 'chdir').map(({ arg }) => arg))
  const touched = firstReason(surroundingPaths(command), ({ arg, access, who }) =>
    /^\/dev\/(?:tcp|udp)\//.test(arg.shape) && (arg.value === undefined || mentionsHost(arg.shape, ports))
      ? `${who} may reach this host itself`
      : paths.denyProtected(arg, access),
  )
  if (touched !== undefined) return touched
  if (
    command.stdin.kind === 'text' &&
    mentionsHost(command.stdin.text, ports) &&
    !/^(?:cat|grep|wc|head|tail|sort|tee)$/.test(invocation.name)
  )
    return `${invocation.name} may reach this host itself`
  return command.words.length === 0 ? undefined : denyProtected(invocation, paths, ports)
}

/** Returns why no list covers the redirections, environment, assignments or wrappers of a command. */
function denySurroundings(
  command: ResolvedCommand,
  judge: ReturnType<typeof judges>,
  rules: PathRules,
): string | undefined {
  if (command.unused !== undefined) return `sets ${command.unused} for the commands that follow`
  const dangerous = [...command.assignments, ...command.environment].find(({ name, value }) =>
    dangerousEnvironment(name, value),
  )
  if (dangerous !== undefined) return `${dangerous.text} may change what is run`
  if (command.concerns[0] !== undefined) return command.concerns[0]
  return firstReason(surroundingPaths(command), ({ arg, access, who }) => {
    const read = judge === 'text' ? new TextPaths(rules).deny(arg, 'read') : unprovenRead(arg, rules)
    const problem = access === 'write' ? arg.text : read
    return problem === undefined ? undefined : `${who} ${access}s ${problem}`
  })
}
