// What `/health` tells: models, MCP servers, jobs, the database and plugins, each with a reason where something is wrong.
import { messageOf, type HostControl, type Reader } from '@mynah/kernel'
import type { Models } from '@mynah/plugin-ai/api'
import type { Jobs } from '@mynah/plugin-cron/api'
import type { ReadinessCheck } from '@mynah/plugin-http-core/api'
import type { CommandTexts } from './command-texts.js'

const MOST = 10

export interface HealthDeps {
  readonly host: HostControl
  readonly models: () => Models | undefined
  readonly jobs: () => Jobs | undefined
  readonly checks: Reader<ReadinessCheck>
  /** Whether sessions survive a stop. */
  readonly durable: () => boolean
}

export async function healthLines(
  { host, models, jobs, checks, durable }: HealthDeps,
  { health, state }: CommandTexts,
): Promise<string[]> {
  /** A reason is that of the log, in its language, without secrets. */
  const line = (name: string, how: string, reason?: string): string =>
    health.line(name, how, reason ? host.redact(reason) : undefined)
  const of = async (name: string): Promise<{ readonly status: string; readonly reason?: string } | undefined> => {
    try {
      return await checks.get(name)?.value.check()
    } catch (error) {
      return { status: 'failed', reason: messageOf(error) }
    }
  }
  const providers = models()
    ?.list()
    .map(({ alias, status, error }) => line(health.model(alias), state(status), error))
  const [database, mcp] = await Promise.all(['database', 'mcp'].map(of))
  const others = await Promise.all(
    checks
      .all()
      .map(({ value: { name } }) => name)
      .filter((name) => !['ai', 'database', 'mcp'].includes(name))
      .map(async (name) => {
        const { status = 'ok', reason } = (await of(name)) ?? {}
        return line(name, state(status), reason)
      }),
  )
  const plugins = host
    .inspect()
    .filter((plugin) => plugin.state !== 'active' && plugin.state !== 'disabled')
    .map((plugin) => line(plugin.name, state(plugin.state), host.why(plugin.name)))
  return [
    ...(providers?.length ? providers : [providers ? health.noProviders : health.noModels]),
    mcp ? line(health.mcp, state(mcp.status), mcp.reason) : line(health.mcp, health.noMcp),
    ...jobLines(jobs(), health, line),
    line(
      health.database,
      `${database ? `${state(database.status)}${health.and}` : ''}${durable() ? health.stored : health.inMemory}`,
      database?.reason,
    ),
    ...others,
    ...(plugins.length ? plugins : [health.allRun]),
  ]
}

function jobLines(
  jobs: Jobs | undefined,
  { jobs: count, noJobs, failed }: CommandTexts['health'],
  line: (name: string, how: string, reason?: string) => string,
): string[] {
  if (!jobs) return [noJobs]
  const all = jobs.list()
  const failing = all.filter(({ enabled, state: { lastStatus } }) => enabled && lastStatus === 'error')
  return [
    count(all.length, failing.length),
    ...failing.slice(0, MOST).map(({ id, label, state: { lastError } }) => `  ${line(label ?? id, failed, lastError)}`),
  ]
}
