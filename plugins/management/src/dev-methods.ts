import { development, type DevStatus } from '@mynah/contract'
import type { BaseContext } from '@mynah/kernel'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { dataChanged, declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import type { AuthorLoop } from './api.js'

/** Contributes the state of the author's loop, which only a host of `mynah dev` has. */
export function contributeLoop(ctx: BaseContext<unknown>, loop: AuthorLoop, redact: (text: string) => string): void {
  const shown = ({ failures, ...rest }: DevStatus): DevStatus => ({
    ...rest,
    failures: failures.map((failure) => ({ ...failure, message: redact(failure.message) })),
  })
  ctx.contribute(
    rpcMethods,
    method(development.rpc, 'dev:status', () => shown(loop.status())),
  )
  ctx.contribute(streamEvents, declare(development.events, 'dev:changed'))
  let { page } = loop.status()
  const unlisten = loop.listen((status) => {
    ctx.emit(publish, event(development.events, 'dev:changed', shown(status)))
    const isBuilt = page === 'running' && status.page === 'passed'
    ;({ page } = status)
    if (isBuilt) ctx.emit(dataChanged, { what: 'pages' })
  })
  ctx.onDispose('events of the author loop', () => void unlisten())
}
