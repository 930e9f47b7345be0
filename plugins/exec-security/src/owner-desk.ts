import { isWireError, WireError, type ExecAddition, type ExecOffer, type ExecRefusal } from '@mynah/contract'
import { originOf, type Approval } from './approvals/approval.js'
import type { ApprovalService } from './approvals/approval-service.js'
import type { EndpointKey, PermanentApprovals, PermanentGrant, PermanentRule } from './approvals/permanent-approvals.js'
import type { RuleExamples } from './approvals/rule-examples.js'
import type { Audit } from './audit.js'
import type { ExecService } from './exec-service.js'
import { additionText } from './reach/addition.js'
import type { PermanentAdditions } from './reach/permanent-additions.js'
import { Refusals } from './reach/refusals.js'
import { ReachOfRequests, type RequestReach } from './reach/request-reach.js'

/** Recorded as the answerer of requests that a permanent approval covers. */
const BY_PERMANENT = 'standing approval'

/** How many waiting requests a new permanent approval has approved, and how many wait still. */
export interface Settled {
  readonly approved: number
  readonly waiting: number
}

/** The parts of the plugin that the desk uses. */
interface DeskParts {
  readonly exec: ExecService
  readonly approvals: ApprovalService
  readonly permanent: PermanentApprovals
  readonly audit: Audit
  readonly additions: PermanentAdditions
  /** The folder of the host. */
  readonly root: string | undefined
}

/** Answers requests and grants or revokes permanent approvals, for an owner in chat or in the console. */
export class OwnerDesk {
  readonly #exec: ExecService
  readonly #approvals: ApprovalService
  readonly #permanent: PermanentApprovals
  readonly #audit: Audit
  readonly #additions: PermanentAdditions
  readonly #reach: ReachOfRequests
  readonly #refusals: Refusals

  constructor(parts: DeskParts) {
    this.#exec = parts.exec
    this.#approvals = parts.approvals
    this.#permanent = parts.permanent
    this.#audit = parts.audit
    this.#additions = parts.additions
    this.#reach = new ReachOfRequests(parts.exec, parts.additions, parts.root)
    this.#refusals = new Refusals(parts.audit, parts.additions, parts.exec)
  }

  /** Returns what a request would reach, and what of it the configuration can keep. */
  reachOf(approval: Approval): Promise<RequestReach> {
    return this.#reach.of(approval)
  }

  /** Returns the open requests, or those of an endpoint, oldest first. */
  async waiting(endpoint?: EndpointKey): Promise<readonly Approval[]> {
    const waiting = await this.#approvals.waiting()
    return endpoint === undefined ? waiting : waiting.filter((approval) => isOf(approval, endpoint))
  }

  /** Returns what commands were kept from lately, each host and path once. */
  refusals(): Promise<ExecRefusal[]> {
    return this.#refusals.list()
  }

  /** Returns the last requests, newest first, or those before one of them. */
  history(limit: number, before?: string): Promise<readonly Approval[]> {
    return this.#approvals.history(limit, before)
  }

  /**
   * Answers a request, and records the answerer.
   *
   * @throws WireError `not_found` for an unknown id or one of another endpoint, `conflict` for a request that has ended
   */
  async answer(id: string, approve: boolean, by: string, endpoint?: EndpointKey): Promise<Approval> {
    const approval = await this.#approvals.answer(id, approve, by, (found) => !endpoint || isOf(found, endpoint))
    await this.#audit.add({
      kind: 'answer',
      command: approval.command,
      origin: originOf(approval),
      verdict: approve ? 'allow' : 'deny',
      rule: by,
      approvalId: id,
    })
    return approval
  }

  /**
   * Approves a request, after the configuration has got its hosts and paths.
   *
   * @throws WireError `invalid_request` for a request without any, or with one that cannot be allowed for good
   */
  async answerForGood(id: string, by: string): Promise<Approval> {
    const approval = (await this.waiting()).find((one) => one.id === id)
    // The answer says what has become of it.
    if (!approval) return this.answer(id, true, by)
    const { offers = [] } = await this.#reach.of(approval)
    const [problem] = offers.flatMap(({ problem: found }) => found ?? [])
    if (offers.length === 0 || problem !== undefined)
      throw new WireError('invalid_request', `Nothing of this can be allowed for good${problem ? `: ${problem}` : ''}`)
    for (const { addition } of offers) await this.#additions.add(addition, by, id)
    const answered = await this.answer(id, true, by)
    for (const { addition } of offers) await this.#approveAdded(addition, by)
    return answered
  }

  /** Allows commands to reach a host or a path from now on, and approves what waits for just that. */
  async allow(addition: ExecAddition, by: string): Promise<ExecOffer> {
    const offer = await this.#additions.add(addition, by)
    await this.#approveAdded(addition, by)
    return offer
  }

  async #approveAdded(addition: ExecAddition, by: string): Promise<void> {
    const text = additionText(addition)
    for (const { id, adds } of await this.waiting()) {
      if (adds?.length !== 1 || adds[0] !== text) continue
      await this.answer(id, true, by).catch((error: unknown) => {
        // It was answered in the meantime.
        if (!isWireError(error) || error.code !== 'conflict') throw error
      })
    }
  }

  /** Returns a request that this person has answered so already. */
  async answered(id: string, approve: boolean, by: string, endpoint: EndpointKey): Promise<Approval | undefined> {
    const approval = await this.#approvals.get(id)
    if (!approval || !isOf(approval, endpoint) || approval.answeredBy !== by) return undefined
    return (approval.status === 'denied') === approve ? undefined : approval
  }

  grants(): readonly (EndpointKey & PermanentGrant)[] {
    return this.#permanent.list()
  }

  grantOf(endpoint: EndpointKey): PermanentGrant {
    return this.#permanent.of(endpoint)
  }

  /** Approves every command of an endpoint from now on. */
  async always(endpoint: EndpointKey): Promise<Settled> {
    await this.#permanent.always(endpoint)
    return this.#approveCovered(endpoint)
  }

  /** @throws WireError `invalid_request` for an invalid pattern or one that its examples contradict */
  async addRule(endpoint: EndpointKey, examples: RuleExamples): Promise<Settled & { readonly rule: PermanentRule }> {
    const rule = await this.#permanent.addRule(endpoint, examples)
    return { rule, ...(await this.#approveCovered(endpoint)) }
  }

  /** @throws WireError `not_found`, or `conflict` if several ids begin alike */
  revokeRule(endpoint: EndpointKey, id: string): Promise<PermanentRule> {
    return this.#permanent.revokeRule(endpoint, id).finally(() => this.#revokeCovered(endpoint))
  }

  revoke(endpoint: EndpointKey): Promise<void> {
    return this.#permanent.revoke(endpoint).finally(() => this.#revokeCovered(endpoint))
  }

  /** Approves the waiting commands of an endpoint that a permanent approval covers now, each in its own folder. */
  async #approveCovered(endpoint: EndpointKey): Promise<Settled> {
    let approved = 0
    const waiting = await this.waiting(endpoint)
    for (const approval of waiting) {
      const { kind, command, folder, id } = approval
      const context = { origin: originOf(approval), cwd: folder ?? undefined }
      if (kind !== 'bash' || this.#exec.evaluate(command, context).verdict !== 'allow') continue
      try {
        await this.answer(id, true, BY_PERMANENT)
        approved++
      } catch (error) {
        // The request was answered in the meantime.
        if (!isWireError(error) || error.code !== 'conflict') throw error
      }
    }
    return { approved, waiting: waiting.length - approved }
  }

  /** Expires unused approvals that a permanent one has given. */
  #revokeCovered(endpoint: EndpointKey): Promise<void> {
    return this.#approvals.expireApproved(
      (approval) => approval.answeredBy === BY_PERMANENT && isOf(approval, endpoint),
    )
  }
}

const isOf = ({ adapter, endpointId }: Approval, endpoint: EndpointKey): boolean =>
  adapter === endpoint.adapter && endpointId === endpoint.endpointId
