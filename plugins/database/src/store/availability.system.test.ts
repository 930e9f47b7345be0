// A full disk and a server that goes: refused at once, said so, and working again without anybody's help.
import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { skipBecause } from '@mynah/kernel/testing'
import { Database } from '../api.js'
import { failureOf, folder, item, Items, postgres, until, within } from '../testing/fixture.js'
import { run, type ActiveTransaction } from '../test/host.js'
import { needPostgres } from '../testing/postgres-server.js'

const shell = promisify(execFile)
const stateOf = ({ host }: ActiveTransaction) => host.inspect().find(({ name }) => name === 'database')?.state
const service = ({ host }: ActiveTransaction): Database => host.get(Database) as Database

/** Writes until the database refuses. */
async function fill(database: Database): Promise<Error & { code?: string }> {
  for (let round = 0; ; round++) {
    const error = await database.append(Items, [item(`fill${round}`, { detail: 'x'.repeat(20_000) })]).then(
      () => undefined,
      (failure: Error) => failure,
    )
    if (error) return error
  }
}

/** Mounts a file system of 1.5 MB. */
async function smallDisk(context: Mocha.Context): Promise<string> {
  if (process.getuid?.() !== 0) skipBecause(context, 'a small file system can only be mounted as root')
  const { path } = await folder()
  const mount = join(path, 'small')
  await mkdir(mount)
  await shell('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', mount]).catch((error: Error) =>
    skipBecause(context, `no small file system can be mounted: ${error.message.split('\n')[0]}`),
  )
  return mount
}

async function release(mount: string | undefined): Promise<void> {
  if (!mount) return
  await shell('umount', [mount]).catch(() => undefined)
  await rm(join(mount, '..'), { recursive: true, force: true })
}

describe('a full disk', () => {
  let mount: string
  before(async function () {
    mount = await smallDisk(this)
  })
  after(() => release(mount))

  it('is reported as not_ready, keeps reads working, and ends when there is room', async function () {
    this.timeout(30_000)
    const ballast = join(mount, 'ballast')
    const host = await run({}, { data: mount })
    const database = service(host)
    await database.append(Items, [item('before')])
    await writeFile(ballast, Buffer.alloc(600_000))
    expect(await fill(database)).to.deep.include({ code: 'not_ready' })
    const refused = await within(1_000, () => failureOf(database.tx((db) => db.insert(Items, item('refused')))))
    expect(refused.message).to.equal('The database is not available: the disk is full')
    expect(stateOf(host)).to.equal('degraded')
    expect(await host.rpc('db:info')).to.have.nested.property('data.available', false)
    expect(await host.rpc('db:kv:set', { table: 'settings', key: 'a', value: 1 })).to.deep.include({
      status: 400,
      code: 'not_ready',
    })
    expect(await host.readiness()).to.equal('failed')
    expect(await database.read((db) => db.findOne(Items, { id: 'before' }))).to.have.property('id', 'before')

    await rm(ballast)
    await within(5_000, () => until(() => database.status.available))
    await database.append(Items, [item('after')])
    expect(stateOf(host)).to.equal('active')
    expect(await host.readiness()).to.equal('ok')
    expect(await database.read((db) => db.findOne(Items, { id: 'refused' }))).to.equal(undefined)
    await host.stop()
    const again = await run({}, { data: mount })
    expect(service(again).status).to.deep.equal({ available: true })
    expect(await service(again).read((db) => db.findOne(Items, { id: 'after' }))).to.have.property('id', 'after')
    await again.stop()
  })
})

describe('a start on a full disk', () => {
  let mount: string
  before(async function () {
    mount = await smallDisk(this)
  })
  after(() => release(mount))

  it('fails with its reason, and the database starts by itself when there is room', async function () {
    this.timeout(30_000)
    const ballast = join(mount, 'ballast')
    await writeFile(ballast, Buffer.alloc(4_000_000)).catch(() => undefined)
    const host = await run({}, { data: mount })
    expect(stateOf(host)).to.equal('failed')
    expect(JSON.stringify(host.host.inspect().find(({ name }) => name === 'database'))).to.match(
      /the database is not available: the disk is full/,
    )
    await rm(ballast)
    await within(5_000, () => until(() => stateOf(host) === 'active'))
    await service(host).append(Items, [item('after')])
    expect(await service(host).read((db) => db.count(Items))).to.equal(1)
    await host.stop()
  })
})

describe('a database file that is moved away', () => {
  it('is detected before the next write, and used again when it is back', async () => {
    const host = await run()
    const database = service(host)
    await database.append(Items, [item('before')])
    await rename(host.file, `${host.file}.elsewhere`)
    await until(() => !database.status.available)
    expect((await failureOf(database.append(Items, [item('x')]))).message).to.match(
      /not available: the database file was moved or removed/,
    )
    expect(stateOf(host)).to.equal('degraded')
    await rename(`${host.file}.elsewhere`, host.file)
    await until(() => database.status.available)
    await database.append(Items, [item('after')])
    expect(await database.read((db) => db.count(Items))).to.equal(2)
    await host.stop()
  })
})

describe('a server that goes away', () => {
  before(async function () {
    await needPostgres(this, { own: true })
  })

  after(async () => (await postgres()).own?.start())

  it('is waited for at the start', async function () {
    this.timeout(60_000)
    const server = await postgres()
    const url = await server.create()
    await server.own?.stop()
    const host = await run({ type: 'postgres', url })
    expect(stateOf(host)).to.equal('failed')
    await server.own?.start()
    await within(5_000, () => until(() => stateOf(host) === 'active'))
    await service(host).append(Items, [item('after')])
    await host.stop()
    await server.drop(url)
  })

  it('is answered with not_ready at once, and used again when it is back', async function () {
    this.timeout(60_000)
    const server = await postgres()
    const url = await server.create()
    const host = await run({ type: 'postgres', url })
    const database = service(host)
    await database.append(Items, [item('before')])
    const writing = Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        database.tx(async (db) => {
          await db.insert(Items, item(`w${index}`))
          return `w${index}`
        }),
      ),
    )
    await server.own?.stop()
    const kept = (await writing).flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    for (const attempt of [
      () => database.append(Items, [item('x')]),
      () => database.tx((db) => db.count(Items)),
      () => database.read((db) => db.count(Items)),
      () => database.kv('settings').get('a'),
    ]) {
      expect((await within(1_000, () => failureOf(attempt()))).code).to.equal('not_ready')
    }
    expect(stateOf(host)).to.equal('degraded')
    expect(await host.readiness()).to.equal('failed')

    await server.own?.start()
    await within(5_000, () => until(() => database.status.available))
    const ids = (await database.read((db) => db.find(Items))).map(({ id }) => id)
    expect(ids).to.include.members(['before', ...kept])
    await database.append(Items, [item('after')])
    expect(stateOf(host)).to.equal('active')
    await host.stop()
    await server.drop(url)
  })
})
