import type { Ready } from '@mynah/contract'
import { messageOf, type Clock, type HostControl, type PluginView, type Reader } from '@mynah/kernel'
import type { ReadinessCheck } from '@mynah/plugin-http-core/api'

type Check = Ready['checks'][string]

const CHECK_TIMEOUT_MS = 5_000
const SEVERITY = { ok: 0, degraded: 1, failed: 2 } as const

function checkPlugin({ state, error, reasons, waitingFor }: PluginView): Check {
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
  const timeout = new Promise<Check>((resolve) => {
    cancel = clock.setTimeout(
      () => resolve({ status: 'failed', reason: `no answer within ${CHECK_TIMEOUT_MS / 1000} s` }),
      CHECK_TIMEOUT_MS,
    )
  })
  try {
    return await Promise.race([Promise.resolve(check.check()), timeout])
  } catch (error) {
    return { status: 'failed', reason: messageOf(error) }
  } finally {
    cancel()
  }
}

/** Checks all parts of the host. `serves` is false while the host starts or stops, and while a part has failed. */
export async function checkReadiness(
  host: HostControl,
  checks: Reader<ReadinessCheck>,
  clock: Clock,
  redact: (text: string) => string,
): Promise<{ ready: Ready; serves: boolean }> {
  const found = new Map<string, Check>()
  const add = (name: string, { status, reason }: Check): void => {
    const other = found.get(name)
    if (other && SEVERITY[other.status] >= SEVERITY[status]) return
    found.set(name, { status, ...(reason ? { reason: redact(reason) } : {}) })
  }
  for (const view of host.inspect()) if (view.state !== 'disabled') add(view.name, checkPlugin(view))
  await Promise.all(checks.all().map(async ({ value }) => add(value.name, await run(value, clock))))
  const worst = Math.max(0, ...Array.from(found.values(), ({ status }) => SEVERITY[status]))
  const running = worst === SEVERITY.ok ? 'ok' : 'degraded'
  const status = host.status === 'running' ? running : host.status
  return {
    ready: { status, checks: Object.fromEntries(found) },
    serves: host.status === 'running' && worst < SEVERITY.failed,
  }
}
