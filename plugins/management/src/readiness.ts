// Whether every part of the host is ready: the state of each plugin, and what plugins check themselves.
import type { Ready } from '@mynah/contract'
import { messageOf, type Clock, type HostControl, type PluginView, type Reader } from '@mynah/kernel'
import type { ReadinessCheck } from '@mynah/plugin-http-core/api'

type Check = Ready['checks'][string]

const CHECK_MS = 5_000
const GRAVITY = { ok: 0, degraded: 1, failed: 2 } as const

function ofPlugin({ state, error, reasons, waitingFor }: PluginView): Check {
  switch (state) {
    case 'active':
      return { status: 'ok' }
    case 'degraded':
      return { status: 'degraded', reason: reasons.join('; ') }
    case 'failed':
      return { status: 'failed', reason: error?.message ?? 'failed' }
    default:
      return { status: 'failed', reason: waitingFor.length ? `${state}, waits for ${waitingFor.join('; ')}` : state }
  }
}

async function run(check: ReadinessCheck, clock: Clock): Promise<Check> {
  let cancel = (): void => {}
  const late = new Promise<Check>((resolve) => {
    cancel = clock.setTimeout(
      () => resolve({ status: 'failed', reason: `no answer within ${CHECK_MS / 1000} s` }),
      CHECK_MS,
    )
  })
  try {
    return await Promise.race([Promise.resolve(check.check()), late])
  } catch (error) {
    return { status: 'failed', reason: messageOf(error) }
  } finally {
    cancel()
  }
}

/** The readiness of the host, and whether it can serve: not while it starts or stops, nor while a part has failed. */
export async function readiness(
  host: HostControl,
  checks: Reader<ReadinessCheck>,
  clock: Clock,
  redact: (text: string) => string,
): Promise<{ ready: Ready; serves: boolean }> {
  const found = new Map<string, Check>()
  const add = (name: string, { status, reason }: Check): void => {
    const other = found.get(name)
    if (other && GRAVITY[other.status] >= GRAVITY[status]) return
    found.set(name, { status, ...(reason ? { reason: redact(reason) } : {}) })
  }
  for (const view of host.inspect()) if (view.state !== 'disabled') add(view.name, ofPlugin(view))
  await Promise.all(checks.all().map(async ({ value }) => add(value.name, await run(value, clock))))
  const worst = Math.max(0, ...Array.from(found.values(), ({ status }) => GRAVITY[status]))
  const status = host.status !== 'running' ? host.status : worst === GRAVITY.ok ? 'ok' : 'degraded'
  return {
    ready: { status, checks: Object.fromEntries(found) },
    serves: host.status === 'running' && worst < GRAVITY.failed,
  }
}
