// The plugin `database` without files: the product's own store over a file in memory.
import { definePlugin } from '@mynah/kernel'
import { Database, databaseChanged, entities } from '@mynah/plugin-database/api'
import { EventLog } from '@mynah/plugin-events/api'
import { usePreparedStatements } from '../../../plugins/database/dist/engine/engine.js'
import { PreparedStatements } from '../../../plugins/database/dist/engine/prepared-statements.js'
import { openEventLog } from '../../../plugins/database/dist/event-log.js'
import { Store } from '../../../plugins/database/dist/store/store.js'
import { SimulatedConnection, SimulatedStatement } from './connection.mjs'
import { image } from './image.mjs'

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
    close: async () => {},
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
      await store.open()
      const contributed = ctx.read(entities)
      contributed.watch(({ added }) => {
        if (added.length) void store.contribute(added.map(({ value }) => value))
      })
      ctx.provide(EventLog, await openEventLog(store))
      ctx.provide(Database, store)
    },
  })
