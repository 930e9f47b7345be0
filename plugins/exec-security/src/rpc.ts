import type { ExecApproval } from '@mynah/contract'
import { exec as contract, WireError } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { approvalView, type Approval } from './approvals/approval.js'
import type { EndpointKey, PermanentGrant, PermanentRule } from './approvals/permanent-approvals.js'
import { exampleProblem } from './approvals/rule-examples.js'
import type { ExecLevel } from './levels/level.js'
import type { ExecService } from './exec-service.js'
import type { OwnerDesk } from './owner-desk.js'
import { ruleMatches } from './policy/index.js'

const HISTORY = 50
/** Requests that a rule is tried on. */
const TRIED = 200

const { rpc } = contract

/** The methods of the console for approvals. */
export class ExecMethods {
  readonly #exec: ExecService
  readonly #desk: OwnerDesk
  readonly #root: string | undefined
  readonly #stored: boolean

  /**
   * @param root the folder of the host
   * @param stored whether requests survive the process
   */
  constructor(exec: ExecService, desk: OwnerDesk, root: string | undefined, stored: boolean) {
    this.#exec = exec
    this.#desk = desk
    this.#root = root
    this.#stored = stored
  }

  all(): readonly BoundMethod[] {
    return [...this.#requests(), ...this.#permanent()]
  }

  /** The level of commands, unless they are forbidden. */
  async #level(): Promise<{ readonly level?: ExecLevel; readonly levelReasons?: string[] }> {
    if (this.#exec.config['ai.agent.execSecurity'] === 'deny') return {}
    const { level, reasons } = await this.#exec.level()
    return { level, levelReasons: [...reasons] }
  }

  #requests(): BoundMethod[] {
    const desk = this.#desk
    return [
      method(rpc, 'exec:check', ({ command }) => {
        const { verdict, reason, parts, suggestion } = this.#exec.evaluate(command)
        return { verdict, reason, parts: [...parts], ...(suggestion === undefined ? {} : { suggestion }) }
      }),
      method(rpc, 'exec:pending', async () => ({
        pending: await Promise.all(
          (await desk.waiting()).map(async (one) => ({ ...this.#view(one), ...(await desk.reachOf(one)) })),
        ),
        stored: this.#stored,
        ...(await this.#level()),
      })),
      method(rpc, 'exec:answer', async ({ id, approve, forGood }, { principal }) => {
        const by = `console:${principal.name}`
        return this.#view(
          await (approve && forGood === true ? desk.answerForGood(id, by) : desk.answer(id, approve, by)),
        )
      }),
      method(rpc, 'exec:refusals', async () => ({ refusals: await desk.refusals() })),
      method(rpc, 'exec:allow', ({ addition }, { principal }) => desk.allow(addition, `console:${principal.name}`)),
      method(rpc, 'exec:history', async ({ limit = HISTORY, before }) => {
        const found = await desk.history(limit + 1, before)
        const rows = found.slice(0, limit).map(this.#view)
        const last = rows.at(-1)
        return { approvals: rows, ...(found.length > limit && last ? { nextBefore: last.id } : {}) }
      }),
    ]
  }

  #permanent(): BoundMethod[] {
    const desk = this.#desk
    return [
      method(rpc, 'exec:standing', () => ({
        endpoints: desk
          .grants()
          .map(({ adapter, endpointId, ...rest }) => ({ adapter, endpointId, ...grantView(rest) })),
      })),
      method(rpc, 'exec:rule-add', async ({ adapter, endpointId, ...rule }) =>
        ruleView((await desk.addRule({ adapter, endpointId }, rule)).rule),
      ),
      method(rpc, 'exec:rule-remove', async ({ adapter, endpointId, id }) =>
        ruleView(await desk.revokeRule({ adapter, endpointId }, id)),
      ),
      method(rpc, 'exec:revoke', async ({ adapter, endpointId }) => {
        await desk.revoke({ adapter, endpointId })
        return { adapter, endpointId, ...grantView(desk.grantOf({ adapter, endpointId })) }
      }),
      method(rpc, 'exec:rule-check', async ({ adapter, endpointId, pattern }) => {
        const problem = exampleProblem({ pattern })
        if (problem !== undefined) throw new WireError('invalid_request', problem)
        const asked = (await desk.history(TRIED)).filter((approval) => wasAsked(approval, { adapter, endpointId }))
        const covered = asked.filter(({ parts }) =>
          parts?.every(({ verdict, text }) => verdict === 'allow' || ruleMatches(pattern, text)),
        )
        return { covered: covered.length, of: asked.length }
      }),
    ]
  }

  readonly #view = (approval: Approval): ExecApproval => approvalView(approval, this.#root)
}

/** Whether a request was for a command whose parts are known. */
const wasAsked = (approval: Approval, { adapter, endpointId }: EndpointKey): boolean =>
  approval.kind === 'bash' &&
  approval.adapter === adapter &&
  approval.endpointId === endpointId &&
  approval.parts !== null

const ruleView = ({ match, noMatch, ...rule }: PermanentRule) => ({
  ...rule,
  ...(match ? { match: [...match] } : {}),
  ...(noMatch ? { noMatch: [...noMatch] } : {}),
})

const grantView = ({ bashAlways, bashRules }: PermanentGrant) => ({
  bashAlways,
  bashRules: bashRules.map(ruleView),
})
