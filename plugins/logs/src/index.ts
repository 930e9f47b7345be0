import { Cluster, definePlugin, HostControl, ref, logged, messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { Database, entities } from '@mynah/database-api'
import { routes } from '@mynah/plugin-http-core/api'
import { DatabaseLogs } from './database-store.js'
import { Logs, toRow } from './record.js'
import { MemoryLogs, type LogStore } from './store.js'
import { logRoutes } from './routes.js'
import { LogWriter } from './writer.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const TRIM_MS = 600_000

export default definePlugin({
  name: 'logs',
  description: 'Every line that the host and its plugins write, kept and searchable',
  descriptions: { 'zh-CN': '保存主机与插件写下的每一行，可搜索' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: {
    key: 'logs',
    schema: Type.Object(
      {
        maxRecords: Type.Integer({
          minimum: 100,
          default: 200_000,
          description: 'Maximum number of lines that are kept',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  needs: { database: ref(Database), host: HostControl, cluster: ref(Cluster) },
  setup(ctx) {
    const memory = ctx.keep('memory', () => new MemoryLogs())
    let stored: LogStore | undefined
    const store = (): LogStore | undefined => (ctx.database.declared ? stored : memory)
    const ready = async (): Promise<LogStore> => {
      await writer.flush()
      const current = store()
      if (!current) throw new WireError('not_ready', 'The log store is not ready: the database is not available')
      return current
    }
    let reported = false
    const writer = new LogWriter(ctx.clock, store, (error) => {
      // Logged once per outage, because each line about a failure would fail too.
      if (error !== undefined && !reported)
        ctx.log.warn(`failed to store log lines, keeping them in memory: ${messageOf(error)}`)
      reported = error !== undefined
    })
    const follow = (database: Database | undefined): void => {
      // The database of a cluster starts after that.
      stored = database && new DatabaseLogs(database, ctx.cluster.current?.self.name)
      if (stored) void writer.flush()
    }
    ctx.contribute(entities, Logs)
    ctx.database.onChange(follow)
    follow(ctx.database.current)
    ctx.onDispose('last lines', () => writer.flush())
    ctx.on(logged, (record) => writer.add(toRow(record)))
    // Adds the lines from before this plugin started, once, such as failures of other plugins.
    ctx.keep('earlier', () => ctx.host.earlier().map((record) => writer.add(toRow(record))).length)
    ctx.clock.setInterval(() => {
      void ready()
        .then((current) => current.cleanup({ keep: ctx.config.maxRecords }))
        .catch((error: unknown) => ctx.log.debug(`failed to trim the log: ${messageOf(error)}`))
    }, TRIM_MS)

    for (const each of logRoutes(ready, ctx.clock)) ctx.contribute(routes, each)
  },
})
