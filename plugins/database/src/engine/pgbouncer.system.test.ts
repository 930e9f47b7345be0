import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { FatalError } from '@mynah/kernel'
import { freePort } from '@mynah/kernel/testing'
import { Database } from '../api.js'
import { run } from '../test/host.js'
import { openPostgres } from './postgres.js'
import { failureOf, item, Items, postgres, until } from '../testing/fixture.js'
import { needPostgres, unprivileged, type TestServer } from '../testing/postgres-server.js'

const PROGRAM = '/usr/sbin/pgbouncer'

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

describe('PostgreSQL behind pgbouncer', () => {
  let server: TestServer
  let direct: string
  let home: string
  let bouncer: ChildProcess | undefined
  before(async function () {
    await needPostgres(this)
    if (!existsSync(PROGRAM)) {
      console.log('      no pgbouncer: install it')
      this.skip()
    }
    server = await postgres()
  })
  beforeEach(async () => {
    direct = await server.create()
    home = await mkdtemp(join(tmpdir(), 'mynah-pgbouncer-'))
  })
  afterEach(async () => {
    if (bouncer && bouncer.exitCode === null) {
      bouncer.kill('SIGKILL')
      await once(bouncer, 'exit')
    }
    await rm(home, { recursive: true, force: true })
    await server.drop(direct)
  })

  /** Starts the pooler as its package configures it, but for the mode. Returns the address of the database. */
  async function pooled(mode: 'session' | 'transaction'): Promise<string> {
    const { hostname, port, username, pathname } = new URL(direct)
    const at = await freePort()
    const file = join(home, 'pgbouncer.ini')
    await writeFile(
      file,
      `[databases]\n* = host=${hostname} port=${port} user=${username}\n[pgbouncer]\n` +
        `listen_addr = 127.0.0.1\nlisten_port = ${at}\nauth_type = any\npool_mode = ${mode}\nunix_socket_dir =\n`,
    )
    const user = await unprivileged()
    if (user) for (const path of [home, file]) await chown(path, user.uid, user.gid)
    bouncer = spawn(PROGRAM, [file], { ...user, cwd: home, stdio: 'ignore' })
    await until(() => answers(at))
    return `postgres://${username}@127.0.0.1:${at}${pathname}`
  }

  it('works by session, and is refused to a second host', async function () {
    this.timeout(60_000)
    const url = await pooled('session')
    const first = await run({ type: 'postgres', url })
    const database = first.host.get(Database) as Database
    await database.append(Items, [item('a')])
    expect(await database.read((db) => db.count(Items))).to.equal(1)
    const second = (await failureOf(openPostgres(url))) as FatalError
    expect(second.message).to.include('in use by another host')
    await first.stop()
    const next = await run({ type: 'postgres', url })
    expect(await (next.host.get(Database) as Database).read((db) => db.count(Items))).to.equal(1)
    await next.stop()
  })

  it('is refused by transaction, also where another host writes through it', async function () {
    this.timeout(60_000)
    const url = await pooled('transaction')
    const alone = (await failureOf(openPostgres(url))) as FatalError
    expect(alone.message).to.include('shares connections by transaction')
    expect(alone.hint).to.include('pool_mode = session')
    expect(alone).to.have.property('exitCode', 2)
    const owner = await run({ type: 'postgres', url: direct })
    const second = (await failureOf(openPostgres(url))) as FatalError
    expect(second.message).to.match(/in use by another host|shares connections by transaction/)
    await (owner.host.get(Database) as Database).append(Items, [item('b')])
    await owner.stop()
  })
})
