import { packages } from '@mynah/contract'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { Installer } from './installer.js'

const { rpc } = packages

/** Returns the methods that install packages. */
export const installMethods = (installer: Installer): BoundMethod[] => [
  method(rpc, 'packages:plan', (request) => installer.plan(request)),
  method(rpc, 'packages:apply', ({ planId, scripts }, call) => ({
    runId: installer.apply(planId, call.principal.name, scripts),
  })),
  method(rpc, 'packages:cancel', ({ runId }) => {
    installer.cancel(runId)
    return { success: true }
  }),
  method(rpc, 'packages:rollback', () => installer.rollback()),
  method(rpc, 'packages:runs', ({ limit, before }) => installer.service.runs(limit, before)),
]
