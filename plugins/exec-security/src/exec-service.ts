import { isWireError } from '@mynah/contract'
import type { HostPaths } from '@mynah/kernel'
import {
  NEEDS_OWNER,
  type AuditEntry,
  type ExecAnswer,
  type ExecAsk,
  type ExecContext,
  type ExecDecision,
  type ExecLevelInfo,
  type ExecOutcome,
  type ExecResult,
  type ExecRun,
  type ExecSecurity,
} from './api.js'
import { originOf, type Approval } from './approvals/approval.js'
import type { ApprovalService } from './approvals/approval-service.js'
import type { EndpointKey, PermanentApprovals } from './approvals/permanent-approvals.js'
import { ruleOf, type Audit } from './audit.js'
import { policyOf, type ExecConfig } from './config.js'
import { leadsIntoProtected, hostExecPaths, workspaceOf } from './host-paths.js'
import { evaluateCommand } from './policy/index.js'
import { CommandRunner } from './run/command-runner.js'

const AUDIT_LIMIT = 50
const MAX_AUDIT_LIMIT = 1000
/** Recorded as the answerer of requests that a permanent approval covers. */
const BY_PERMANENT = 'standing approval'

interface Deps {
  readonly approvals: ApprovalService
  readonly permanent: PermanentApprovals
  readonly audit: Audit
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  readonly paths: { readonly current: HostPaths | undefined }
  readonly now: () => number
  /** The HTTP server, whose port no command may reach. */
  readonly http: { readonly current: { readonly address: { readonly port: number } } | undefined }
}

/** Decides by the policy and by approvals, runs what is allowed, and writes the audit. */
export class ExecService implements ExecSecurity {
  readonly #deps: Deps
  readonly #running = new Set<Promise<unknown>>()
  readonly #runner: CommandRunner
  config: ExecConfig

  constructor(deps: Deps, config: ExecConfig) {
    this.#deps = deps
    this.#runner = new CommandRunner(deps)
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

  async level(): Promise<ExecLevelInfo> {
    if (this.config['ai.agent.execSandbox'] === 'off') return { level: 'none', reasons: ['execSandbox is off'] }
    const { best, reasons } = await this.#runner.levels()
    return { level: best, reasons }
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

  /** Resolves when no command runs, and deletes the files that commands do not keep. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#running])
    await this.#runner.close(this.config['ai.agent.execView'].keepDays)
  }

  /** Deletes the files of commands that were not used for long. */
  prune(): Promise<void> {
    return this.#runner.prune(this.config['ai.agent.execView'].keepDays)
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
    const root = await this.#runner.rootProblem(cwd, this.config)
    if (root !== undefined) return refused('root', root)
    if (this.config['ai.agent.execSandbox'] !== 'required') return decision
    const { level, reasons } = await this.level()
    return level === 'wall' ? decision : refused('sandbox', `execSandbox is required, and ${reasons.join('; ')}`)
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

  async #spawn(command: string, run: ExecRun, decision: ExecDecision): Promise<ExecResult> {
    return this.#runner.run(command, run, { config: this.config, decision, grants: { hosts: [] } })
  }
}

const ruleFor = ({ verdict, decision }: ExecAnswer): string =>
  verdict === 'allow' && decision.verdict === 'ask' ? 'approval' : ruleOf(decision) || 'limit'

const isOf = ({ adapter, endpointId }: Approval, endpoint: EndpointKey): boolean =>
  adapter === endpoint.adapter && endpointId === endpoint.endpointId
