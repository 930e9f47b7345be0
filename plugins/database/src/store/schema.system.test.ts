import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { entity, type Entity, type EntityDefinition } from '../api.js'
import { openSqlite } from '../engine/sqlite.js'
import { Store } from './store.js'
import { failureOf, folder, item, Items, onEverySystem } from '../testing/fixture.js'

interface Room {
  readonly id: string
  readonly name?: string
  readonly seats?: number
  readonly open?: boolean
}
/** An earlier or a wrong form of the table, which lacks columns. */
const form = (
  definition: Omit<EntityDefinition<Room>, 'columns'> & {
    readonly columns: Partial<EntityDefinition<Room>['columns']>
  },
): Entity<Room> => entity<Room>(definition as EntityDefinition<Room>)
const first = form({
  package: 'mynah-plugin-rooms',
  name: 'room',
  columns: { id: { type: 'text', primary: true }, name: { type: 'text' } },
})

onEverySystem('Schema', (open) => {
  it('adds entities while the store is in use', async () => {
    const { store } = await open()
    const writing = Promise.all(
      Array.from({ length: 50 }, (_, index) => store.tx((db) => db.insert(Items, item(String(index))))),
    )
    void store.contribute([first])
    await store.append(first, [{ id: 'a', name: 'A' }])
    expect(await store.read((db) => db.find(first))).to.deep.equal([{ id: 'a', name: 'A' }])
    await writing
    expect(await store.read((db) => db.count(Items))).to.equal(50)
  })

  it('lets a read wait for an earlier contribution', async () => {
    const { store } = await open()
    void store.contribute([first])
    expect(await store.read((db) => db.find(first))).to.deep.equal([])
  })

  it('adds new columns and indices and keeps rows', async () => {
    const { store } = await open()
    await store.contribute([first])
    await store.append(first, [{ id: 'a', name: 'A' }])
    const second = form({
      package: first.package,
      name: 'room',
      columns: {
        id: { type: 'text', primary: true },
        name: { type: 'text' },
        seats: { type: 'bigint', nullable: true },
        open: { type: 'boolean', default: true },
      },
      indices: [{ name: 'room_name', columns: ['name'], unique: true }],
    })
    await store.contribute([second])
    expect(await store.read((db) => db.find(second))).to.deep.equal([{ id: 'a', name: 'A', seats: null, open: true }])
    expect((await failureOf(store.append(second, [{ id: 'b', name: 'A' }]))).code).to.equal('conflict')
  })

  it('keeps columns that an entity no longer has', async () => {
    const { store } = await open()
    await store.contribute([first])
    await store.append(first, [{ id: 'a', name: 'A' }])
    await store.contribute([
      form({ package: first.package, name: 'room', columns: { id: { type: 'text', primary: true } } }),
    ])
    expect(await store.read((db) => db.query('SELECT id, name FROM room'))).to.deep.equal([{ id: 'a', name: 'A' }])
  })

  it('runs each migration once, in order, and none on a new table', async () => {
    const { store } = await open()
    const ran: string[] = []
    const withMigrations = (names: readonly string[]) =>
      form({
        package: first.package,
        name: 'room',
        columns: { id: { type: 'text', primary: true }, name: { type: 'text' } },
        migrations: names.map((name) => ({
          name,
          async up(db) {
            ran.push(name)
            await db.query(`UPDATE room SET name = name || $1 RETURNING id`, [`+${name}`])
          },
        })),
      })
    await store.contribute([withMigrations(['one'])])
    expect(ran).to.deep.equal([])
    await store.append(first, [{ id: 'a', name: 'A' }])
    await store.contribute([withMigrations(['one', 'two', 'three'])])
    await store.contribute([withMigrations(['one', 'two', 'three'])])
    expect(ran).to.deep.equal(['two', 'three'])
    expect(await store.read((db) => db.findOne(first, { id: 'a' }))).to.have.property('name', 'A+two+three')
  })
})

describe('Schema with an invalid table', () => {
  const setup = async () => {
    const { path, remove } = await folder()
    const failures: [string, string][] = []
    const store = await new Store(await openSqlite(join(path, 'x.sqlite'), 0), systemClock, {
      changed() {},
      tableFailed: (table, error) => void failures.push([table, error.message]),
    }).open()
    return {
      store,
      failures,
      close: async () => {
        await store.close()
        await remove()
      },
    }
  }

  it('rejects the table with the reason while others work', async () => {
    const { store, failures, close } = await setup()
    const bad = form({ package: 'x', name: 'bad', columns: { id: { type: 'uuid2' as 'text', primary: true } } })
    const keyless = form({ package: 'x', name: 'keyless', columns: { name: { type: 'text' } } })
    await store.contribute([bad, Items, keyless])
    await store.append(Items, [item('a')])
    expect(failures.map(([table]) => table).sort()).to.deep.equal(['bad', 'keyless'])
    expect((await failureOf(store.read((db) => db.find(bad)))).message).to.match(/"bad" cannot be used/)
    await store.contribute([first])
    await store.append(first, [{ id: 'a', name: 'A' }])
    await close()
  })

  it('keeps the old table when a migration fails', async () => {
    const { store, failures, close } = await setup()
    await store.contribute([first])
    await store.append(first, [{ id: 'a', name: 'A' }])
    await store.contribute([
      form({
        package: first.package,
        name: 'room',
        columns: { id: { type: 'text', primary: true }, name: { type: 'text' } },
        migrations: [
          {
            name: 'broken',
            async up(db) {
              await db.query('DELETE FROM room')
              await db.query('nonsense')
            },
          },
        ],
      }),
    ])
    expect(failures).to.have.length(1)
    await store.contribute([first])
    expect(await store.read((db) => db.count(first))).to.equal(1)
    await close()
  })

  it('requires a migration for a new column that may not be null', async () => {
    const { store, failures, close } = await setup()
    await store.contribute([first])
    await store.contribute([
      form({
        package: first.package,
        name: 'room',
        columns: { id: { type: 'text', primary: true }, name: { type: 'text' }, seats: { type: 'bigint' } },
      }),
    ])
    expect(failures[0]?.[1]).to.match(/"seats".*add a migration/)
    await close()
  })

  it('rejects table names that could contain SQL', () => {
    expect(() => entity({ package: 'x', name: 'a"; DROP TABLE b', columns: {} })).to.throw(/lower-case/)
  })
})
