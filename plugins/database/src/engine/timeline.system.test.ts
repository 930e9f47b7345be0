import { expect } from 'chai'
import { Supervisor } from '@mynah/kernel'
import { EventLog } from '@mynah/plugin-events/api'
import { Database } from '../api.js'
import { run } from '../test/host.js'
import { failureOf, item, Items, until } from '../testing/fixture.js'
import { startPostgres, needPostgres, type TestServer } from '../testing/postgres-server.js'

describe('a standby server that is promoted', () => {
  let server: TestServer
  before(async function () {
    await needPostgres(this, { own: true })
    server = await startPostgres()
  })

  it('ends the host, which starts again with a new epoch of the event log', async function () {
    this.timeout(60_000)
    const url = await server.create()
    let ended: (value: string) => void = () => {}
    const abandoned = new Promise<string>((resolve) => (ended = resolve))
    const supervisor: Supervisor = { restart: () => Promise.resolve(), abandon: () => ended('abandoned') }
    const section = { type: 'postgres', url }
    const first = await run(section, { services: [[Supervisor, supervisor]] })
    const log = first.host.get(EventLog) as EventLog
    await log.append([{ type: 'a', json: '1', timestamp: 1 }])

    await server.own?.stop()
    await server.own?.follow()
    await server.own?.promote()
    const database = first.host.get(Database) as Database
    expect(await failureOf(database.append(Items, [item('a')]))).to.have.property('code', 'not_ready')
    expect(await abandoned).to.equal('abandoned')
    expect(database.status.reason).to.include('restart the host')
    await first.stop()

    const second = await run(section)
    const after = second.host.get(EventLog) as EventLog
    expect(after.epoch).to.not.equal(log.epoch)
    await after.append([{ type: 'b', json: '2', timestamp: 2 }])
    expect((await after.after(0, 10)).map(({ id, type }) => `${id} ${type}`)).to.deep.equal(['1 a', '2 b'])
    await second.stop()

    const third = await run(section)
    expect((third.host.get(EventLog) as EventLog).epoch, 'without another promotion').to.equal(after.epoch)
    await third.stop()
  })

  it('is waited for by a host that starts before', async function () {
    this.timeout(60_000)
    const section = { type: 'postgres', url: await server.create() }
    await server.own?.follow()
    const { host, readiness, stop } = await run(section)
    const seen = () => host.inspect().find(({ name }) => name === 'database')
    expect(seen()?.error?.message).to.include('a standby, which takes no writes until it is promoted')
    await server.own?.promote()
    await until(() => seen()?.state === 'active')
    expect(await readiness()).to.equal('ok')
    await stop()
  })
})
