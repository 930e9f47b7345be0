import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWireError } from '@mynah/contract'
import type { HostPaths } from '@mynah/kernel'
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
import { originOf, type Approval } from './approvals/approval.js'
import type { ApprovalService } from './approvals/approval-service.js'
import type { EndpointKey, PermanentApprovals } from './approvals/permanent-approvals.js'
import { ruleOf, type Audit } from './audit.js'
import { policyOf, type ExecConfig } from './config.js'
import { leadsIntoProtected, hostExecPaths, workspaceOf } from './host-paths.js'
import { evaluateCommand } from './policy/index.js'
import { runCommand } from './run/run-command.js'
import { environmentFiles, probeSandbox, type SandboxView } from './run/sandbox.js'

const AUDIT_LIMIT = 50
const MAX_AUDIT_LIMIT = 1000
const LIMIT_MS = 120_000
/** Recorded as the answerer of requests that a permanent approval covers. */
const BY_PERMANENT = 'standing approval'

interface Deps {
  readonly approvals: ApprovalService
  readonly permanent: PermanentApprovals
  readonly audit: Audit
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  readonly paths: { readonly current: HostPaths | undefined }
  /** The HTTP server, whose port no command may reach. */
  readonly http: { readonly current: { readonly address: { readonly port: number } } | undefined }
}

/** Decides by the policy and by approvals, runs what is allowed, and writes the audit. */
export class ExecService implements ExecSecurity {
  readonly #deps: Deps
  readonly #running = new Set<Promise<unknown>>()
  #probe: Promise<SandboxProbe> | undefined
  #tmp: Promise<string> | undefined
  config: ExecConfig

  constructor(deps: Deps, config: ExecConfig) {
    this.#deps = deps
    this.config = config
  }

  approvalMode(subagent = false): 'ask' | 'allow' | 'deny' {
    return policyOf(this.config, subagent).execApprovalMode
  }

  evaluate(command: string, { origin = {}, cwd }: ExecContext = {}): ExecDecision {
    const { adapter, endpointId } = origin
    const { permanent, paths, http } = this.#deps
    const rules = adapter === undefined || endpointId === undefined ? undefined : permanent.of({ adapter, endpointId })
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
    const answer = await this.#decide(command, run, true)
    if (answer.verdict !== 'allow') return answer
    const running = this.#spawn(command, run, answer.decision)
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
      await this.#deps.audit.add({ ...occasion, rule: ruleFor(answer), result })
      return { ...answer, result }
    } catch (error) {
      await this.#deps.audit.add({ ...occasion, rule: 'not started' })
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
    return this.#deps.audit.list(Math.min(Math.max(1, Math.floor(limit)), MAX_AUDIT_LIMIT))
  }

  /** Answers a request and records the answerer. */
  async answer(id: string, approve: boolean, by: string, endpoint?: EndpointKey): Promise<Approval> {
    const approval = await this.#deps.approvals.answer(id, approve, by, (found) => !endpoint || isOf(found, endpoint))
    await this.#deps.audit.add({
      kind: 'answer',
      command: approval.command,
      origin: originOf(approval),
      verdict: approve ? 'allow' : 'deny',
      rule: by,
      approvalId: id,
    })
    return approval
  }

  /** Returns a request that this person has answered so already. */
  async answered(id: string, approve: boolean, by: string, endpoint: EndpointKey): Promise<Approval | undefined> {
    const approval = await this.#deps.approvals.get(id)
    if (!approval || !isOf(approval, endpoint) || approval.answeredBy !== by) return undefined
    return (approval.status === 'denied') === approve ? undefined : approval
  }

  /** Records an attempt to answer that was refused. */
  auditRefusal(what: string, by: string, approvalId?: string): Promise<void> {
    return this.#deps.audit.add({ kind: 'answer', command: what, origin: {}, verdict: 'deny', rule: by, approvalId })
  }

  /** Approves the waiting commands of an endpoint that a permanent approval covers now. Returns how many remain. */
  async approveCovered(endpoint: EndpointKey): Promise<{ approved: number; waiting: number }> {
    let approved = 0
    const waiting = (await this.#deps.approvals.waiting()).filter((approval) => isOf(approval, endpoint))
    for (const approval of waiting) {
      if (
        approval.kind !== 'bash' ||
        this.evaluate(approval.command, { origin: originOf(approval) }).verdict !== 'allow'
      )
        continue
      try {
        await this.answer(approval.id, true, BY_PERMANENT)
        approved++
      } catch (error) {
        // The request was answered in the meantime.
        if (!isWireError(error) || error.code !== 'conflict') throw error
      }
    }
    return { approved, waiting: waiting.length - approved }
  }

  /** Expires unused approvals of {@link ExecService.approveCovered}. */
  revokeCovered(endpoint: EndpointKey): Promise<void> {
    return this.#deps.approvals.expireApproved(
      (approval) => approval.answeredBy === BY_PERMANENT && isOf(approval, endpoint),
    )
  }

  /** Returns whether a command runs. */
  get busy(): boolean {
    return this.#running.size > 0
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
      verdict === 'ask' ? await this.#byOwner(command, { origin, asker }, decision, use) : { verdict, decision }
    await this.#deps.audit.add({
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
  async #withHostChecks(decision: ExecDecision, cwd = workspaceOf(this.#deps.paths.current)): Promise<ExecDecision> {
    if (decision.verdict === 'deny') return decision
    const refused = (rule: string, reason: string): ExecDecision => ({
      ...decision,
      verdict: 'deny',
      reason,
      parts: [...decision.parts, { text: rule, verdict: 'deny', rule, reason }],
    })
    const execPaths = hostExecPaths(this.#deps.paths.current, cwd)
    if (execPaths && (await leadsIntoProtected(cwd, execPaths)))
      return refused('sealed', 'the working directory is a link into what decides over this host')
    const probe = this.config['ai.agent.execSandbox'] === 'required' ? await this.sandbox() : undefined
    return probe?.available === false ? refused('sandbox', `execSandbox is required, and ${probe.reason}`) : decision
  }

  async #byOwner(
    command: string,
    { origin, asker }: Pick<ExecAsk, 'origin' | 'asker'>,
    decision: ExecDecision,
    use: boolean,
  ): Promise<ExecAnswer> {
    const { approvals } = this.#deps
    const granted = await approvals.granted('bash', command, origin, use)
    if (granted) return { verdict: 'allow', decision, approvalId: granted.id }
    // A caller that records its waits does so before the request exists.
    if (use && asker)
      return {
        verdict: 'ask',
        decision,
        approvalId: await approvals.idFor({ kind: 'bash', text: command, origin, asker }),
        marker: NEEDS_OWNER,
      }
    try {
      const { reason, suggestion, parts } = decision
      const { id } = await approvals.request({
        kind: 'bash',
        title: command,
        text: command,
        origin,
        reason,
        suggestion,
        parts,
        asker,
      })
      return { verdict: 'ask', decision, approvalId: id, marker: NEEDS_OWNER }
    } catch (error) {
      if (!isWireError(error) || error.code !== 'conflict') throw error
      return { verdict: 'deny', decision: { ...decision, verdict: 'deny', reason: error.message } }
    }
  }

  async #spawn(command: string, run: ExecRun, decision: ExecDecision): Promise<RunResult> {
    const cwd = run.cwd ?? workspaceOf(this.#deps.paths.current)
    if (run.cwd === undefined) await mkdir(cwd, { recursive: true })
    const { limitMs = LIMIT_MS, env, onOutput, maxOutput } = run
    const signal = run.signal ? AbortSignal.any([this.#deps.signal, run.signal]) : this.#deps.signal
    const sandbox = await this.#view(cwd, decision)
    return runCommand(command, {
      cwd,
      limitMs,
      env,
      onOutput,
      maxOutput,
      signal,
      passes: this.config['ai.agent.execEnv'],
      sandbox,
    })
  }

  async #view(cwd: string, { network = false }: ExecDecision): Promise<SandboxView | undefined> {
    if (this.config['ai.agent.execSandbox'] === 'off' || !(await this.sandbox()).available) return undefined
    const paths = this.#deps.paths.current
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

const ruleFor = ({ verdict, decision }: ExecAnswer): string =>
  verdict === 'allow' && decision.verdict === 'ask' ? 'approval' : ruleOf(decision) || 'limit'

const isOf = ({ adapter, endpointId }: Approval, endpoint: EndpointKey): boolean =>
  adapter === endpoint.adapter && endpointId === endpoint.endpointId
