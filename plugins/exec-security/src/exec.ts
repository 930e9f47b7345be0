// The service: decides by policy, standing approvals and single approvals, runs what is allowed, and writes the audit.
import { isWireError } from '@mynah/contract'
import { NEEDS_OWNER, type ApprovalEnd, type AuditEntry, type ExecAnswer, type ExecDecision, type ExecOrigin, type ExecOutcome, type ExecSecurity, type RunOptions, type RunResult } from './api.js'
import type { Approval } from './approvals/approval.js'
import type { Approvals } from './approvals/approvals.js'
import type { EndpointKey, StandingApprovals } from './approvals/standing.js'
import { ruleOf, type Audit } from './audit.js'
import { policyOf, type ExecConfig } from './config.js'
import { evaluateCommand } from './policy/index.js'
import { runCommand } from './run/run-command.js'

const AUDIT_LIMIT = 50
const MAX_AUDIT_LIMIT = 1000
/** Who answers requests that a standing approval covers. */
const BY_STANDING = 'standing approval'

interface Deps {
  readonly approvals: Approvals
  readonly standing: StandingApprovals
  readonly audit: Audit
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  /** Tells the owner of a request. */
  readonly ask: (approval: Approval) => void
}

export class Exec implements ExecSecurity {
  readonly #deps: Deps
  readonly #running = new Set<Promise<unknown>>()
  config: ExecConfig

  constructor(deps: Deps, config: ExecConfig) {
    this.#deps = deps
    this.config = config
  }

  check(command: string, origin: ExecOrigin = {}): ExecDecision {
    const { adapter, endpointId } = origin
    const rules = adapter === undefined || endpointId === undefined ? undefined : this.#deps.standing.of({ adapter, endpointId })
    return evaluateCommand(command, policyOf(this.config, origin.subagent === true), rules)
  }

  request(command: string, origin: ExecOrigin): Promise<ExecAnswer> {
    return this.#decide(command, origin, false)
  }

  async run(command: string, origin: ExecOrigin, options: RunOptions): Promise<ExecOutcome> {
    const answer = await this.#decide(command, origin, true)
    if (answer.verdict !== 'allow') return answer
    const running = this.#spawn(command, options)
    this.#running.add(running)
    const occasion = { kind: 'run', command, origin, verdict: 'allow', decision: answer.decision, approvalId: answer.approvalId } as const
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

  waitForApproval(id: string, signal?: AbortSignal): Promise<ApprovalEnd> {
    return this.#deps.approvals.wait(id, signal ? [this.#deps.signal, signal] : [this.#deps.signal])
  }

  audit({ limit = AUDIT_LIMIT }: { readonly limit?: number } = {}): Promise<readonly AuditEntry[]> {
    return this.#deps.audit.list(Math.min(Math.max(1, Math.floor(limit)), MAX_AUDIT_LIMIT))
  }

  /** Answers a request and writes who did. */
  async answer(id: string, approve: boolean, by: string, endpoint?: EndpointKey): Promise<Approval> {
    const approval = await this.#deps.approvals.answer(id, approve, by, (found) => !endpoint || isOf(found, endpoint))
    await this.#deps.audit.add({ kind: 'answer', command: approval.command, origin: originOf(approval), verdict: approve ? 'allow' : 'deny', rule: by, approvalId: id })
    return approval
  }

  /** Approves the waiting requests of an endpoint that a standing approval covers now; gives how many it does not. */
  async settle(endpoint: EndpointKey): Promise<{ approved: number; waiting: number }> {
    let approved = 0
    const waiting = (await this.#deps.approvals.pending()).filter((approval) => isOf(approval, endpoint))
    for (const approval of waiting) {
      if (this.check(approval.command, originOf(approval)).verdict !== 'allow') continue
      try {
        await this.answer(approval.id, true, BY_STANDING)
        approved++
      } catch (error) {
        // Somebody answered it in this moment.
        if (!isWireError(error) || error.code !== 'conflict') throw error
      }
    }
    return { approved, waiting: waiting.length - approved }
  }

  /** Takes back what {@link Exec.settle} approved and nobody has used. */
  unsettle(endpoint: EndpointKey): Promise<void> {
    return this.#deps.approvals.withdraw((approval) => approval.answeredBy === BY_STANDING && isOf(approval, endpoint))
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #decide(command: string, origin: ExecOrigin, use: boolean): Promise<ExecAnswer> {
    const decision = this.check(command, origin)
    const { verdict } = decision
    const answer: ExecAnswer = verdict === 'ask' ? await this.#byOwner(command, origin, decision, use) : { verdict, decision }
    await this.#deps.audit.add({ kind: 'decision', command, origin, verdict: answer.verdict, rule: ruleFor(answer), decision, approvalId: answer.approvalId })
    return answer
  }

  async #byOwner(command: string, origin: ExecOrigin, decision: ExecDecision, use: boolean): Promise<ExecAnswer> {
    const { approvals, ask } = this.#deps
    const granted = await approvals.granted(command, origin, use)
    if (granted) return { verdict: 'allow', decision, approvalId: granted.id }
    const made = await approvals.request(command, origin, decision)
    if (!made) return { verdict: 'deny', decision: { ...decision, verdict: 'deny', reason: 'too many commands wait for the owner already' } }
    if (made.fresh) ask(made.approval)
    return { verdict: 'ask', decision, approvalId: made.approval.id, marker: NEEDS_OWNER }
  }

  async #spawn(command: string, options: RunOptions): Promise<RunResult> {
    const stop = new AbortController()
    const signals = options.signal ? [this.#deps.signal, options.signal] : [this.#deps.signal]
    const abort = (): void => stop.abort()
    for (const signal of signals) {
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    try {
      return await runCommand(command, { ...options, signal: stop.signal })
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    }
  }
}

const ruleFor = ({ verdict, decision }: ExecAnswer): string => (verdict === 'allow' && decision.verdict === 'ask' ? 'approval' : ruleOf(decision) || 'limit')

const isOf = ({ adapter, endpointId }: Approval, endpoint: EndpointKey): boolean => adapter === endpoint.adapter && endpointId === endpoint.endpointId

/** Enough of the origin to decide again and to write about it. */
function originOf({ adapter, endpointId, channel, userId, subagent }: Approval): ExecOrigin {
  const [type, ...id] = channel?.split(':') ?? []
  return {
    adapter: adapter ?? undefined, endpointId: endpointId ?? undefined, userId: userId ?? undefined, subagent,
    ...(type === undefined ? {} : { channel: { type: type as 'private' | 'group' | 'channel', id: id.join(':') } }),
  }
}
