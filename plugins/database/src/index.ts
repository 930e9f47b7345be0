// The plugin `database`: one store for all plugins, its browser for the console, and the event stream's log.
import { isAbsolute, join, resolve } from 'node:path'
import { isWireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { definePlugin, HostPaths, ref, messageOf, NotReady, type ConfigOf } from '@mynah/kernel'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { EventLog } from '@mynah/plugin-events/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { Database, databaseChanged, entities } from './api.js'

const SWEEP_MS = 60_000
const VERIFY_MS = 1_000
/** Pause before a database that is away at the start is tried again. */
const RETRY_MS = 2_000

const config = {
  key: 'database',
  schema: Type.Object(
    {
      type: Type.Enum(['sqlite', 'postgres'], { default: 'sqlite', description: 'Which database system' }),
      file: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'File of SQLite, relative to the configuration file; mynah.sqlite in the data directory unless set',
        }),
      ),
      url: Type.Optional(
        Type.String({
          minLength: 1,
          secret: true,
          description: 'Address of PostgreSQL; required with type postgres',
          examples: ['postgres://mynah:secret@localhost/mynah'],
        }),
      ),
      consoleWrites: Type.Enum(['plugins', 'all'], {
        default: 'plugins',
        description: 'Which tables the console may change: those of plugins from outside, or all',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
} as const

async function openEngine({ type, file, url }: ConfigOf<typeof config>, paths: HostPaths | undefined, now: number) {
  if (type === 'postgres') {
    if (!url) throw new Error('database.url is required where database.type is postgres')
    const { openPostgres } = await import('./engine/postgres.js')
    return { engine: await openPostgres(url), unlock: undefined }
  }
  const path =
    file === undefined
      ? join(paths?.data ?? resolve('data'), 'mynah.sqlite')
      : isAbsolute(file)
        ? file
        : join(paths?.root ?? resolve('.'), file)
  const [{ lockFile }, { openSqlite }, { privateFolder }] = await Promise.all([
    import('./engine/lock.js'),
    import('./engine/sqlite.js'),
    import('./engine/private-files.js'),
  ])
  await privateFolder(path, file === undefined)
  const unlock = await lockFile(path, now)
  try {
    return { engine: await openSqlite(path, now), unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** What is away at the start is tried again by the host, as it would be tried later. */
async function orNotReady<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    const { isAway, reasonOf } = await import('./failures.js')
    const failure = isWireError(error) ? error.cause : error
    if (isAway(failure))
      throw new NotReady(`the database is not available: ${reasonOf(failure)}`, { retryAfter: RETRY_MS, cause: error })
    throw error
  }
}

/** Loads the ORM and opens the database only when the plugin starts. */
export default definePlugin({
  name: 'database',
  description: 'TypeORM behind one service; document and key-value stores; database browser',
  descriptions: { 'zh-CN': '一个服务下的 TypeORM，文档与键值存储，数据库浏览' },
  config,
  needs: { paths: ref(HostPaths) },
  provides: [Database, EventLog],
  async setup(ctx) {
    ;(await import('./engine/load-typeorm.js')).loadTypeorm()
    const [
      { Store },
      { sweepExpired },
      { Catalogue },
      { databaseMethods },
      { openEventLog },
      { StreamEvents, StreamHead },
    ] = await Promise.all([
      import('./store/store.js'),
      import('./store/key-values.js'),
      import('./catalogue.js'),
      import('./rpc.js'),
      import('./event-log.js'),
      import('./store/tables.js'),
    ])
    const { engine, unlock } = await orNotReady(openEngine(ctx.config, ctx.paths.current, ctx.clock.now()))
    let restored: (() => void) | undefined
    const unusable = new Map<string, () => void>()
    const store = new Store(engine, ctx.clock, {
      changed(status) {
        restored?.()
        restored = undefined
        if (status.available) ctx.log.info('the database is available again')
        else {
          restored = ctx.degrade(status.reason ?? 'not available')
          ctx.log.error(`the database is not available: ${status.reason}`)
        }
        ctx.emit(databaseChanged, status)
      },
      tableFailed(table, error) {
        ctx.log.error(error.message)
        unusable.get(table)?.()
        unusable.set(table, ctx.degrade(error.message))
      },
      tableReady(table) {
        unusable.get(table)?.()
        unusable.delete(table)
      },
      listenerFailed(error) {
        ctx.log.error(`whoever follows the events of commits failed: ${messageOf(error)}`)
      },
    })
    ctx.onDispose('database', async () => {
      await store.close()
      await unlock?.()
    })
    ctx.signal.addEventListener('abort', () => store.refuse())
    await orNotReady(store.open())
    if (engine.setAside) {
      ctx.log.error(
        `the database file was damaged and is set aside as ${engine.setAside}; the host runs on with an empty one`,
      )
      ctx.degrade(`the damaged database was set aside as ${engine.setAside}`)
    }

    const contributed = ctx.read(entities)
    for (const own of [StreamHead, StreamEvents]) ctx.contribute(entities, own)
    contributed.watch(({ added }) => {
      if (added.length)
        void store
          .contribute(added.map(({ value }) => value))
          .catch((error: unknown) => ctx.log.error(`tables cannot be prepared: ${(error as Error).message}`))
    })
    await store.contribute(contributed.all().map(({ value }) => value))

    ctx.clock.setInterval(() => {
      if (store.status.available)
        return sweepExpired(store, ctx.clock.now()).catch((error: unknown) =>
          ctx.log.warn(`expired keys stay for now: ${(error as Error).message}`),
        )
    }, SWEEP_MS)
    ctx.clock.setInterval(() => store.verify(), VERIFY_MS)
    ctx.contribute(readinessChecks, {
      name: 'database',
      check: () => {
        const { available, reason = 'the database is not available' } = store.status
        return available ? { status: 'ok' } : { status: 'failed', reason }
      },
    })
    const catalogue = new Catalogue(store, contributed, ctx.config.consoleWrites)
    for (const bound of databaseMethods(store, catalogue)) ctx.contribute(rpcMethods, bound)
    // Who follows the events is there before anybody can announce one.
    ctx.provide(EventLog, await openEventLog(store))
    ctx.provide(Database, store)
    return {
      update(next, previous) {
        catalogue.writes = next.consoleWrites
        return next.type === previous.type && next.file === previous.file && next.url === previous.url
      },
    }
  },
})
