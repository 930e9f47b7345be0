// Judges one command that will be run: read-only, listed, covered by a rule, or up to the approval mode.
import { dangerousEnvironment, namesSecret } from './environment.js'
import { loopVariants } from './expand.js'
import { sensitiveSubcommand } from './platform-cli.js'
import { steeringBuiltin, listedBy } from './presets.js'
import { readOnlyCheck, readsSecret } from './readonly.js'
import { matchingRule } from './rules.js'
import { checkListed, showsFiles } from './tools.js'
import { displayShape, secretFile, secretPath } from './secrets.js'
import { quoteWord, staticArg } from './words.js'
import type { Arg } from './words.js'
import type { Stdin } from './redirects.js'
import type { Facts } from './walk-types.js'
import type { ResolvedCommand } from './resolved.js'
import type { ExecPolicy, OwnerRules, PartDecision } from './types.js'

/** Judges a resolved command; the blacklist has been checked before. */
export function judgeCommand(command: ResolvedCommand, facts: Facts, policy: ExecPolicy, rules: OwnerRules): PartDecision {
  const text = normalise(command)
  if (policy.execSecurity === 'full') return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const problem = surroundings(command)
  const cover = command.words.length === 0 ? problem === undefined && { rule: 'redirection', reason: 'only reads' } : coverOf(command, facts, policy)
  if (cover !== false && problem === undefined && 'rule' in cover) return { text, verdict: 'allow', ...cover }

  const sensitive = cover !== false && 'sensitive' in cover
  const reason = problem ?? (cover !== false && !('rule' in cover) ? cover.reason : 'not covered')
  return sensitive ? needsOwner(text, reason, rules) : notCovered(text, reason, policy, rules)
}

/** What the owner's rules and the approval mode make of something that nothing covers. */
export function notCovered(text: string, reason: string, policy: ExecPolicy, rules: OwnerRules): PartDecision {
  if (policy.execSecurity === 'full') return { text, verdict: 'allow', rule: 'full', reason: 'execSecurity full does not restrict it' }
  const rule = matchingRule(rules, text)
  if (rule !== undefined) return { text, verdict: 'allow', rule: `owner-rule:${rule}`, reason: 'an owner rule covers it' }
  if (policy.execApprovalMode === 'allow') return { text, verdict: 'allow', rule: 'approval:allow', reason: `${reason}; execApprovalMode allow lets it through` }
  if (policy.execApprovalMode === 'ask') {
    if (rules.bashAlways) return { text, verdict: 'allow', rule: 'owner-always', reason: 'the owner has approved every command' }
    return { text, verdict: 'ask', rule: 'not-covered', reason }
  }
  return { text, verdict: 'deny', rule: 'not-covered', reason }
}

function needsOwner(text: string, reason: string, rules: OwnerRules): PartDecision {
  const rule = matchingRule(rules, text)
  if (rule !== undefined) return { text, verdict: 'allow', rule: `owner-rule:${rule}`, reason: 'an owner rule covers it' }
  if (rules.bashAlways) return { text, verdict: 'allow', rule: 'owner-always', reason: 'the owner has approved every command' }
  return { text, verdict: 'ask', rule: 'sensitive', reason }
}

type Cover = { readonly rule: string; readonly reason: string } | { readonly reason: string; readonly sensitive?: true }

function coverOf(command: ResolvedCommand, facts: Facts, policy: ExecPolicy): Cover {
  const mentioned = mentionsSecret(command.words, facts)
  if (mentioned !== undefined) return { reason: mentioned }
  let cover: Cover = { reason: 'not covered' }
  for (const words of loopVariants(command.words, facts.loops)) {
    cover = coverWords(words, command.stdin, policy)
    if (!('rule' in cover)) return cover
  }
  return cover
}

/** A reader of files that are only named at run time must not stand beside the name of a secret one. */
function mentionsSecret(words: readonly Arg[], facts: Facts): string | undefined {
  const [first, ...args] = words
  if (!showsFiles(first?.value ?? '')) return undefined
  const computed = args.some((arg) => arg.unknown.some((kind) => kind === 'input' || kind === 'command' || kind === 'variable'))
  const secret = computed ? facts.literals.find((text) => text.length < 200 && secretFile(staticArg(text))) : undefined
  return secret === undefined ? undefined : `${first?.value ?? ''} reads files that are only known when it runs, and ${secret} may be one of them`
}

function coverWords(words: readonly Arg[], stdin: Stdin, policy: ExecPolicy): Cover {
  const [first, ...args] = words
  const name = first?.value ?? ''
  const check = readOnlyCheck(name)
  if (check !== undefined) {
    const problem = check(args)
    return problem === undefined ? { rule: 'read-only', reason: 'its arguments only read' } : { reason: problem }
  }
  if (steeringBuiltin(name)) {
    const problem = checkBuiltin(name, args)
    return problem === undefined ? { rule: 'builtin', reason: 'a builtin without effect' } : { reason: problem }
  }
  if (policy.platformCli !== undefined && name === policy.platformCli.command) {
    const sensitive = sensitiveSubcommand(policy.platformCli, args)
    if (sensitive !== undefined) return { reason: `${name} ${sensitive} needs the owner`, sensitive: true }
    return { rule: 'platform-cli', reason: 'not one of its sensitive subcommands' }
  }
  const list = listedBy(name, policy)
  if (list === undefined) return { reason: `${name} is neither read-only nor listed` }
  const problem = checkListed(name, args, stdin)
  return problem === undefined ? { rule: list, reason: 'listed' } : { reason: problem }
}

/** What is around a command that no list covers: redirections, environment, lone assignments, wrappers. */
function surroundings(command: ResolvedCommand): string | undefined {
  for (const redirect of command.redirects) {
    if (redirect.effect === 'write') return `${redirect.text} writes a file`
    if (redirect.effect === 'read' && redirect.target !== undefined) {
      if (/^\/dev\/(?:tcp|udp)\//.test(redirect.target.shape)) return `${redirect.text} opens a network connection`
      if (secretPath(redirect.target)) return `${redirect.text} reads ${displayShape(redirect.target)}, which may hold credentials`
    }
  }
  if (command.assignments.length > 0) return `sets ${command.assignments[0]?.name ?? ''} for the commands that follow`
  for (const { name, value, text } of command.environment) {
    if (dangerousEnvironment(name, value)) return `${text} may change what is run`
  }
  return command.concerns[0] ?? readsSecret('xargs', command.reads)
}

function checkBuiltin(name: string, args: readonly Arg[]): string | undefined {
  if (name === 'printf' && args[0]?.shape.startsWith('-v') === true) return 'printf -v sets a variable'
  if (name === 'wait' && args.some((arg) => arg.shape.startsWith('-p'))) return 'wait -p sets a variable'
  if (name === 'echo' || name === 'printf') {
    const secret = args.flatMap((arg) => arg.variables).find(namesSecret)
    if (secret !== undefined) return `${name} would print ${secret}, which may hold a credential`
  }
  return undefined
}

/** One line of canonical text: what a rule is matched against. Harmless wrappers and prefixes are left out. */
function normalise(command: ResolvedCommand): string {
  const dangerous = command.environment.filter(({ name, value }) => dangerousEnvironment(name, value)).map(({ text }) => text)
  const writes = command.redirects.filter(({ effect }) => effect !== 'descriptor' && effect !== 'data').map(({ text }) => text)
  const alone = command.assignments.map(({ text }) => text)
  return [...dangerous, ...alone, ...command.words.map(quoteWord), ...writes].join(' ').replaceAll(/\s*\n\s*/g, ' ')
}
