// What `/health` tells: models, MCP servers, jobs, the database and plugins, each with a reason where something is wrong.
import { messageOf, type HostControl, type Reader } from '@mynah/kernel'
import type { Models } from '@mynah/plugin-ai/api'
import type { Jobs } from '@mynah/plugin-cron/api'
import type { ReadinessCheck } from '@mynah/plugin-http-core/api'

const MOST = 10

export interface HealthDeps {
  readonly host: HostControl
  readonly models: () => Models | undefined
  readonly jobs: () => Jobs | undefined
  readonly checks: Reader<ReadinessCheck>
  /** Whether sessions survive a stop. */
  readonly durable: () => boolean
}

export async function healthLines({ host, models, jobs, checks, durable }: HealthDeps): Promise<string[]> {
  const told = (reason: string | undefined): string => (reason === undefined || reason === '' ? '' : `, ${host.redact(reason)}`)
  const of = async (name: string): Promise<string | undefined> => {
    try {
      const found = await checks.get(name)?.value.check()
      return found && `${found.status}${told(found.reason)}`
    } catch (error) {
      return `failed${told(messageOf(error))}`
    }
  }
  const providers = models()?.list().map(({ alias, status, error }) => `model ${alias}: ${status}${told(error)}`)
  const [database, mcp] = await Promise.all(['database', 'mcp'].map(of))
  const others = await Promise.all(checks.all().map(({ value: { name } }) => name).filter((name) => !['ai', 'database', 'mcp'].includes(name)).map(async (name) => `${name}: ${await of(name) ?? 'ok'}`))
  const plugins = host.inspect().filter(({ state }) => state !== 'active' && state !== 'disabled').map(({ name, state }) => `${name}: ${state}${told(host.why(name))}`)
  return [
    ...(providers?.length ? providers : [providers ? 'model: none is configured in ai.providers' : 'model: the plugin ai is not there']),
    `MCP: ${mcp ?? 'the plugin mcp is not there'}`, ...jobLines(jobs(), told),
    `database: ${database === undefined ? '' : `${database}; `}${durable() ? 'sessions are stored' : 'sessions are kept in memory'}`,
    ...others, ...(plugins.length ? plugins : ['all plugins run']),
  ]
}

function jobLines(jobs: Jobs | undefined, told: (reason: string | undefined) => string): string[] {
  if (!jobs) return ['jobs: the plugin cron is not there']
  const all = jobs.list()
  const failing = all.filter(({ enabled, state: { lastStatus } }) => enabled && lastStatus === 'error')
  return [`jobs: ${all.length}${failing.length ? `, ${failing.length} failing` : ''}`, ...failing.slice(0, MOST).map(({ id, label, state: { lastError } }) => `  ${label ?? id}: error${told(lastError)}`)]
}
