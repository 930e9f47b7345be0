import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { Database, entities, entity } from '../api.js'
import { folder, postgres } from '../testing/fixture.js'
import { needPostgres, type TestServer } from '../testing/postgres-server.js'
import { run } from '../test/host.js'
import { loadSqlite, type SqliteConnection } from '../engine/binding.js'
import { dumpPostgres } from './postgres-dump.js'

interface Seat {
  readonly id: string
  readonly taken: boolean
  readonly price: number | null
  readonly at: number
  readonly note: string | null
}
const Seats = entity<Seat>({
  package: 'mynah-plugin-seats',
  name: 'seat',
  columns: {
    id: { type: 'text', primary: true },
    taken: { type: 'boolean' },
    price: { type: 'real', nullable: true },
    at: { type: 'bigint' },
    note: { type: 'text', nullable: true },
  },
})
const seats = definePlugin({
  name: 'seats',
  needs: { database: Database },
  setup: (ctx) => void ctx.contribute(entities, Seats),
})
const rows: Seat[] = Array.from({ length: 1_234 }, (_, index) => ({
  id: String(index).padStart(5, '0'),
  taken: index % 3 === 0,
  price: index % 2 ? index / 4 : null,
  at: 1_700_000_000_000 + index,
  note: index % 5 ? `座位 "${index}" 'x' $1 ?` : null,
}))

describe('a move between two SQLite files', () => {
  const reshapes = {
    'with row ids below one': (table: string) => [`UPDATE "${table}" SET rowid = rowid - 3`],
    'without row ids': (table: string, definition: string) => [
      `ALTER TABLE "${table}" RENAME TO old`,
      `${definition} WITHOUT ROWID`,
      `INSERT INTO "${table}" SELECT * FROM old`,
      'DROP TABLE old',
    ],
  }
  for (const [name, reshape] of Object.entries(reshapes))
    it(`takes every row of a table ${name} along`, async function () {
      this.timeout(60_000)
      const [one, two] = [await folder(), await folder()]
      try {
        const first = await run({}, { data: one.path, plugins: [seats] })
        await (first.host.get(Database) as Database).append(Seats, rows)
        await first.stop()
        const file = join(two.path, 'move.sqlite')
        await copyFile(join(one.path, 'mynah.sqlite'), file)
        const [table] = await inFile<{ name: string; sql: string }>(file, [
          "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE '%seat'",
        ])
        await inFile(file, reshape(table?.name ?? '', table?.sql ?? ''))

        const second = await run({}, { data: two.path, plugins: [seats] })
        const found = await (second.host.get(Database) as Database).read((db) =>
          db.find(Seats, { order: { id: 'asc' } }),
        )
        expect(found).to.deep.equal(rows)
        await second.stop()
      } finally {
        for (const home of [one, two]) await home.remove()
      }
    })
})

/** Runs statements in a file and returns the rows of the last. */
async function inFile<R>(file: string, statements: readonly string[]): Promise<R[]> {
  const { Database: Sqlite } = await loadSqlite()
  const connection = await new Promise<SqliteConnection>((resolve, reject) => {
    const opened: SqliteConnection = new Sqlite(file, (error) => (error ? reject(error) : resolve(opened)))
  })
  let found: R[] = []
  for (const statement of statements)
    found = await new Promise<R[]>((resolve, reject) =>
      connection.all(statement, (error, result) => (error ? reject(error) : resolve(result as unknown as R[]))),
    )
  await new Promise<void>((resolve) => connection.close(() => resolve()))
  return found
}

describe('a move between SQLite and PostgreSQL', () => {
  let server: TestServer
  let url: string
  before(async function () {
    await needPostgres(this)
    server = await postgres()
    url = await server.create()
  })
  after(() => server?.drop(url))

  it('takes every row along, in both directions, and only once', async function () {
    this.timeout(60_000)
    const [one, two, three] = [await folder(), await folder(), await folder()]
    const stored = async (host: Awaited<ReturnType<typeof run>>): Promise<unknown> => {
      const database = host.host.get(Database) as Database
      const found = await database.read((db) => db.find(Seats, { order: { id: 'asc' } }))
      return [found, await database.kv('settings').get('colour'), await database.documents('notes').count()]
    }
    try {
      const sqlite = await run({}, { data: one.path, plugins: [seats] })
      const first = sqlite.host.get(Database) as Database
      await first.append(Seats, rows)
      await first.kv('settings').set('colour', { a: ['蓝'] })
      await first.documents('notes').add({ text: 'x' })
      const before = await stored(sqlite)
      await sqlite.stop()

      await copyFile(join(one.path, 'mynah.sqlite'), join(two.path, 'move.sqlite'))
      const moved = await run({ type: 'postgres', url }, { data: two.path, plugins: [seats] })
      expect(await stored(moved)).to.deep.equal(before)
      await (moved.host.get(Database) as Database).append(Seats, [{ ...(rows[0] as Seat), id: 'later' }])
      const after = await stored(moved)
      await moved.stop()

      expect(await dumpPostgres(url, join(three.path, 'move.sqlite'))).to.be.above(rows.length)
      const again = await run({}, { data: three.path, plugins: [seats] })
      expect(await stored(again)).to.deep.equal(after)
      expect(again.log.map(({ message }) => message).join()).to.match(/12\d\d rows of another database were moved/)
      await again.stop()
      expect(await readdir(three.path))
        .to.include('move-done.sqlite')
        .and.not.to.include('move.sqlite')

      // A database with rows of its own keeps them, and does not start as if it had those of the backup.
      await copyFile(join(one.path, 'mynah.sqlite'), join(three.path, 'move.sqlite'))
      const third = await run({}, { data: three.path, plugins: [seats] })
      const { error, state } = third.host.inspect().find(({ name }) => name === 'database') ?? {}
      await third.stop()
      expect(state).to.equal('failed')
      expect(error?.message).to.match(
        /data\/move\.sqlite has the rows of a restored backup, and this database has rows of its own in \w+/,
      )
      await rm(join(three.path, 'move.sqlite'))
      const fourth = await run({}, { data: three.path, plugins: [seats] })
      expect(await stored(fourth)).to.deep.equal(after)
      await fourth.stop()
    } finally {
      for (const home of [one, two, three]) await home.remove()
    }
  })

  it('uses no database that got only a part of the rows, and goes on when they can be moved', async function () {
    this.timeout(60_000)
    const [one, two] = [await folder(), await folder()]
    const target = await server.create()
    try {
      const sqlite = await run({}, { data: one.path, plugins: [seats] })
      await (sqlite.host.get(Database) as Database).append(Seats, rows)
      await (sqlite.host.get(Database) as Database).kv('settings').set('colour', 'blue')
      await sqlite.stop()
      const file = join(two.path, 'move.sqlite')
      await copyFile(join(one.path, 'mynah.sqlite'), file)
      const [table] = await inFile<{ name: string }>(file, [
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%seat'",
      ])
      const setAt = (value: string): string => `UPDATE "${table?.name}" SET "at" = ${value} WHERE "id" = '00007'`
      await inFile(file, [setAt("'yesterday'")])

      const half = await run({ type: 'postgres', url: target }, { data: two.path, plugins: [seats] })
      const refused = half.host.get(Database) as Database
      for (const call of [() => refused.kv('settings').get('colour'), () => refused.append(Seats, [rows[0] as Seat])])
        expect(await call().catch(({ code, message }) => `${code}: ${message}`)).to.match(
          /^not_ready: .*cannot be moved: .*seat.*yesterday.* set the section "database" back/,
        )
      expect(refused.status).to.include({ available: false })
      await half.stop()

      await inFile(file, [setAt(String(rows[7]?.at))])
      const whole = await run({ type: 'postgres', url: target }, { data: two.path, plugins: [seats] })
      const database = whole.host.get(Database) as Database
      expect(await database.read((db) => db.find(Seats, { order: { id: 'asc' } }))).to.deep.equal(rows)
      expect(await database.kv('settings').get('colour')).to.equal('blue')
      await whole.stop()
      expect(await readdir(two.path)).to.include('move-done.sqlite')
    } finally {
      await server.drop(target)
      for (const home of [one, two]) await home.remove()
    }
  })

  it('replaces the NUL characters that PostgreSQL cannot store, and counts them', async function () {
    this.timeout(60_000)
    const [one, two] = [await folder(), await folder()]
    const target = await server.create()
    try {
      const sqlite = await run({}, { data: one.path, plugins: [seats] })
      const seat = rows[0] as Seat
      const notes = ['a\0b', '\0\0', 'plain']
      await (sqlite.host.get(Database) as Database).append(
        Seats,
        notes.map((note, index) => ({ ...seat, id: String(index), note })),
      )
      await sqlite.stop()
      await copyFile(join(one.path, 'mynah.sqlite'), join(two.path, 'move.sqlite'))
      const moved = await run({ type: 'postgres', url: target }, { data: two.path, plugins: [seats] })
      const found = await (moved.host.get(Database) as Database).read((db) => db.find(Seats, { order: { id: 'asc' } }))
      expect(found.map(({ note }) => note)).to.deep.equal(['a\uFFFDb', '\uFFFD\uFFFD', 'plain'])
      await moved.stop()
      expect(moved.log.map(({ message }) => message).join()).to.include('2 texts had NUL characters')
    } finally {
      await server.drop(target)
      for (const home of [one, two]) await home.remove()
    }
  })
})
