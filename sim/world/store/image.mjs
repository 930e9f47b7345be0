// The tables of all plugins, created once by the product's own schema code. Each history begins with a copy.
import { createRequire } from 'node:module'
import { loadTypeorm } from '../../../plugins/database/dist/engine/load-typeorm.js'
import { SqlFile } from './sql-file.mjs'

loadTypeorm()
const { DataSource } = createRequire(new URL('../../../plugins/database/dist/index.js', import.meta.url))('typeorm')
const { Schema } = await import('../../../plugins/database/dist/store/schema.js')
const SOURCES = [
  'database/dist/store/tables.js',
  'inbox/dist/counts.js',
  'inbox/dist/tables.js',
  'agent/dist/access/pairings.js',
  'agent/dist/session/tables.js',
  'tasks/dist/records.js',
  'cron/dist/store/records.js',
  'exec-security/dist/approvals/approval.js',
]

async function allEntities() {
  const found = new Set()
  for (const source of SOURCES) {
    const module = await import(`../../../plugins/${source}`)
    for (const value of Object.values(module)) if (value?.table && value.schema && value.migrations) found.add(value)
  }
  return [...found]
}

/** A module `sqlite3` over one connection that answers at once. */
function immediateModule(connection) {
  class Database {
    constructor(_file, ...rest) {
      const opened = rest.at(-1)
      queueMicrotask(() => opened(null))
    }
    run(sql, ...rest) {
      answer(connection, sql, rest)
    }
    all(sql, ...rest) {
      answer(connection, sql, rest)
    }
    close(closed) {
      closed(null)
    }
  }
  const module = { OPEN_READONLY: 1, OPEN_URI: 64, Database, verbose: () => module }
  return module
}

function answer(connection, sql, rest) {
  const done = rest.at(-1)
  try {
    const { rows, changes } = connection.run(sql, Array.isArray(rest[0]) ? rest[0] : [])
    done.call({ changes }, null, rows)
  } catch (error) {
    done.call({ changes: 0 }, error)
  }
}

async function openSource(connection) {
  const source = new DataSource({
    type: 'sqlite',
    database: 'simulated/file',
    driver: immediateModule(connection),
    flags: 1,
    logging: false,
  })
  await source.initialize()
  return source
}

async function createImage() {
  const file = new SqlFile()
  const [writer, reader] = await Promise.all([openSource(file.writer), openSource(file.writer)])
  const schema = new Schema({ dialect: 'sqlite', writer, reader }, () => 0)
  const entities = await allEntities()
  const failures = await schema.add(entities, async (change) => change(writer.createQueryRunner()))
  for (const error of failures.values()) throw error
  const bytes = file.export()
  file.close()
  return { bytes, schema, writer, reader, tables: entities.map(({ table }) => table) }
}

/** Bytes of the database, the known tables, and the two data sources whose metadata all histories share. */
export const image = await createImage()
