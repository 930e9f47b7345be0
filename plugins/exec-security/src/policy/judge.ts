// Judges one command that will be run: read-only, listed, covered by a rule, or up to the approval mode.
import { mentionsHost, USUAL_PORTS } from './addresses.js'
import { baseName } from './blacklist.js'
import type { Budget } from './budget.js'
import { refuseSealed, refuseWords, type Deed } from './cover.js'
import { dangerousEnvironment } from './programs/environment.js'
import type { Paths } from './paths.js'
import { sensitiveSubcommand } from './programs/platform-cli.js'
import { listedBy, READ_ONLY, STEERING } from './presets.js'
import { firstOf } from './problems.js'
import { matchingRule } from './rules.js'
import { quoteWord, staticArg, type Arg } from './words.js'
import type { RedirectInfo } from './redirects.js'
import type { ResolvedCommand } from './resolved.js'
import type { ExecPolicy, OwnerRules, PartDecision } from './types.js'

/** What judging the parts of one command line shares. */
export interface Bench {
  readonly policy: ExecPolicy
  readonly rules: OwnerRules
  readonly paths: Paths
  readonly budget: Budget
}

/** Judges a resolved command; the blacklist has been checked before. */
export function judgeCommand(command: ResolvedCommand, bench: Bench): PartDecision {
  const { policy, paths } = bench
  const text = normalise(command)
  const deed: Deed = {
    name: baseName(command.words[0]?.value ?? ''),
    args: command.words.slice(1),
    reading: command.reading,
    stdin: command.stdin,
  }
  const sealed = sealedBy(command, deed, bench)
  if (sealed !== undefined) return { text, verdict: 'deny', rule: 'sealed', reason: sealed }
  if (policy.execSecurity === 'full')
    return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const problem = surroundings(command, paths)
  const cover =
    command.words.length === 0 ? { rule: 'redirection', reason: 'only reads' } : coverOf(command, deed, bench)
  if (problem === undefined && 'rule' in cover) return { text, verdict: 'allow', ...cover }
  return notCovered(text, problem ?? cover.reason, bench, 'sensitive' in cover)
}

/** What the owner's rules and the approval mode make of something that nothing covers; what is sensitive asks in every mode. */
export function notCovered(
  text: string,
  reason: string,
  { policy, rules, budget }: Bench,
  sensitive = false,
): PartDecision {
  if (policy.execSecurity === 'full')
    return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const rule = matchingRule(rules, text, budget)
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

type Cover = { readonly rule: string; readonly reason: string } | { readonly reason: string; readonly sensitive?: true }

function coverOf(command: ResolvedCommand, deed: Deed, { policy, paths }: Bench): Cover {
  const word = command.words[0]?.value ?? ''
  if (STEERING.includes(word)) {
    return word === 'wait' && deed.args.some((arg) => arg.shape.startsWith('-p'))
      ? { reason: 'wait -p sets a variable' }
      : { rule: 'builtin', reason: 'a builtin without effect' }
  }
  if (word === policy.platformCli?.command) {
    const sensitive = sensitiveSubcommand(policy.platformCli, deed.args)
    return sensitive === undefined
      ? { rule: 'platform-cli', reason: 'not one of its sensitive subcommands' }
      : { reason: `${word} ${sensitive} needs the owner`, sensitive: true }
  }
  const list = READ_ONLY.includes(word) ? 'read-only' : listedBy(word, policy)
  const problem = list === undefined ? `${word} is neither read-only nor listed` : refuseWords(deed, paths)
  return list === undefined || problem !== undefined
    ? { reason: problem ?? '' }
    : { rule: list, reason: list === 'read-only' ? 'its arguments only read' : 'listed' }
}

/** What redirections and wrappers do with files. */
function around({
  redirects,
  uses,
}: ResolvedCommand): readonly { readonly arg: Arg; readonly access: 'read' | 'write'; readonly who: string }[] {
  const redirected = redirects.flatMap(({ effect, target, text }) =>
    target === undefined || effect === 'data' || effect === 'descriptor'
      ? []
      : [{ arg: target, access: effect, who: text }],
  )
  return [
    ...redirected,
    ...uses.map(({ effect, arg }) => ({
      arg,
      access: effect === 'write' ? effect : ('read' as const),
      who: 'a wrapper',
    })),
  ]
}

/** What decides over the host itself is out of reach of the words, redirections and wrappers of a command. */
function sealedBy(command: ResolvedCommand, deed: Deed, { policy, paths }: Bench): string | undefined {
  const ports = policy.hostPorts ?? USUAL_PORTS
  const proxy = command.environment.find(
    ({ name, value }) => /_proxy$/i.test(name) && mentionsHost(value?.shape ?? '', ports),
  )
  if (proxy !== undefined) return `${proxy.text} may reach this host itself`
  const touched = firstOf(around(command), ({ arg, access, who }) =>
    /^\/dev\/(?:tcp|udp)\//.test(arg.shape) && (arg.value === undefined || mentionsHost(arg.shape, ports))
      ? `${who} may reach this host itself`
      : paths.sealed(arg, access),
  )
  if (touched !== undefined) return touched
  if (
    command.stdin.kind === 'text' &&
    mentionsHost(command.stdin.text, ports) &&
    !/^(?:cat|grep|wc|head|tail|sort|tee)$/.test(deed.name)
  )
    return `${deed.name} may reach this host itself`
  return command.words.length === 0 ? undefined : refuseSealed(deed, paths, ports)
}

/** What is around a command that no list covers: redirections, environment, lone assignments, wrappers. */
function surroundings(command: ResolvedCommand, paths: Paths): string | undefined {
  if (command.assignments.length > 0) return `sets ${command.assignments[0]?.name ?? ''} for the commands that follow`
  const dangerous = command.environment.find(({ name, value }) => dangerousEnvironment(name, value))
  if (dangerous !== undefined) return `${dangerous.text} may change what is run`
  if (command.concerns[0] !== undefined) return command.concerns[0]
  return firstOf(around(command), ({ arg, access, who }) => {
    const problem = access === 'write' ? arg.text : paths.refuse(arg, 'read')
    return problem === undefined ? undefined : `${who} ${access}s ${problem}`
  })
}

/** Prefixes that change how things look and nothing else; every other one is part of what a rule sees. */
const LOOKS =
  /^(?:LC_\w+|LANG|LANGUAGE|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|NODE_ENV|DEBIAN_FRONTEND)$/

/** One line of canonical text: what a rule is matched against. Plain wrappers and prefixes without effect are left out, nothing else. */
function normalise(command: ResolvedCommand): string {
  const prefixes = command.environment
    .filter(({ name, value }) => !LOOKS.test(name) || dangerousEnvironment(name, value))
    .map(({ text }) => text)
  const alone = command.assignments.map(({ text }) => text)
  const fed = new Set(command.redirects.flatMap(shownRedirect))
  return [...prefixes, ...alone, ...command.wrappers, ...command.words.map(quoteWord), ...fed]
    .join(' ')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
}

function shownRedirect(redirect: RedirectInfo): string[] {
  if (redirect.effect === 'descriptor' && redirect.target?.sources.length !== 1) return []
  if (redirect.effect !== 'data') return [redirect.text]
  const { stdin, target, text } = redirect
  if (stdin?.kind === 'text') return [`<<< ${quoteWord(staticArg(stdin.text))}`]
  return [target === undefined ? text : `<<< ${target.text}`]
}
