import { messageOf } from '@mynah/kernel'
import type { Jobs } from '@mynah/plugin-cron/api'
import type { CommandServices } from './access.js'
import type { CommandTexts } from './texts.js'

/** Failing jobs that are listed. */
const MAX_JOBS = 10
/** Checks with lines of their own. */
const OWN_LINES = ['ai', 'database', 'mcp']

interface CheckResult {
  readonly status: string
  readonly reason?: string
}

/**
 * Returns the lines of `/health`: models, MCP servers, jobs, the database and plugins, with the reason of a problem.
 */
export async function healthLines(
  { runtime, checks }: Pick<CommandServices, 'runtime' | 'checks'>,
  { health, state }: CommandTexts,
): Promise<string[]> {
  const { host, models, jobs, store } = runtime
  /** Formats one line of the answer. The reason is that of the log, in its language, without secrets. */
  const line = (name: string, how: string, reason?: string): string =>
    health.line(name, how, reason ? host.redact(reason) : undefined)
  const run = async (name: string): Promise<CheckResult | undefined> => {
    try {
      return await checks.get(name)?.value.check()
    } catch (error) {
      return { status: 'failed', reason: messageOf(error) }
    }
  }
  const providers = models?.list().map(({ alias, status, error }) => line(health.model(alias), state(status), error))
  const [database, mcp] = await Promise.all(['database', 'mcp'].map(run))
  const others = await Promise.all(
    checks
      .all()
      .map(({ value: { name } }) => name)
      .filter((name) => !OWN_LINES.includes(name))
      .map(async (name) => {
        const { status = 'ok', reason } = (await run(name)) ?? {}
        return line(name, state(status), reason)
      }),
  )
  const plugins = host
    .inspect()
    .filter((plugin) => plugin.state !== 'active' && plugin.state !== 'disabled')
    .map((plugin) => line(plugin.name, state(plugin.state), host.why(plugin.name)))
  const databaseState = database ? `${state(database.status)}${health.and}` : ''
  const durability = store.durable ? health.stored : health.inMemory
  return [
    ...(providers?.length ? providers : [providers ? health.noProviders : health.noModels]),
    mcp ? line(health.mcp, state(mcp.status), mcp.reason) : line(health.mcp, health.noMcp),
    ...jobLines(jobs, health, line),
    line(health.database, `${databaseState}${durability}`, database?.reason),
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
  const failing = all.filter(
    ({ enabled, state: { lastStatus } }) => enabled && (lastStatus === 'error' || lastStatus === 'undelivered'),
  )
  return [
    count(all.length, failing.length),
    ...failing
      .slice(0, MAX_JOBS)
      .map(({ id, label, state: { lastError } }) => `  ${line(label ?? id, failed, lastError)}`),
  ]
}
