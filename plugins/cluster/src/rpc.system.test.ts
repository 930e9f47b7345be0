import { expect } from 'chai'
import { HOUSE, systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { needPostgres, postgres, startProxy, type TcpProxy } from '@mynah/plugin-database/testing'
import { Member } from './member/member.js'
import { clusterMethods } from './rpc.js'

describe('the methods of a cluster', function () {
  this.timeout(60_000)
  let url: string
  let proxy: TcpProxy | undefined
  let member: Member

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
    proxy = await startProxy(url)
    member = await Member.join({
      url: proxy.through(url),
      id: 'id-one',
      name: 'one',
      version: '1',
      durations: { lease: 6_000, margin: 1_500, beat: 300, look: 100, give: 200 },
      clock: systemClock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      exit() {},
      restart: () => Promise.resolve(),
      onHouseMoved() {},
    })
    await until(() => member.owns(HOUSE))
  })
  afterEach(async () => {
    await member.close()
    await proxy?.close().catch(() => undefined)
    await (await postgres()).drop(url)
  })

  const call = async (type: string, params: Record<string, unknown> = {}): Promise<unknown> =>
    clusterMethods(member)
      .find((method) => method.type === type)
      // None of them looks at the call.
      ?.handler(params, undefined as never)
  const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
    answer.then(
      () => 'it did not fail',
      (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
    )

  it('list hosts and places, and mark the host that answers', async () => {
    const { hosts } = (await call('cluster:hosts')) as { hosts: readonly object[] }
    expect(hosts).to.have.length(1)
    expect(hosts[0]).to.deep.include({ id: 'id-one', places: [HOUSE], drains: false, self: true })
    const { places } = (await call('cluster:places')) as { places: readonly object[] }
    expect(places[0]).to.deep.include({ id: HOUSE, owner: { id: 'id-one', name: 'one' } })
  })

  it('list the packages of a host once it has said them, and again when they have changed', async () => {
    const packages = async (): Promise<unknown> =>
      ((await call('cluster:hosts')) as { hosts: readonly { packages?: unknown }[] }).hosts[0]?.packages
    expect(await packages()).to.equal(undefined)
    for (const versions of [{ one: '1.0.0', two: '2.0.0' }, { one: '1.1.0' }, {}]) {
      member.hasPackages(new Map(Object.entries(versions)))
      await until(
        async () => JSON.stringify(await packages()) === JSON.stringify(versions),
        () => `the packages ${JSON.stringify(versions)}`,
      )
    }
  })

  it('refuse hosts that do not live, and to drain the only one', async () => {
    expect(await codeOf(call('cluster:move', { place: HOUSE, host: 'no-such' }))).to.match(/^not_found: /)
    expect(await codeOf(call('cluster:move', { place: 'no-such' }))).to.match(/^not_found: /)
    expect(await codeOf(call('cluster:drain', { host: 'id-one', drains: true }))).to.match(/^conflict: one is the only/)
  })

  it('say that the database does not answer, and that a change may have been made', async () => {
    await proxy?.close()
    for (const type of ['cluster:hosts', 'cluster:places'])
      expect(await codeOf(call(type))).to.match(
        /^upstream_unavailable: The database does not answer(?: \(ECONN\w+\))?, so nothing is known of the hosts now$/,
      )
    expect(await codeOf(call('cluster:move', { place: HOUSE }))).to.match(/^upstream_unavailable:unknown: .*not known/)
  })
})
