import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isWireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import {
  Cluster,
  definePlugin,
  HostPaths,
  ifEnabled,
  ref,
  messageOf,
  NotReady,
  Supervisor,
  type BaseContext,
  type Clock,
  type ConfigOf,
  type Logger,
  type Ref,
} from '@mynah/kernel'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { EventLog } from '@mynah/plugin-events/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { Database, databaseChanged, entities } from './api.js'
import type { Engine } from './engine/engine.js'
import type { MovedRows } from './move/moved-rows.js'
import type { Store, StoreEvents } from './store/store.js'
import { optionDescriptions } from './option-descriptions.zh.js'
import { urlMistakes } from './url-mistakes.js'

const SWEEP_MS = 60_000
const VERIFY_MS = 1_000
/** Delay before a database that is unavailable at the start is opened again. */
const RETRY_MS = 2_000
/** How often a host checks whether it may act again. */
const LEASE_RETRY_MS = 250

const config = {
  key: 'database',
  schema: Type.Object(
    {
      type: Type.Enum(['sqlite', 'postgres'], { default: 'sqlite', description: 'Database system' }),
      file: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'File of SQLite, relative to the configuration file; default: mynah.sqlite in the data directory',
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
      connections: Type.Integer({
        minimum: 3,
        maximum: 1_000,
        default: 10,
        description: 'Connections to PostgreSQL that a host may open; with fewer, readers wait for each other',
      }),
      consoleWrites: Type.Enum(['plugins', 'all'], {
        default: 'plugins',
        description: 'Tables that the console may change: those of third-party plugins, or all',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  check: urlMistakes,
} as const

const sqliteFile = (file: string | undefined, paths: HostPaths | undefined): string =>
  file === undefined ? join(paths?.data ?? resolve('data'), 'mynah.sqlite') : resolve(paths?.root ?? '.', file)

/** The parts of the context that an engine is opened with. */
interface Surroundings {
  readonly config: ConfigOf<typeof config>
  readonly paths: Ref<HostPaths>
  readonly cluster: Cluster | undefined
  readonly supervisor: Ref<Supervisor>
  readonly clock: Clock
  readonly log: Logger
}

async function openEngine({
  config: { type, file, url, connections },
  paths: { current: paths },
  ...host
}: Surroundings) {
  const { cluster, supervisor, log } = host
  const now = host.clock.now()
  if (cluster && !cluster.holds())
    throw new NotReady('this host may not act until it reaches the database', { retryAfter: LEASE_RETRY_MS })
  if (type === 'postgres') {
    if (!url) throw new Error('database.url is required if database.type is postgres')
    const { openPostgres } = await import('./engine/postgres.js')
    const promoted = (): void => {
      const next = supervisor.current ? 'the host starts again with what that has' : 'restart the host to use it'
      log.error(`the database server was replaced by its standby; ${next}`)
      // The standby may lack rows that this process remembers, so that it must write nothing more.
      supervisor.current?.abandon()
    }
    const shared = cluster && { ...cluster.session, fenced: () => cluster.fenced() }
    return {
      engine: await openPostgres(url, { connections, ...(shared ? { shared } : {}), promoted }),
      unlock: undefined,
    }
  }
  const path = sqliteFile(file, paths)
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

/** Returns the name of the SQLite file that this host has used before, if its PostgreSQL database has no table yet. */
async function sqliteLeftBehind(
  { dialect, reader }: Engine,
  { file }: ConfigOf<typeof config>,
  paths: HostPaths | undefined,
): Promise<string | undefined> {
  if (dialect !== 'postgres' || !existsSync(sqliteFile(file, paths))) return undefined
  const tables = 'SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() LIMIT 1'
  const found: unknown[] = await reader.query(tables)
  return found.length === 0 ? basename(sqliteFile(file, paths)) : undefined
}

/** Warns where a host begins with an empty PostgreSQL database instead of its data. */
async function warnOfDataLeft(engine: Engine, { config, paths, log }: Surroundings): Promise<void> {
  const left = await sqliteLeftBehind(engine, config, paths.current)
  if (left !== undefined)
    log.warn(
      `the PostgreSQL database is empty, and ${left} is not used: the host starts without its data. ` +
        'mynah backup before the change and mynah restore --database after it move them (docs/deploying.md)',
    )
}

/** Logs what was moved from another database, and closes that. */
async function endMove(moved: MovedRows | undefined, log: Logger): Promise<void> {
  if (!moved || moved.isClosed) return moved?.close()
  const { rows, left, cleaned } = moved
  const closing = moved.close()
  if (rows > 0) log.info(`${rows} rows of another database were moved into this one`)
  if (cleaned > 0) log.warn(`${cleaned} texts had NUL characters, which PostgreSQL cannot store: they have � instead`)
  if (left.length > 0)
    log.warn(`these tables were not moved, because no plugin of this host has them: ${left.join(', ')}`)
  await closing
}

/** Uses no database that has only a part of the other one, so that nothing is written to either half. */
function refuseHalfMoved(moved: MovedRows | undefined, table: string, error: Error, store: Store): boolean {
  // A table that waits is tried again.
  if (!moved?.left.includes(table) || isWireError(error)) return false
  store.refuse(
    `the rows of the other database cannot be moved: ${error.message}. That database is as it was: ` +
      'set the section "database" back to use it, or correct the rows in data/move.sqlite and start again',
  )
  return true
}

/** Converts unavailability at the start into NotReady, so that the host tries again. */
async function rejectNotReady<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    const { isUnavailable, unavailableReason } = await import('./driver-errors.js')
    const failure = isWireError(error) ? error.cause : error
    if (isUnavailable(failure))
      throw new NotReady(`the database is not available: ${unavailableReason(failure)}`, {
        retryAfter: RETRY_MS,
        cause: error,
      })
    throw error
  }
}

/** Returns handlers that log and emit the events of a store and degrade the plugin while something cannot be used. */
function reportTo(
  ctx: Pick<BaseContext<unknown>, 'log' | 'degrade' | 'emit'>,
  OlderHostsWork: abstract new (...given: never[]) => Error,
  cluster: Cluster | undefined,
  /** Handles a table that fails. Returns whether it has. */
  ended: (table: string, error: Error) => boolean,
): StoreEvents {
  let restore: (() => void) | undefined
  const unusableTables = new Map<string, { readonly error: Error; readonly restore: () => void }>()
  const sayWait = (): void => {
    const waiting = [...unusableTables.values()].find(({ error }) => error instanceof OlderHostsWork)
    cluster?.waitFor(waiting?.error.message)
  }
  return {
    changed(status) {
      restore?.()
      restore = undefined
      if (status.available) ctx.log.info('the database is available again')
      else {
        restore = ctx.degrade(status.reason ?? 'not available')
        ctx.log.error(`the database is not available: ${status.reason}`)
      }
      ctx.emit(databaseChanged, status)
    },
    tableFailed(table, error) {
      if (ended(table, error)) return
      const before = unusableTables.get(table)
      // A table that waits is tried again and again.
      if (before?.error.message === error.message) return
      ctx.log[error instanceof OlderHostsWork ? 'warn' : 'error'](error.message)
      before?.restore()
      unusableTables.set(table, { error, restore: ctx.degrade(error.message) })
      sayWait()
    },
    tableReady(table) {
      unusableTables.get(table)?.restore()
      if (unusableTables.delete(table)) sayWait()
    },
    listenerFailed(error) {
      ctx.log.error(`commit listener failed: ${messageOf(error)}`)
    },
  }
}

/** Checks again and again whether the database and all tables can be used. */
function watch(
  store: Pick<Store, 'verify' | 'retryTables'>,
  { clock, cluster, log }: Pick<Surroundings, 'clock' | 'cluster' | 'log'>,
): void {
  clock.setInterval(() => store.verify(), VERIFY_MS)
  if (!cluster) return
  const failed = (error: unknown): void => log.error(`failed to prepare tables: ${messageOf(error)}`)
  clock.setInterval(() => store.retryTables().catch(failed), RETRY_MS)
}

/** Loads the ORM and opens the database only when the plugin starts. */
export default definePlugin({
  name: 'database',
  description: 'TypeORM behind one service; document and key-value stores; database browser',
  descriptions: { 'zh-CN': '一个服务下的 TypeORM，文档与键值存储，数据库浏览' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config,
  needs: { paths: ref(HostPaths), supervisor: ref(Supervisor), cluster: ifEnabled(Cluster) },
  provides: [Database, EventLog],
  async setup(ctx) {
    ;(await import('./engine/load-typeorm.js')).loadTypeorm()
    const [
      { Store },
      { sweepExpired },
      { TableCatalog },
      { databaseMethods },
      { openEventLog },
      { StreamEvents, StreamHead },
      { OlderHostsWork, Schema },
      { MOVE_FILE, MovedRows: Moved },
    ] = await Promise.all([
      import('./store/store.js'),
      import('./store/key-values.js'),
      import('./table-catalog.js'),
      import('./rpc.js'),
      import('./event-log.js'),
      import('./store/tables.js'),
      import('./store/schema.js'),
      import('./move/moved-rows.js'),
    ])
    const { engine, unlock } = await rejectNotReady(openEngine(ctx))
    const moved = await Moved.open(join(ctx.paths.current?.data ?? resolve('data'), MOVE_FILE))
    if (!moved) await warnOfDataLeft(engine, ctx)
    const halfMoved = (table: string, error: Error): boolean => refuseHalfMoved(moved, table, error, store)
    const store: Store = new Store(engine, ctx.clock, reportTo(ctx, OlderHostsWork, ctx.cluster, halfMoved), {
      schema: new Schema(engine, () => ctx.clock.now(), { moved, cluster: ctx.cluster }),
    })
    ctx.onDispose('database', async () => {
      await store.close()
      await endMove(moved, ctx.log)
      await unlock?.()
    })
    ctx.signal.addEventListener('abort', () => store.refuse())
    await rejectNotReady(store.open())
    if (moved) await rejectNotReady(store.read((db) => moved.assertUnused(db)))
    const stopFollowing = ctx.cluster?.onStream((newest) => store.follow(newest))
    if (stopFollowing) ctx.onDispose('event stream', stopFollowing)
    if (engine.setAside) {
      ctx.log.error(`the database file was damaged and was set aside as ${engine.setAside}; the host uses an empty one`)
      ctx.degrade(`the damaged database was set aside as ${engine.setAside}`)
    }

    const contributed = ctx.read(entities)
    for (const own of [StreamHead, StreamEvents]) ctx.contribute(entities, own)
    contributed.watch(({ added }) => {
      if (added.length)
        void store
          .contribute(added.map(({ value }) => value))
          .then(() => (moved?.left.length === 0 ? endMove(moved, ctx.log) : undefined))
          .catch((error: unknown) => ctx.log.error(`failed to prepare tables: ${(error as Error).message}`))
    })
    await store.contribute(contributed.all().map(({ value }) => value))
    if (moved?.left.length === 0) await endMove(moved, ctx.log)

    ctx.clock.setInterval(() => {
      if (store.status.available)
        return sweepExpired(store, ctx.clock.now()).catch((error: unknown) =>
          ctx.log.warn(`failed to delete expired keys: ${(error as Error).message}`),
        )
    }, SWEEP_MS)
    watch(store, ctx)
    ctx.contribute(readinessChecks, {
      name: 'database',
      check: () => {
        const { available, reason = 'the database is not available' } = store.status
        return available ? { status: 'ok' } : { status: 'failed', reason }
      },
    })
    const catalog = new TableCatalog(store, contributed, ctx.config.consoleWrites)
    for (const bound of databaseMethods(store, catalog)) ctx.contribute(rpcMethods, bound)
    // Provided first, so that the event stream listens before any plugin can publish an event.
    ctx.provide(EventLog, openEventLog(store))
    ctx.provide(Database, store)
    return {
      update(next, previous) {
        catalog.writes = next.consoleWrites
        return (['type', 'file', 'url', 'connections'] as const).every((key) => next[key] === previous[key])
      },
    }
  },
})
