import { mkdir } from 'node:fs/promises'
import { isWireError } from '@mynah/contract'
import type { Clock, HostPaths, Logger } from '@mynah/kernel'
import type { RefusedSender } from '@mynah/plugin-http-core/api'
import {
  NEEDS_OWNER,
  type Allowed,
  type Destination,
  type AuditEntry,
  type ExecAnswer,
  type ExecAsk,
  type ExecContext,
  type ExecDecision,
  type ExecOrigin,
  type ExecLevelInfo,
  type ExecOutcome,
  type ExecResult,
  type ExecRun,
  type ExecSecurity,
} from './api.js'
import type { ApprovalService } from './approvals/approval-service.js'
import { placeOf } from './approvals/binding.js'
import { HostRequests } from './approvals/host-requests.js'
import type { PermanentApprovals } from './approvals/permanent-approvals.js'
import { ruleOf, type Audit, type AuditEvent } from './audit.js'
import { policyOf, type ExecConfig } from './config.js'
import { leadsIntoProtected, hostExecPaths, workspaceOf } from './host-paths.js'
import { evaluateCommand, type ExecPolicy, type OwnerRules } from './policy/index.js'
import { OpenRuns } from './open-runs.js'
import type { ExecLevel } from './levels/level.js'
import { isWithin } from './real-paths.js'
import { CommandRunner } from './run/command-runner.js'

const AUDIT_LIMIT = 50
const MAX_AUDIT_LIMIT = 1000
/** Paths of one command that the audit has. */
const MAX_PATHS = 5

/** The parts of the plugin that commands use. */
interface Surroundings {
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: Logger
  readonly paths: { readonly current: HostPaths | undefined }
  /** The HTTP server, whose port no command may reach. */
  readonly http: { readonly current: { readonly address: { readonly port: number } } | undefined }
}

/** Decides by the policy and by approvals, runs what is allowed, and writes the audit. */
export class ExecService implements ExecSecurity {
  readonly #of: Surroundings
  readonly #approvals: ApprovalService
  readonly #hosts: HostRequests
  readonly #permanent: PermanentApprovals
  readonly #audit: Audit
  readonly #running = new Set<Promise<unknown>>()
  /** Commands below level `wall`. */
  readonly open = new OpenRuns()
  readonly #runner: CommandRunner
  config: ExecConfig

  constructor(
    surroundings: Surroundings,
    config: ExecConfig,
    approvals: ApprovalService,
    permanent: PermanentApprovals,
    audit: Audit,
  ) {
    this.#of = surroundings
    this.#runner = new CommandRunner(surroundings, this.open)
    this.config = config
    this.#approvals = approvals
    this.#hosts = new HostRequests(approvals)
    this.#permanent = permanent
    this.#audit = audit
  }

  approvalMode(subagent = false): 'ask' | 'allow' | 'deny' {
    return policyOf(this.config, subagent).execApprovalMode
  }

  evaluate(command: string, { origin = {}, cwd }: ExecContext = {}): ExecDecision {
    const { paths, http } = this.#of
    return evaluateCommand(
      command,
      policyOf(this.config, origin.subagent === true, {
        paths: hostExecPaths(paths.current, cwd),
        hostPorts: http.current && [http.current.address.port],
        level: this.heldBy,
      }),
      this.#rulesOf(origin),
    )
  }

  request(command: string, context: ExecAsk): Promise<ExecAnswer> {
    return this.#decide(command, context, false)
  }

  async run(command: string, run: ExecRun): Promise<ExecOutcome> {
    const folder = await this.#folderOf(run.cwd)
    const { identity } = await placeOf(folder)
    const answer = await this.#decide(command, run, true)
    if (answer.verdict !== 'allow') return answer
    if ((await placeOf(folder)).identity !== identity) return { verdict: 'deny', decision: moved(answer.decision) }
    const running = this.#spawn(command, folder, run, answer)
    this.#running.add(running)
    const occasion = {
      kind: 'run',
      command,
      origin: run.origin,
      verdict: 'allow',
      decision: answer.decision,
      approvalId: answer.approvalId,
    } as const
    try {
      const result = await running
      await this.#audit.add({ ...occasion, rule: ruleFor(answer), result })
      for (const destination of result.destinations)
        await this.#audit.add({ ...netOf(destination), command, origin: run.origin })
      return { ...answer, result }
    } catch (error) {
      await this.#audit.add({ ...occasion, rule: 'not started' })
      throw error
    } finally {
      this.#running.delete(running)
    }
  }

  /** The level that commands are judged for. */
  get heldBy(): ExecLevel {
    return this.#runner.level(this.config)
  }

  /** Returns why no view can have a folder, or undefined. */
  rootProblem(folder: string): Promise<string | undefined> {
    return this.#runner.rootProblem(folder)
  }

  async level(): Promise<ExecLevelInfo> {
    if (this.config['ai.agent.execSandbox'] === 'off') return { level: 'none', reasons: ['execSandbox is off'] }
    const { best, reasons } = await this.#runner.levels()
    return { level: best, reasons }
  }

  audit({ limit = AUDIT_LIMIT }: { readonly limit?: number } = {}): Promise<readonly AuditEntry[]> {
    return this.#audit.list(Math.min(Math.max(1, Math.floor(limit)), MAX_AUDIT_LIMIT))
  }

  /** Records a request of a process of this host that was refused. */
  auditRefusal({ action, token, sender }: RefusedSender): Promise<void> {
    return this.#audit.add({
      kind: 'refused',
      command: action,
      origin: {},
      verdict: 'deny',
      rule: `console:${token} refused to ${sender}`,
    })
  }

  /** Resolves when no command runs, and deletes the files that commands do not keep. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#running])
    await this.#runner.close(this.config['ai.agent.execView'].keepDays)
  }

  /** Deletes the files of commands that were not used for long. */
  prune(): Promise<void> {
    return this.#runner.prune(this.config['ai.agent.execView'].keepDays)
  }

  #rulesOf({ adapter, endpoint }: ExecOrigin): OwnerRules | undefined {
    return adapter === undefined || endpoint === undefined
      ? undefined
      : this.#permanent.of({ adapter, endpointId: endpoint })
  }

  async #decide(command: string, { origin, cwd, asker }: ExecAsk, use: boolean): Promise<ExecAnswer> {
    // The decision follows from what holds the command.
    if (this.config['ai.agent.execSecurity'] !== 'deny') await this.level()
    const decision = await this.#withHostChecks(command, this.evaluate(command, { origin, cwd }), { origin, cwd })
    const { verdict } = decision
    const answer: ExecAnswer =
      verdict === 'ask' ? await this.#byOwner(command, { origin, cwd, asker }, decision, use) : { verdict, decision }
    await this.#audit.add({
      kind: 'decision',
      command,
      origin,
      verdict: answer.verdict,
      rule: ruleFor(answer),
      decision,
      approvalId: answer.approvalId,
    })
    if (use) await this.#auditPaths(command, origin, answer)
    return answer
  }

  /** Records the paths that a command names and is not shown. */
  async #auditPaths(command: string, origin: ExecOrigin, { verdict, decision, approvalId }: ExecAnswer): Promise<void> {
    if (verdict === 'deny' || (verdict === 'allow' && approvalId !== undefined) || this.heldBy === 'none') return
    const { HOME: home = '/' } = process.env
    const paths = (decision.outside ?? []).filter(({ path }) => !isWithin(path, home)).slice(0, MAX_PATHS)
    for (const outside of paths)
      await this.#audit.add({
        kind: 'path',
        command,
        origin,
        verdict: verdict === 'ask' ? 'ask' : 'deny',
        rule: 'outside of what commands see',
        outside,
      })
  }

  /**
   * Denies every command if a required sandbox is unavailable, or if the working directory leads to protected files,
   * and those that do more than read where the machine is hindered.
   */
  async #withHostChecks(
    command: string,
    decision: ExecDecision,
    { origin, cwd = workspaceOf(this.#of.paths.current) }: ExecAsk,
  ): Promise<ExecDecision> {
    if (decision.verdict === 'deny') return decision
    const refused = (rule: string, reason: string): ExecDecision => ({
      ...decision,
      verdict: 'deny',
      reason,
      parts: [...decision.parts, { text: rule, verdict: 'deny', rule, reason }],
    })
    const execPaths = hostExecPaths(this.#of.paths.current, cwd)
    if (execPaths && (await leadsIntoProtected(cwd, execPaths)))
      return refused('sealed', 'the working directory is a link into what decides over this host')
    const root = await this.#runner.cwdProblem(cwd, this.config)
    if (root !== undefined) return refused('root', root)
    const hindrance = await this.#runner.hindrance(this.config)
    if (hindrance !== undefined && !this.#onlyReads(command, cwd)) return refused('level', hindrance)
    if (this.config['ai.agent.execSandbox'] !== 'required') return this.#withRepository(decision, cwd, origin)
    const { level, reasons } = await this.level()
    return level === 'wall'
      ? this.#withRepository(decision, cwd, origin)
      : refused('sandbox', `execSandbox is required, and ${reasons.join('; ')}`)
  }

  /** Asks where git would run programs of the repository while it is open. */
  async #withRepository(decision: ExecDecision, cwd: string, origin: ExecOrigin): Promise<ExecDecision> {
    const mode = this.#rulesOf(origin)?.bashAlways === true ? 'allow' : this.approvalMode(origin.subagent)
    if (mode === 'allow') return decision
    const programs = await this.#runner.gitPrograms(decision, cwd, this.config)
    if (programs.length === 0) return decision
    const reason = `git runs ${programs.join(', ')}, which may change the repository`
    const part = { text: 'git', verdict: mode, rule: 'repository', reason } as const
    return { ...decision, verdict: mode, reason, parts: [...decision.parts, part] }
  }

  /** Whether a command provably only reads, so that nothing needs to hold it. */
  #onlyReads(command: string, cwd: string): boolean {
    const policy: ExecPolicy = {
      execSecurity: 'allowlist',
      execPreset: 'readonly',
      execAllowlist: [],
      execApprovalMode: 'deny',
      paths: hostExecPaths(this.#of.paths.current, cwd),
      level: 'none',
      unwalled: 'ask',
    }
    return evaluateCommand(command, policy).verdict === 'allow'
  }

  async #byOwner(
    command: string,
    { origin, cwd, asker }: ExecAsk,
    decision: ExecDecision,
    use: boolean,
  ): Promise<ExecAnswer> {
    const approvals = this.#approvals
    const bound = { kind: 'bash', text: command, origin, folder: await this.#folderOf(cwd) }
    const granted = await approvals.granted(bound, use)
    if (granted) return { verdict: 'allow', decision, approvalId: granted.id }
    // A caller that records its waits does so before the request exists.
    if (use && asker)
      return {
        verdict: 'ask',
        decision,
        approvalId: await approvals.idFor({ ...bound, asker }),
        marker: NEEDS_OWNER,
      }
    try {
      const { reason, suggestion, parts } = decision
      const { id } = await approvals.request({ ...bound, title: command, reason, suggestion, parts, asker })
      return { verdict: 'ask', decision, approvalId: id, marker: NEEDS_OWNER }
    } catch (error) {
      if (!isWireError(error) || !/^(?:conflict|invalid_request)$/.test(error.code)) throw error
      return { verdict: 'deny', decision: { ...decision, verdict: 'deny', reason: error.message } }
    }
  }

  /** Returns the working directory. The default one is made. */
  async #folderOf(cwd: string | undefined): Promise<string> {
    if (cwd !== undefined) return cwd
    const workspace = workspaceOf(this.#of.paths.current)
    await mkdir(workspace, { recursive: true })
    return workspace
  }

  async #spawn(command: string, folder: string, run: ExecRun, answer: Allowed): Promise<ExecResult> {
    const bound = { kind: 'host', text: command, origin: run.origin, folder }
    const hosts = await this.#hosts.approved(bound)
    const result = await this.#runner.run(command, folder, run, {
      config: this.config,
      decision: answer.decision,
      approved: answer.approvalId !== undefined,
      hosts,
    })
    return { ...result, requested: await this.#hosts.ask(bound, result.destinations) }
  }
}

/** The audit line of a host that a command has reached or was kept from. */
function netOf(destination: Destination): Pick<AuditEvent, 'kind' | 'verdict' | 'rule' | 'destination'> {
  const { allowed, reason } = destination
  return { kind: 'net', verdict: allowed ? 'allow' : 'deny', rule: reason ?? 'host', destination }
}

/** The decision on a command whose working directory became another one meanwhile. */
function moved(decision: ExecDecision): ExecDecision {
  const reason = 'the working directory has become another one meanwhile'
  const part = { text: 'working directory', verdict: 'deny', rule: 'sealed', reason } as const
  return { ...decision, verdict: 'deny', reason, parts: [...decision.parts, part] }
}

const ruleFor = ({ verdict, decision }: ExecAnswer): string =>
  verdict === 'allow' && decision.verdict === 'ask' ? 'approval' : ruleOf(decision) || 'limit'
