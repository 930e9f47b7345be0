// The plugin `database` without files: the product's own store over a file in memory.
import { isWireError } from '@mynah/contract'
import { definePlugin, NotReady } from '@mynah/kernel'
import { isUnavailable } from '../../../plugins/database/dist/driver-errors.js'
import { Database, databaseChanged, entities } from '@mynah/plugin-database/api'
import { EventLog } from '@mynah/plugin-events/api'
import { usePreparedStatements } from '../../../plugins/database/dist/engine/engine.js'
import { PreparedStatements } from '../../../plugins/database/dist/engine/prepared-statements.js'
import { openEventLog } from '../../../plugins/database/dist/event-log.js'
import { Store } from '../../../plugins/database/dist/store/store.js'
import { SimulatedConnection, SimulatedStatement } from './connection.mjs'
import { image } from './image.mjs'

const RETRY_MS = 2_000

/** Returns a data source with the metadata of `template` and a connection of its own. */
function sourceOf(template, connection) {
  const source = Object.create(template)
  const driver = Object.create(template.driver)
  driver.connection = source
  driver.databaseConnection = connection
  driver.queryRunner = undefined
  source.driver = driver
  usePreparedStatements(source, new PreparedStatements({ Statement: SimulatedStatement }, connection))
  return source
}

function engineOf(world) {
  return {
    dialect: 'sqlite',
    writer: sourceOf(image.writer, new SimulatedConnection(world, 'writer')),
    reader: sourceOf(image.reader, new SimulatedConnection(world, 'reader')),
    verify: async () => {},
    discard() {},
    // No connection is opened again, so that one that stays stuck is seen.
    renew: async () => {},
    close: async () => {},
  }
}

/** As the plugin does: a database that is unavailable at the start is opened again a little later. */
async function rejectNotReady(opening) {
  try {
    return await opening
  } catch (error) {
    const isAway = isUnavailable(error) || (isWireError(error) && error.code === 'not_ready')
    throw isAway
      ? new NotReady(`the database is not available: ${error.message}`, { cause: error, retryAfter: RETRY_MS })
      : error
  }
}

export const databasePlugin = (world) =>
  definePlugin({
    name: 'database',
    provides: [Database, EventLog],
    async setup(ctx) {
      const store = new Store(
        engineOf(world),
        ctx.clock,
        {
          changed: (status) => ctx.emit(databaseChanged, status),
          tableFailed: (table, error) => ctx.log.error(error.message),
          listenerFailed: (error) => ctx.log.error(`commit listener failed: ${error}`),
        },
        { schema: image.schema },
      )
      ctx.onDispose('database', () => store.close())
      ctx.signal.addEventListener('abort', () => store.refuse())
      await rejectNotReady(store.open())
      const contributed = ctx.read(entities)
      contributed.watch(({ added }) => {
        if (added.length) void store.contribute(added.map(({ value }) => value))
      })
      ctx.provide(EventLog, await rejectNotReady(openEventLog(store)))
      ctx.provide(Database, store)
    },
  })
