// `GET /pub/health`: whether the host is up, for those who watch it from outside.
import { readFileSync } from 'node:fs'
import { CONTRACT_VERSION, type Health } from '@mynah/contract'
import { changed, type BaseContext, type HostControl } from '@mynah/kernel'

/** Version of this package, which is that of the host. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

const isUnwell = (host: HostControl): boolean =>
  host.inspect().some(({ state }) => state === 'degraded' || state === 'failed')

/** A function that tells the health; plugins are looked at again only when one changed state. */
export function healthOf(
  ctx: Pick<BaseContext<unknown>, 'on' | 'clock'>,
  host: HostControl,
  apiPrefix: string,
): () => Health {
  let unwell: boolean | undefined
  ctx.on(changed, ({ what }) => {
    if (what === 'state') unwell = undefined
  })
  return () => {
    unwell ??= isUnwell(host)
    return {
      status: host.status !== 'running' ? host.status : unwell ? 'degraded' : 'ok',
      uptime: (ctx.clock.now() - host.startedAt) / 1000,
      version: VERSION,
      name: 'mynah',
      apiPrefix,
      contract: CONTRACT_VERSION,
    }
  }
}
