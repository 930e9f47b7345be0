import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { sign } from '@mynah/plugin-adapter-webhook/api'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { ClusterHost, TOKEN } from './cluster-host.js'

const SECRET = 'a-secret-of-the-peer-under-test-32'
const ENDPOINTS = ['a', 'b', 'c'] as const
const PACE_MS = 100

/** A module that is loaded first, and gives the host another version. */
const VERSION_MODULE = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const read = fs.readFileSync
fs.readFileSync = (path, ...more) => {
  const found = read(path, ...more)
  return process.env.TEST_VERSION && String(path).endsWith('/plugins/cluster/package.json')
    ? JSON.stringify({ ...JSON.parse(String(found)), version: process.env.TEST_VERSION })
    : found
}
syncBuiltinESMExports()
`
/** A plugin whose table each version changes. The first one can work with what the second one changes. */
const LEDGER = `
import { entities, entity } from '${new URL('../../database-api/dist/index.js', import.meta.url).href}'
const major = Number((process.env.TEST_VERSION ?? '1').split('.')[0])
const text = { type: 'text', nullable: true }
const all = [
  { name: 'second', up: async (db) => void (await db.query('CREATE INDEX ledger_note ON ledger (id)')) },
  { name: 'third', breaking: true, up: async (db) => void (await db.query('ALTER TABLE ledger RENAME COLUMN note TO said')) },
]
const Ledger = entity({
  package: 'ledger', name: 'ledger',
  columns: { id: { type: 'text', primary: true }, [major > 2 ? 'said' : 'note']: text, ...(major > 1 ? { more: text } : {}) },
  migrations: all.slice(0, major - 1),
})
export default { name: 'ledger', setup(ctx) { ctx.contribute(entities, Ledger) } }
`

/** The peer of the endpoints: it sends messages to any host until one has accepted them, and takes the answers. */
class Peer {
  readonly accepted = new Set<string>()
  /** Ids of the deliveries that answer a message. */
  readonly answers = new Map<string, Set<string>>()
  readonly #server: Server
  #sending = false
  #next = 0
  readonly #open = new Set<Promise<void>>()

  private constructor() {
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        const { id, replyTo } = body as { readonly id: string; readonly replyTo?: string }
        if (replyTo !== undefined) this.answers.set(replyTo, (this.answers.get(replyTo) ?? new Set()).add(id))
        response.end('{}')
      })
    })
  }

  static async start(): Promise<Peer> {
    const peer = new Peer()
    peer.#server.listen(0, '127.0.0.1')
    await once(peer.#server, 'listening')
    return peer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async load(hosts: readonly ClusterHost[]): Promise<void> {
    this.#sending = true
    while (this.#sending) {
      const sent = this.#send(this.#next++, hosts).finally(() => void this.#open.delete(sent))
      this.#open.add(sent)
      await pause(PACE_MS)
    }
    await Promise.all(this.#open)
  }

  stop(): void {
    this.#sending = false
  }

  async #send(number: number, hosts: readonly ClusterHost[]): Promise<void> {
    const id = `m${number}`
    const endpoint = ENDPOINTS[number % ENDPOINTS.length] ?? ''
    for (let tries = number; !(await post(hosts[tries % hosts.length] as ClusterHost, endpoint, id)); tries++)
      await pause(PACE_MS)
    this.accepted.add(id)
  }

  async close(): Promise<void> {
    this.stop()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

async function post({ base }: ClusterHost, endpoint: string, id: string): Promise<boolean> {
  const body = JSON.stringify({ id, channel: { type: 'group', id: 'lobby' }, sender: { id: 'ann' }, content: '/help' })
  const headers = { 'content-type': 'application/json', ...sign(SECRET, body) }
  const answer = await fetch(`${base}/webhook/chat/${endpoint}`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  await answer?.arrayBuffer().catch(() => undefined)
  return answer?.status === 202
}

describe('the upgrade of three hosts that share a database', function () {
  this.timeout(600_000)
  let server: TestServer
  let url: string
  let peer: Peer
  let loading: Promise<void> | undefined
  const hosts: ClusterHost[] = []
  const at = (index: number): ClusterHost => hosts[index] as ClusterHost
  const envOf = (version: string): Record<string, string> => ({
    TEST_VERSION: version,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=data:text/javascript,${encodeURIComponent(VERSION_MODULE)}`,
  })

  before(async function () {
    await needPostgres(this)
    server = await startPostgres()
    url = await server.create()
    peer = await Peer.start()
    const options = {
      lease: '10s',
      plugins: ['management', 'adapter-webhook', './ledger.mjs'],
      files: { 'ledger.mjs': LEDGER },
      endpoints: ENDPOINTS.map((id) => `{ adapter: webhook, id: ${id}, secret: ${SECRET}, url: "${peer.url}" }`),
      env: envOf('1.0.0'),
    }
    for (const name of ['one', 'two', 'three']) hosts.push(await ClusterHost.start(name, url, options))
    await until(async () => (await statesOf(at(0))) === 'one live 1.0.0, three live 1.0.0, two live 1.0.0')
    await allOwned()
    loading = peer.load(hosts)
  })
  after(async () => {
    peer?.stop()
    await loading
    for (const host of hosts) await host.remove()
    await peer?.close()
    if (server) await server.drop(url)
  })

  const query = async <R>(sql: string): Promise<readonly R[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<R>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const ownersOf = async (): Promise<readonly (string | null)[]> =>
    (
      await query<{ name: string | null }>(
        `SELECT h.name FROM cluster_place p
         LEFT JOIN cluster_host h ON h.id || ':' || h.epoch = p.host AND h.state = 'live'`,
      )
    ).map(({ name }) => name)
  const allOwned = (): Promise<void> =>
    until(async () => {
      const owners = await ownersOf()
      return owners.length > ENDPOINTS.length && !owners.includes(null)
    })
  const columns = async (): Promise<string> =>
    (
      await query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'ledger' ORDER BY 1`,
      )
    )
      .map(({ name }) => name)
      .join(' ')
  const stop = async (host: ClusterHost): Promise<void> => void (await host.running.signal('SIGTERM'))
  const upgrade = async (host: ClusterHost, version: string): Promise<void> => {
    await stop(host)
    host.restart(envOf(version))
    await until(async () => (await statesOf(host)).includes(`${host.name} live ${version}`))
  }

  it('goes on with both versions, one host after the other, with a change that the former can bear', async () => {
    for (const host of hosts) {
      await upgrade(host, '2.0.0')
      await until(async () => (await columns()) === 'id more note')
      await allOwned()
    }
    await until(async () => (await statesOf(at(0))) === 'one live 2.0.0, three live 2.0.0, two live 2.0.0')
  })

  it('waits with a breaking change until no host of the former version works, and says so', async () => {
    await upgrade(at(2), '3.0.0')
    const reason = 'no host of an older version works: one (2.0.0), two (2.0.0)'
    await until(async () => ((await waitsOf(at(0), 'three')) ?? '').includes(reason))
    await until(async () => !(await ownersOf()).includes('three'))
    expect((await at(2).status()).out).to.match(/three +live +3\.0\.0 +runs nothing.*waits: /)
    const ready = await fetch(`${at(2).base}/api/ready`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(ready.status).to.equal(503)
    expect(await ready.text()).to.include(reason)
    expect(await columns(), 'as the others need it').to.equal('id more note')
    await allOwned()

    await upgrade(at(1), '3.0.0')
    await until(async () => ((await waitsOf(at(0), 'two')) ?? '').endsWith('works: one (2.0.0)'))
    await until(async () => (await ownersOf()).every((name) => name === 'one'))
    await stop(at(0))
    await until(async () => (await columns()) === 'id more said')
    for (const name of ['two', 'three']) await until(async () => (await waitsOf(at(1), name)) === undefined)
    await allOwned()
  })

  it('refuses hosts of the former version from then on', async () => {
    at(0).restart(envOf('2.0.0'))
    expect(await at(0).running.ended).to.equal(2)
    expect(at(0).running.err + at(0).running.out).to.match(/has version 2\.0\.0.* changed for version 3\.0\.0/)
    at(0).restart(envOf('3.0.0'))
    await until(async () => (await statesOf(at(1))) === 'one live 3.0.0, three live 3.0.0, two live 3.0.0')
    await allOwned()
  })

  it('has lost nothing meanwhile, and said nothing twice', async () => {
    peer.stop()
    await loading
    await until(
      async () =>
        (
          await query(
            `SELECT id FROM message WHERE state IN ('received', 'handling', 'intent', 'sending', 'draft') LIMIT 1`,
          )
        ).length === 0,
    )
    const rows = await query<{ id: string; state: string; answer: string | null }>(
      `SELECT i.inbound_id AS id, i.state, o.state AS answer FROM message i
       LEFT JOIN message o ON o.answers = i.id WHERE i.direction = 'in'`,
    )
    const known = new Map(rows.map((row) => [row.id, row]))
    expect(peer.accepted.size).to.be.above(20)
    expect(
      [...peer.accepted].filter((id) => !known.has(id)),
      'lost',
    ).to.deep.equal([])
    expect(
      [...peer.answers].filter(([, ids]) => ids.size > 1),
      'said twice',
    ).to.deep.equal([])
    const unanswered = [...peer.accepted].filter((id) => !peer.answers.has(id))
    // All hosts have stopped in order, so that nothing is left open.
    expect(
      unanswered.map((id) => known.get(id)),
      'not answered',
    ).to.deep.equal([])
  })
})

/** Returns the hosts that a host sees, with states and versions. */
async function statesOf({ client }: ClusterHost): Promise<string> {
  const { hosts } = await client.rpc('cluster:hosts', {}).catch(() => ({ hosts: [] }))
  return hosts.map(({ name, state, version }) => `${name} ${state} ${version}`).join(', ')
}

/** Returns what a host waits for. */
async function waitsOf({ client }: ClusterHost, name: string): Promise<string | undefined> {
  const { hosts } = await client.rpc('cluster:hosts', {}).catch(() => ({ hosts: [] }))
  const found = hosts.find((host) => host.name === name)
  return found ? found.waitsFor : 'the host does not answer'
}
