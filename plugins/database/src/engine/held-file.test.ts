// Another process holds the file of the database for longer than the host waits: the host works again afterwards.
import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { Store } from '../store/store.js'
import { failureOf, folder, item, Items } from '../testing/fixture.js'
import { loadSqlite, type SqliteConnection, type SqliteModule } from './binding.js'
import type { Engine } from './engine.js'
import { openSqlite } from './sqlite.js'

describe('a database file that another process holds', () => {
  let sqlite: SqliteModule
  let path: string
  let engine: Engine
  let store: Store
  let other: SqliteConnection
  const reasons: (string | undefined)[] = []
  const exec = (sql: string): Promise<void> =>
    new Promise((resolve, reject) => other.run(sql, (error) => (error ? reject(error) : resolve())))
  const append = (id: string): Promise<void> => store.append(Items, [item(id)])
  const ids = async (): Promise<string[]> => (await store.read((db) => db.find(Items))).map(({ id }) => id).sort()

  beforeEach(async () => {
    sqlite = await loadSqlite()
    path = (await folder()).path
    const file = join(path, 'held.sqlite')
    engine = await openSqlite(file, Date.now())
    reasons.splice(0)
    const changed = ({ reason }: { reason?: string }): void => void reasons.push(reason)
    store = await new Store(engine, systemClock, { changed, tableFailed() {} }).open()
    await store.contribute([Items])
    other = await new Promise((resolve, reject) => {
      const opened = new sqlite.Database(file, (error) => (error ? reject(error) : resolve(opened)))
    })
  })
  afterEach(async () => {
    await new Promise((resolve) => other.close(resolve))
    await store.close()
    await rm(path, { recursive: true })
  })

  it('is used again when it is let go, also the second time', async () => {
    await append('before')
    for (const lock of ['IMMEDIATE', 'EXCLUSIVE']) {
      await exec(`BEGIN ${lock}`)
      const failures = await Promise.all([1, 2].map((n) => failureOf(append(`${lock} ${n}`))))
      expect(failures.map(({ code }) => code)).to.deep.equal(['not_ready', 'not_ready'])
      await exec('COMMIT')
      await until(() => store.status.available)
      await append(`after ${lock}`)
    }
    expect(await ids()).to.deep.equal(['after EXCLUSIVE', 'after IMMEDIATE', 'before'])
    expect(reasons).to.deep.equal([
      'another process holds the database file',
      undefined,
      'another process holds the database file',
      undefined,
    ])
  })

  it('is opened again where a connection is stuck by itself, with the true reason meanwhile', async () => {
    const stuck = new sqlite.Statement(
      (await engine.writer.createQueryRunner().connect()) as SqliteConnection,
      "INSERT INTO item (id) VALUES ('stuck')",
      () => {},
    )
    await exec('BEGIN IMMEDIATE')
    await new Promise<void>((resolve) => stuck.run([], () => resolve()))
    await exec('COMMIT')
    const refused = await failureOf(store.tx((db) => db.insert(Items, item('refused'))))
    expect(refused.message).to.contain(
      'an earlier statement of this host has not ended; its connection is opened again',
    )
    await until(() => store.status.available)
    await append('after')
    expect(await ids()).to.deep.equal(['after'])
  })
})
