import { readFileSync } from 'node:fs'
import { CONTRACT_VERSION, type Health } from '@mynah/contract'
import { changed, type BaseContext, type HostControl } from '@mynah/kernel'

/** Version of this package, which is also the version of the host. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

const hasFailingPlugin = (host: HostControl): boolean =>
  host.inspect().some(({ state }) => state === 'degraded' || state === 'failed')

/** Returns a function that reports the health of the host. It inspects the plugins only after one of them changed state. */
export function createHealthReporter(
  ctx: Pick<BaseContext<unknown>, 'on' | 'clock'>,
  host: HostControl,
  apiPrefix: string,
): () => Health {
  let isDegraded: boolean | undefined
  ctx.on(changed, ({ what }) => {
    if (what === 'state') isDegraded = undefined
  })
  return () => {
    isDegraded ??= hasFailingPlugin(host)
    const running = isDegraded ? 'degraded' : 'ok'
    return {
      status: host.status === 'running' ? running : host.status,
      uptime: (ctx.clock.now() - host.startedAt) / 1000,
      version: VERSION,
      name: 'mynah',
      apiPrefix,
      contract: CONTRACT_VERSION,
    }
  }
}
