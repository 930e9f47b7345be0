import { Cluster, HostControl, messageOf, type Host } from '@mynah/kernel'
import { Http, readinessChecks, type ReadinessCheck } from '@mynah/plugin-http-core/api'
import { ownVersion } from './commands/help.js'
import type { StatusReport } from './protocol.js'

/** The version of the code that runs. An update replaces the files of the package below a running host. */
const VERSION = ownVersion()

/** Returns how a running host is. Never rejects. */
export async function statusOf(host: Host): Promise<StatusReport> {
  const plugins = host.inspect()
  const http = host.get(Http)
  const running = plugins.filter(({ state }) => state === 'active')
  const checks = plugins.flatMap(({ contributions }) =>
    contributions
      .filter(({ point }) => point === readinessChecks.id)
      .map(({ value }) => resultOf(value as ReadinessCheck)),
  )
  return {
    version: VERSION,
    startedAt: host.get(HostControl)?.startedAt ?? 0,
    api: http && `${http.origin}${http.apiPrefix}`,
    running: running.length,
    troubled: plugins
      .filter(({ state }) => state !== 'active' && state !== 'disabled')
      .map(({ name, state }) => ({ name, state, reason: reasonOf(host, name, state) })),
    checks: await Promise.all(checks),
    hosts: await hostsOf(host.get(Cluster)),
  }
}

/** Returns why a plugin does not run, without its name and state, which stand before it. */
function reasonOf(host: Host, name: string, state: string): string {
  const [first = '', ...others] = host
    .why(name)
    .split('\n')
    .map((line) => line.trim())
  const own = first.startsWith(`${name} is ${state}`) ? first.slice(`${name} is ${state}`.length) : first
  return [own.replace(/^[:,;]? */, ''), ...others].filter((line) => line !== '').join('; ')
}

async function resultOf({ name, check }: ReadinessCheck): Promise<StatusReport['checks'][number]> {
  try {
    const { status, reason } = await check()
    return { name, status, reason }
  } catch (error) {
    return { name, status: 'failed', reason: messageOf(error) }
  }
}

async function hostsOf(cluster: Cluster | undefined): Promise<StatusReport['hosts']> {
  // Shown without them while the database is unavailable, which the checks say.
  const hosts = await cluster?.hosts().catch(() => undefined)
  return hosts?.map((one) => ({ ...one, self: one.id === cluster?.self.id }))
}
