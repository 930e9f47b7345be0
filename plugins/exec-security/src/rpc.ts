import { exec as contract, WireError } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { approvalView } from './approvals/approval.js'
import type { ApprovalService } from './approvals/approval-service.js'
import { exampleProblem } from './approvals/rule-examples.js'
import type { PermanentGrant, PermanentApprovals, PermanentRule } from './approvals/permanent-approvals.js'
import type { ExecService } from './exec-service.js'
import { ruleMatches } from './policy/index.js'

const HISTORY = 50
/** Requests that a rule is tried on. */
const TRIED = 200

interface Deps {
  readonly exec: ExecService
  readonly approvals: ApprovalService
  readonly permanent: PermanentApprovals
  /** Whether requests survive the process. */
  readonly stored: () => boolean
}

export function execMethods({ exec, approvals, permanent, stored }: Deps): BoundMethod[] {
  const { rpc } = contract
  const ruleView = ({ match, noMatch, ...rule }: PermanentRule) => ({
    ...rule,
    ...(match ? { match: [...match] } : {}),
    ...(noMatch ? { noMatch: [...noMatch] } : {}),
  })
  const grantView = ({ bashAlways, bashRules }: PermanentGrant) => ({
    bashAlways,
    bashRules: bashRules.map(ruleView),
  })

  return [
    method(rpc, 'exec:check', ({ command }) => {
      const { verdict, reason, parts, suggestion } = exec.evaluate(command)
      return { verdict, reason, parts: [...parts], ...(suggestion === undefined ? {} : { suggestion }) }
    }),
    method(rpc, 'exec:pending', async () => ({
      pending: (await approvals.waiting()).map(approvalView),
      stored: stored(),
    })),
    method(rpc, 'exec:answer', async ({ id, approve }, { principal }) => {
      return approvalView(await exec.answer(id, approve, `console:${principal.name}`))
    }),
    method(rpc, 'exec:standing', () => ({
      endpoints: permanent
        .list()
        .map(({ adapter, endpointId, ...rest }) => ({ adapter, endpointId, ...grantView(rest) })),
    })),
    method(rpc, 'exec:rule-add', async ({ adapter, endpointId, ...rule }) => {
      const made = await permanent.addRule({ adapter, endpointId }, rule)
      await exec.approveCovered({ adapter, endpointId })
      return ruleView(made)
    }),
    method(rpc, 'exec:rule-remove', async ({ adapter, endpointId, id }) => {
      return ruleView(
        await permanent
          .revokeRule({ adapter, endpointId }, id)
          .finally(() => exec.revokeCovered({ adapter, endpointId })),
      )
    }),
    method(rpc, 'exec:revoke', async ({ adapter, endpointId }) => {
      await permanent.revoke({ adapter, endpointId }).finally(() => exec.revokeCovered({ adapter, endpointId }))
      return { adapter, endpointId, ...grantView(permanent.of({ adapter, endpointId })) }
    }),
    method(rpc, 'exec:history', async ({ limit = HISTORY, before }) => {
      const found = await approvals.history(limit + 1, before)
      const rows = found.slice(0, limit).map(approvalView)
      const last = rows.at(-1)
      return { approvals: rows, ...(found.length > limit && last ? { nextBefore: last.id } : {}) }
    }),
    method(rpc, 'exec:rule-check', async ({ adapter, endpointId, pattern }) => {
      const problem = exampleProblem({ pattern })
      if (problem !== undefined) throw new WireError('invalid_request', problem)
      const asked = (await approvals.history(TRIED)).filter(
        (approval) =>
          approval.kind === 'bash' &&
          approval.adapter === adapter &&
          approval.endpointId === endpointId &&
          approval.parts !== null,
      )
      const covered = asked.filter(({ parts }) =>
        parts?.every(({ verdict, text }) => verdict === 'allow' || ruleMatches(pattern, text)),
      )
      return { covered: covered.length, of: asked.length }
    }),
  ]
}
