import { expect } from 'chai'
import { sign } from '@mynah/plugin-adapter-webhook/api'
import type { MessageRow, MessageState } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { ClusterHost } from './cluster-host.js'

const LOBBY = { type: 'group', id: 'lobby' } as const
const SECRET = 'a-secret-of-the-peer-under-test-32'
const SANDBOXES = ['a', 'b', 'c'] as const
/** States in which nothing is to be done for a message any more. */
const ENDED = new Set<MessageState>(['handled', 'interrupted', 'sent', 'unknown'])

describe('the endpoints of hosts that share a database', function () {
  this.timeout(300_000)
  let server: TestServer
  let url: string
  const hosts: ClusterHost[] = []
  const at = (index: number): ClusterHost => hosts[index] as ClusterHost

  before(async function () {
    await needPostgres(this)
    // Two hosts start, one after the other.
    this.timeout(300_000)
    server = await startPostgres()
    url = await server.create()
    const options = {
      lease: '10s',
      plugins: ['adapter-webhook', 'cron'],
      endpoints: [
        ...SANDBOXES.map((id) => `{ adapter: sandbox, id: ${id} }`),
        `{ adapter: webhook, id: peer, secret: ${SECRET}, hosts: [one, two] }`,
      ],
    }
    for (const name of ['one', 'two']) hosts.push(await ClusterHost.start(name, url, options))
    // Each has its share, and each knows all of it.
    await until(async () => {
      const places = await placesOf(at(0))
      const owners = new Set(SANDBOXES.map((id) => places.get(`endpoint|sandbox|${id}`)))
      return owners.size === 2 && !owners.has(undefined) && places.get('endpoint|webhook|peer') === 'one'
    })
    for (const host of hosts) await until(async () => (await onlineOf(host)) === 'a b c peer')
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    if (server) await server.drop(url)
  })

  it('are divided, and any host answers for all of them', async () => {
    const say = (host: ClusterHost, endpointId: string): Promise<unknown> =>
      host.client.rpc('sandbox:send', { endpointId, channel: LOBBY, sender: { id: 'ann' }, content: '/help' })
    for (const host of hosts) for (const endpoint of SANDBOXES) await say(host, endpoint)
    for (const host of hosts)
      for (const endpoint of SANDBOXES)
        await until(async () => {
          const rows = await rowsOf(host, endpoint)
          return rows.length === 4 && rows.every(({ state }) => ENDED.has(state))
        })
  })

  it('take what is sent by way of another host', async () => {
    for (const host of hosts)
      for (const endpointId of SANDBOXES)
        await host.client.rpc('endpoint:sendMessage', {
          adapter: 'sandbox',
          endpointId,
          type: 'group',
          id: 'lobby',
          content: `hello from ${host.name}`,
        })
    for (const endpoint of SANDBOXES) {
      const said = (await rowsOf(at(0), endpoint)).map(({ text }) => text)
      expect(said).to.include('hello from one').and.include('hello from two')
    }
  })

  it('accept deliveries of a peer on any host, each message once', async () => {
    const post = async (host: ClusterHost, id: string, secret = SECRET): Promise<number> => {
      const body = JSON.stringify({ id, channel: LOBBY, sender: { id: 'ann' }, content: 'hi' })
      const headers = { 'content-type': 'application/json', ...sign(secret, body) }
      return (await fetch(`${host.base}/webhook/chat/peer`, { method: 'POST', headers, body })).status
    }
    expect([await post(at(0), 'm1'), await post(at(1), 'm2'), await post(at(1), 'm1')]).to.deep.equal([202, 202, 202])
    expect(await post(at(1), 'm3', 'another-secret-that-is-long-enough-too')).to.equal(401)
    const rows = await rowsOf(at(1), 'peer', 'webhook')
    expect(rows.filter(({ direction }) => direction === 'in').map(({ text }) => text)).to.deep.equal(['hi', 'hi'])
  })

  it('let jobs be added and seen on any host, and run once', async () => {
    const { id } = await at(1).client.rpc('cron:add', {
      cronExpression: '0 0 1 1 *',
      prompt: 'look',
      notify: { channel: 'log' },
    } as never)
    for (const host of hosts)
      expect((await host.client.rpc('cron:list', {})).persistent.map((task) => task.id)).to.deep.equal([id])
  })

  it('go on with the other host when one dies, and come back', async () => {
    const [one, two] = [at(0), at(1)]
    await one.kill()
    await until(async () => (await onlineOf(two)) === 'a b c peer')
    expect([...new Set((await placesOf(two)).values())]).to.deep.equal(['two'])
    const answers = await Promise.all(SANDBOXES.map((endpoint) => rowsOf(two, endpoint)))
    const answered = answers.flat().flatMap((row) => row.answers ?? [])
    expect(new Set(answered).size, 'one answer to each').to.equal(answered.length)
    one.restart()
    await until(async () => new Set((await placesOf(two)).values()).size === 2)
    for (const host of hosts) await until(async () => (await onlineOf(host)) === 'a b c peer')
    // The first host of its list has it again.
    await until(async () => (await placesOf(two)).get('endpoint|webhook|peer') === 'one')
  })
})

/** Returns the names of the owners of places. */
async function placesOf({ client }: ClusterHost): Promise<ReadonlyMap<string, string | undefined>> {
  const { places } = await client.rpc('cluster:places', {}).catch(() => ({ places: [] }))
  return new Map(places.map(({ id, owner }) => [id, owner?.name]))
}

async function onlineOf({ client }: ClusterHost): Promise<string> {
  const { endpoints } = await client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
  const online = endpoints.filter(({ status }) => status === 'online').map(({ name }) => name)
  return online.sort().join(' ')
}

async function rowsOf(
  { client }: ClusterHost,
  endpointId: string,
  adapter = 'sandbox',
): Promise<readonly MessageRow[]> {
  return (await client.rpc('endpoint:inboxMessages', { adapter, endpointId, channel: LOBBY })).messages
}
