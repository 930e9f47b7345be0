import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWireError } from '@mynah/contract'
import type { HostPaths } from '@mynah/kernel'
import type { RefusedSender } from '@mynah/plugin-http-core/api'
import {
  NEEDS_OWNER,
  type AuditEntry,
  type ExecAnswer,
  type ExecAsk,
  type ExecContext,
  type ExecDecision,
  type ExecOutcome,
  type ExecRun,
  type ExecSecurity,
  type RunResult,
  type SandboxProbe,
} from './api.js'
import type { ApprovalService } from './approvals/approval-service.js'
import { placeOf } from './approvals/binding.js'
import type { PermanentApprovals } from './approvals/permanent-approvals.js'
import { ruleOf, type Audit } from './audit.js'
import { policyOf, type ExecConfig } from './config.js'
import { leadsIntoProtected, hostExecPaths, workspaceOf } from './host-paths.js'
import { evaluateCommand } from './policy/index.js'
import { OpenRuns } from './open-runs.js'
import { runCommand } from './run/run-command.js'
import { environmentFiles, probeSandbox, type SandboxView } from './run/sandbox.js'

const AUDIT_LIMIT = 50
const MAX_AUDIT_LIMIT = 1000
const LIMIT_MS = 120_000

/** The parts of the plugin that commands use. */
interface Surroundings {
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  readonly paths: { readonly current: HostPaths | undefined }
  /** The HTTP server, whose port no command may reach. */
  readonly http: { readonly current: { readonly address: { readonly port: number } } | undefined }
}

/** Decides by the policy and by approvals, runs what is allowed, and writes the audit. */
export class ExecService implements ExecSecurity {
  readonly #of: Surroundings
  readonly #approvals: ApprovalService
  readonly #permanent: PermanentApprovals
  readonly #audit: Audit
  readonly #running = new Set<Promise<unknown>>()
  /** Commands outside of a sandbox. */
  readonly open = new OpenRuns()
  #probe: Promise<SandboxProbe> | undefined
  #tmp: Promise<string> | undefined
  config: ExecConfig

  constructor(
    surroundings: Surroundings,
    config: ExecConfig,
    approvals: ApprovalService,
    permanent: PermanentApprovals,
    audit: Audit,
  ) {
    this.#of = surroundings
    this.config = config
    this.#approvals = approvals
    this.#permanent = permanent
    this.#audit = audit
  }

  approvalMode(subagent = false): 'ask' | 'allow' | 'deny' {
    return policyOf(this.config, subagent).execApprovalMode
  }

  evaluate(command: string, { origin = {}, cwd }: ExecContext = {}): ExecDecision {
    const { adapter, endpoint } = origin
    const { paths, http } = this.#of
    const rules =
      adapter === undefined || endpoint === undefined
        ? undefined
        : this.#permanent.of({ adapter, endpointId: endpoint })
    return evaluateCommand(
      command,
      policyOf(this.config, origin.subagent === true, {
        paths: hostExecPaths(paths.current, cwd),
        hostPorts: http.current && [http.current.address.port],
      }),
      rules,
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
    const running = this.#spawn(command, folder, run, answer.decision)
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
      return { ...answer, result }
    } catch (error) {
      await this.#audit.add({ ...occasion, rule: 'not started' })
      throw error
    } finally {
      this.#running.delete(running)
    }
  }

  sandbox(): Promise<SandboxProbe> {
    return (this.#probe ??= probeSandbox().catch((error: unknown) => {
      // The next command probes again, since a full disk may be temporary.
      this.#probe = undefined
      throw error
    }))
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

  /** Resolves when no command runs, and deletes the temporary files of commands. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#running, ...(this.#probe ? [this.#probe] : [])])
    const tmp = await this.#tmp
    if (tmp !== undefined) await rm(tmp, { recursive: true, force: true })
  }

  async #decide(command: string, { origin, cwd, asker }: ExecAsk, use: boolean): Promise<ExecAnswer> {
    const decision = await this.#withHostChecks(this.evaluate(command, { origin, cwd }), cwd)
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
    return answer
  }

  /**
   * Denies every command if a required sandbox is unavailable, or if the working directory leads to protected files.
   */
  async #withHostChecks(decision: ExecDecision, cwd = workspaceOf(this.#of.paths.current)): Promise<ExecDecision> {
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
    const probe = this.config['ai.agent.execSandbox'] === 'required' ? await this.sandbox() : undefined
    return probe?.available === false ? refused('sandbox', `execSandbox is required, and ${probe.reason}`) : decision
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

  async #spawn(command: string, cwd: string, run: ExecRun, decision: ExecDecision): Promise<RunResult> {
    const { limitMs = LIMIT_MS, env, onOutput, maxOutput } = run
    const signal = run.signal ? AbortSignal.any([this.#of.signal, run.signal]) : this.#of.signal
    const sandbox = await this.#view(cwd, decision)
    const passes = this.config['ai.agent.execEnv']
    const start = (): Promise<RunResult> =>
      runCommand(command, { cwd, limitMs, env, onOutput, maxOutput, signal, passes, sandbox })
    return sandbox ? start() : this.open.during(start)
  }

  async #view(cwd: string, { network = false }: ExecDecision): Promise<SandboxView | undefined> {
    if (this.config['ai.agent.execSandbox'] === 'off' || !(await this.sandbox()).available) return undefined
    const paths = this.#of.paths.current
    const execPaths = hostExecPaths(paths, cwd)
    this.#tmp ??= mkdtemp(join(tmpdir(), 'mynah-exec-')).catch((error: unknown) => {
      this.#tmp = undefined
      throw error
    })
    return {
      cwd,
      tmp: await this.#tmp,
      network,
      root: paths?.root,
      readOnly: execPaths?.readOnly ?? [],
      hidden: paths && execPaths ? [...execPaths.protected, ...(await environmentFiles(paths.root))] : [],
    }
  }
}

/** The decision on a command whose working directory became another one meanwhile. */
function moved(decision: ExecDecision): ExecDecision {
  const reason = 'the working directory has become another one meanwhile'
  const part = { text: 'working directory', verdict: 'deny', rule: 'sealed', reason } as const
  return { ...decision, verdict: 'deny', reason, parts: [...decision.parts, part] }
}

const ruleFor = ({ verdict, decision }: ExecAnswer): string =>
  verdict === 'allow' && decision.verdict === 'ask' ? 'approval' : ruleOf(decision) || 'limit'
