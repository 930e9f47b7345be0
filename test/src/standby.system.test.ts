import { expect } from 'chai'
import type { MessageRow, MessageState } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { Bench } from '../../plugins/mynah/dist/test/cli.js'
import { startBoth, TOKEN, type ClusterHost } from './cluster-host.js'

const LOBBY = { type: 'group', id: 'lobby' } as const
/** States in which nothing is to be done for a message any more. */
const ENDED = new Set<MessageState>(['handled', 'interrupted', 'sent', 'unknown'])

const statesSeenBy = async (host: ClusterHost): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await host.hosts()).map(({ name, state, places }) => [name, places.includes('house') ? `${state} house` : state]),
  )

describe('hosts that share a database', function () {
  this.timeout(180_000)
  let server: TestServer
  let url: string
  const hosts: ClusterHost[] = []
  before(async function () {
    await needPostgres(this)
    server = await startPostgres()
    url = await server.create()
    // The longest pause of a busy machine is not taken for a death.
    await startBoth(url, hosts, { lease: '10s', endpoints: ['{ adapter: sandbox, id: sandbox, hosts: [one, two] }'] })
  })
  // A test may end the host that has the house. It starts again, and the next test finds it without.
  afterEach(async () => {
    for (const host of hosts) if (host.hasEnded) host.restart()
    await until(async () => {
      const seen = await Promise.all(hosts.map((host) => host.hosts()))
      return seen.every((known) => known.length === 2 && known.every(({ state }) => state === 'live'))
    })
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    if (server) await server.drop(url)
  })

  /** Returns the host that has the house, and the other one. */
  const both = async (): Promise<{ active: ClusterHost; standby: ClusterHost }> => {
    const [one, two] = hosts as [ClusterHost, ClusterHost]
    await until(async () => (await one.answers()) !== (await two.answers()))
    return (await one.answers()) ? { active: one, standby: two } : { active: two, standby: one }
  }
  it('take over when one dies, handle what it has accepted, and send nothing twice', async () => {
    const { active, standby } = await both()
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'live house', [standby.name]: 'live' })
    const say = (host: ClusterHost, content: string): Promise<unknown> =>
      host.client.rpc('sandbox:send', { endpointId: 'sandbox', channel: LOBBY, sender: { id: 'ann' }, content })
    // The other host dies with messages in any state.
    await Promise.all(Array.from({ length: 8 }, () => say(active, '/help')))
    await active.kill()
    await until(() => standby.answers())
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'dead', [standby.name]: 'live house' })
    await until(async () => (await storedRows(standby)).every(({ state }) => ENDED.has(state)))
    const stored = await storedRows(standby)
    expect(stored.filter(({ direction }) => direction === 'in')).to.have.length(8)
    const answered = stored.filter(({ direction }) => direction === 'out').map(({ answers }) => answers)
    expect(new Set(answered).size, 'one answer to each').to.equal(answered.length)
    await say(standby, '/help')
    await until(
      async () => (await storedRows(standby)).filter(({ state }) => ENDED.has(state)).length === stored.length + 2,
    )
    active.restart()
    await until(async () => (await active.hosts()).every(({ state }) => state === 'live'))
    expect(await active.answers()).to.equal(false)
  })

  it('are shown by mynah status', async () => {
    const { active, standby } = await both()
    expect((await active.status()).out)
      .to.match(new RegExp(`${active.name} +live +\\S+ +runs .*house.*\\(this host\\)\\n`))
      .and.match(new RegExp(`${standby.name} +live +\\S+ +runs `))
    // A host that starts again has joined before its database is ready.
    await until(async () => /database +ok/.test((await standby.status()).out), 'the database of the standby')
    const status = await standby.status()
    expect(status.code).to.equal(0)
    expect(status.out)
      .to.match(/database +ok/)
      .and.match(/cluster +ok/)
  })

  it('give the work over at once when one stops', async () => {
    const { active, standby } = await both()
    expect(await active.running.signal('SIGTERM')).to.equal(0)
    await until(() => standby.answers())
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'gone', [standby.name]: 'live house' })
  })

  it('answer on any host what another knows', async () => {
    const { active, standby } = await both()
    const idsOn = async (host: typeof active): Promise<string> =>
      (await storedRows(host).catch(() => [])).map(({ id }) => id).join(' ')
    // A host may be starting again, and a row of the test before may be on its way.
    await until(async () => {
      const ids = await idsOn(standby)
      return ids !== '' && ids === (await idsOn(active))
    }, 'the same rows on both hosts')
    const refused = await standby.client
      .rpc('endpoint:inboxMessages', { adapter: 'sandbox', endpointId: 'sandbox', channel: LOBBY, limit: -1 })
      .catch((error: { code?: string }) => error.code)
    expect(refused).to.equal('invalid_request')
    const unknown = await fetch(`${standby.base}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{"type":"no:such"}',
    })
    expect(await unknown.json()).to.include({ code: 'unknown_method' })
  })

  it('move the work to another one when they are asked to', async () => {
    const { active, standby } = await both()
    const found = (await standby.hosts()).find(({ name }) => name === standby.name)
    await active.client.rpc('cluster:move', { place: 'house', host: found?.id ?? '' })
    await until(() => standby.answers())
    await until(async () => {
      const known = await active.hosts()
      return known.length === 2 && known.every(({ state }) => state === 'live')
    })
    expect(await statesSeenBy(active)).to.deep.equal({ [active.name]: 'live', [standby.name]: 'live house' })
    await active.client.rpc('cluster:move', { place: 'house' })
    const wrong = await active.client.rpc('cluster:move', { place: 'no such place' }).catch(({ code }) => code)
    expect(wrong).to.equal('not_found')
  })

  it('end a host that stood still, which works again from then on', async () => {
    const { active, standby } = await both()
    await active.signal('SIGSTOP')
    await until(() => standby.answers())
    await active.signal('SIGCONT')
    await active.running.shows(/have declared this host dead/)
    await until(async () => (await active.hosts()).every(({ state }) => state === 'live'))
    expect(await active.answers()).to.equal(false)
    expect(await standby.answers()).to.equal(true)
  })

  it('refuse a host that has the identity of another', async () => {
    const { active } = await both()
    const copy = await active.copy(url)
    expect(await copy.ended).to.equal(3)
    expect(copy.err + copy.out).to.match(/folder was copied/)
  })

  it('refuse a host without the plugin, and refuse SQLite', async () => {
    const alone = await Bench.of({
      'mynah.config.yml': `plugins: [database]\ndatabase: { type: postgres, url: "${url}" }\n`,
      'sqlite.yml': 'plugins: [http-core, console-rpc, cluster, database]\nhttp: { port: 0 }\n',
    })
    try {
      await alone.start('start').shows(/in use by another host/)
      const sqlite = alone.start('start -c sqlite.yml')
      expect(await sqlite.ended).to.equal(2)
      expect(sqlite.err + sqlite.out).to.match(/PostgreSQL/)
    } finally {
      await alone.remove()
    }
  })

  it('let the work rest that three hosts in a row died with, and say so', async () => {
    // Two of them have died above.
    const { active, standby } = await both()
    await active.kill()
    await until(async () => /belongs to no endpoint rests until .*, since 3 hosts/.test((await standby.status()).out))
    const { places } = await standby.client.rpc('cluster:places', {})
    const house = places.find(({ id }) => id === 'house')
    expect(house).to.deep.include({ id: 'house', owner: null, falls: 3 })
    expect(house?.restsUntil).to.be.above(house?.since ?? Infinity)
    active.restart()
  })
})

describe('hosts with a long lease that share a database', function () {
  this.timeout(180_000)
  let server: TestServer | undefined
  let url = ''
  const hosts: ClusterHost[] = []
  before(async function () {
    await needPostgres(this)
    server = await startPostgres()
    url = await server.create()
    // A busy machine starts a host within it.
    await startBoth(url, hosts, { lease: '60s' })
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    await server?.drop(url)
  })

  it('start again at once after a death of the process alone', async () => {
    const [active, standby] = hosts as [ClusterHost, ClusterHost]
    await active.signal('SIGKILL')
    await active.running.shows(/restarting it/)
    await until(() => active.answers())
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'live house', [standby.name]: 'live' })
  })
})

/** Returns what the shared database has of the conversation. */
async function storedRows({ client }: ClusterHost): Promise<readonly MessageRow[]> {
  const { messages } = await client.rpc('endpoint:inboxMessages', {
    adapter: 'sandbox',
    endpointId: 'sandbox',
    channel: LOBBY,
  })
  return messages
}
