// Reads all rows of a SQLite file and of a PostgreSQL database in one form, so that they can be compared.
import { once } from 'node:events'
import { promisify } from 'node:util'
import pg from 'pg'
import sqlite3 from 'sqlite3'

/** One value of both systems: SQLite has numbers for booleans, and PostgreSQL texts for large numbers. */
function plainOf(value) {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return String(Number(value))
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
}

const rowOf = (row) =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => [column, plainOf(row[column])]),
  )

/** Returns the rows by their table. */
async function tablesOf(names, query) {
  const tables = new Map()
  for (const name of names) tables.set(name, (await query(`SELECT * FROM "${name}"`)).map(rowOf))
  return tables
}

/** Returns the rows of a SQLite file, by table. */
export async function rowsOfSqlite(file) {
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY)
  await once(database, 'open')
  try {
    const query = promisify(database.all.bind(database))
    const names = await query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return await tablesOf(
      names.map(({ name }) => name),
      query,
    )
  } finally {
    await promisify(database.close.bind(database))()
  }
}

/** Returns the rows of a PostgreSQL database, by table. */
export async function rowsOfPostgres(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const query = async (sql) => (await client.query(sql)).rows
    const names = await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
    return await tablesOf(
      names.map(({ name }) => name),
      query,
    )
  } finally {
    await client.end()
  }
}
