// The console's methods (`exec:*`): a holder of a token of full scope counts as the owner of every endpoint.
import { exec as contract } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { viewOf } from './approvals/approval.js'
import type { Approvals } from './approvals/approvals.js'
import type { Exec } from './exec.js'

export function execMethods(exec: Exec, approvals: Approvals, stored: () => boolean): BoundMethod[] {
  const { rpc } = contract
  return [
    method(rpc, 'exec:check', ({ command }) => {
      const { parts, ...decision } = exec.check(command)
      return { ...decision, parts: [...parts] }
    }),
    method(rpc, 'exec:pending', async () => ({ pending: (await approvals.pending()).map(viewOf), stored: stored() })),
    method(rpc, 'exec:answer', async ({ id, approve }, { principal }) => viewOf(await exec.answer(id, approve, `console:${principal.name}`))),
  ]
}
