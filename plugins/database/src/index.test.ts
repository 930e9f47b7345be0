import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { Database, entities, entity, type Entity } from './api.js'
import { item, Items } from './testing/fixture.js'
import { run, tables } from './test/host.js'

interface Room {
  readonly id: string
  readonly seats?: number
}
const good = entity<Pick<Room, 'id'>>({
  package: 'mynah-plugin-rooms',
  name: 'room',
  columns: { id: { type: 'text', primary: true } },
}) as Entity<Room>
const bad = entity<Room>({
  package: 'mynah-plugin-rooms',
  name: 'room',
  columns: { id: { type: 'text', primary: true }, seats: { type: 'bigint' } },
})

const contributing = (name: string, table: typeof good) =>
  definePlugin({
    name,
    setup(ctx) {
      ctx.contribute(entities, table)
    },
  })

describe('plugins with tables', () => {
  it('start and stop while others write, and keep their rows', async () => {
    const host = await run({}, { plugins: [tables, contributing('rooms', good)] })
    const database = host.host.get(Database) as Database
    const names = async () => (await host.rpc('db:info')).data?.tables
    await database.append(good, [{ id: 'hall' }])
    const writing = Promise.all(
      Array.from({ length: 100 }, (_, index) => database.tx((db) => db.insert(Items, item(String(index))))),
    )
    await host.host.enable('rooms', false)
    expect(await names()).to.not.include('room')
    await host.host.enable('rooms', true)
    await writing
    expect(host.host.get(Database)).to.equal(database)
    expect(await names()).to.include('room')
    expect(await database.read(async (db) => [await db.count(good), await db.count(Items)])).to.deep.equal([1, 100])
    await host.stop()
  })

  it('degrade the database while one of their tables is invalid', async () => {
    const host = await run({}, { plugins: [contributing('rooms', good), tables] })
    const state = () => host.host.inspect().find(({ name }) => name === 'database')?.state
    await host.host.remove('rooms')
    await host.host.add({ plugin: contributing('rooms', bad) })
    const refused = await host.rpc('db:select', { table: 'room' })
    expect(refused).to.include({ code: 'not_found' })
    expect(state()).to.equal('degraded')
    expect(
      host.log.some(({ level, message }) => level === 'error' && /"room" cannot be used.*"seats"/.test(message)),
    ).to.equal(true)
    expect(await host.rpc('db:select', { table: 'item' })).to.include({ success: true })
    await host.host.remove('rooms')
    await host.host.add({ plugin: contributing('rooms', good) })
    expect(await host.rpc('db:select', { table: 'room' })).to.include({ success: true })
    expect(state()).to.equal('active')
    await host.stop()
  })
})
