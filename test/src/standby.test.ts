import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { MessageRow, MessageState } from '@mynah/contract/types'
import { createClient, type Client } from '@mynah/sdk'
import { until } from '@mynah/kernel/testing'
import { startPostgres, whyNoPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { Bench, freePort, type Running } from '../../plugins/mynah/dist/test/cli.js'

const LOBBY = { type: 'group', id: 'lobby' } as const
/** States in which nothing is to be done for a message any more. */
const ENDED = new Set<MessageState>(['handled', 'interrupted', 'sent', 'unknown'])
const TOKEN = 'a-token-for-hosts-under-test'

const configOf = (name: string, url: string, port: number): string =>
  [
    'plugins: [http-core, console-rpc, events, cluster, database, chat, inbox, adapter-sandbox]',
    `http: { port: ${port}, token: ${TOKEN} }`,
    `database: { type: postgres, url: "${url}" }`,
    `cluster: { host: ${name}, lease: 4s }`,
    'endpoints: [{ adapter: sandbox, id: sandbox }]',
    '',
  ].join('\n')

/** One of the hosts that share a database, as processes of their own. */
class ClusterHost {
  readonly name: string
  readonly client: Client
  readonly #bench: Bench
  readonly #copies: Bench[] = []
  running: Running

  private constructor(name: string, bench: Bench, port: number) {
    this.name = name
    this.#bench = bench
    this.client = createClient({ base: `http://127.0.0.1:${port}`, token: TOKEN })
    this.running = bench.start('start')
  }

  static async start(name: string, url: string): Promise<ClusterHost> {
    const port = await freePort()
    return new ClusterHost(name, await Bench.of({ 'mynah.config.yml': configOf(name, url, port) }), port)
  }

  /** Returns the process of the host below its supervisor. */
  async #process(): Promise<number> {
    const pid = this.running.child.pid
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0])
  }

  /** Ends the host and its supervisor without a word. */
  async kill(): Promise<void> {
    const host = await this.#process()
    this.running.child.kill('SIGKILL')
    process.kill(host, 'SIGKILL')
    await this.running.ended
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.#process(), signal)
  }

  status(): ReturnType<Bench['run']> {
    return this.#bench.run('status')
  }

  /** Starts a copy of its folder on another port. */
  async copy(url: string): Promise<Running> {
    const id = await readFile(join(this.#bench.folder, 'data', 'host-id'), 'utf8')
    const copied = await Bench.of({
      'mynah.config.yml': configOf('copy', url, await freePort()),
      'data/host-id': id,
    })
    this.#copies.push(copied)
    return copied.start('start')
  }

  restart(): void {
    this.running = this.#bench.start('start')
  }

  async remove(): Promise<void> {
    this.client.close()
    for (const copied of this.#copies) await copied.remove()
    await this.#bench.remove()
  }

  /** Whether its endpoint is online. */
  async answers(): Promise<boolean> {
    const { endpoints } = await this.client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
    return endpoints.some(({ status }) => status === 'online')
  }

  async hosts(): Promise<
    readonly { readonly name: string; readonly state: string; readonly places: readonly string[] }[]
  > {
    return (await this.client.rpc('cluster:hosts', {}).catch(() => ({ hosts: [] }))).hosts
  }
}

describe('hosts that share a database', function () {
  this.timeout(180_000)
  let server: TestServer
  let url: string
  let hosts: ClusterHost[]
  before(async function () {
    const reason = await whyNoPostgres()
    if (reason) {
      console.log(`      ${reason}`)
      this.skip()
    }
    server = await startPostgres()
  })
  beforeEach(async () => {
    url = await server.create()
    hosts = []
    for (const name of ['one', 'two']) {
      const host = await ClusterHost.start(name, url)
      hosts.push(host)
      await until(async () => (await host.hosts()).some((known) => known.name === name && known.state === 'live'))
      if (name === 'one') await until(() => host.answers())
    }
  })
  afterEach(async () => {
    for (const host of hosts) await host.remove()
    await server.drop(url)
  })

  const both = (): [ClusterHost, ClusterHost] => hosts as [ClusterHost, ClusterHost]

  it('run the work on one of them, and take over when it dies', async () => {
    const [one, two] = both()
    expect(await two.answers()).to.equal(false)
    expect((await two.hosts()).map(({ name, places }) => [name, places])).to.deep.equal([
      ['one', ['*']],
      ['two', []],
    ])
    await one.kill()
    await until(() => two.answers())
    expect((await two.hosts()).map(({ name, state, places }) => [name, state, places])).to.deep.equal([
      ['one', 'dead', []],
      ['two', 'live', ['*']],
    ])
    one.restart()
    await until(async () => (await one.hosts()).every(({ state }) => state === 'live'))
    expect(await one.answers()).to.equal(false)
  })

  it('are shown by mynah status', async () => {
    const [one, two] = both()
    expect((await one.status()).out).to.match(
      /one +live +\S+ +runs everything \(this host\)\n +two +live +\S+ +standby\n/,
    )
    const standby = await two.status()
    expect(standby.code).to.equal(0)
    expect(standby.out).to.match(/database +failed +standby: one runs everything/)
  })

  it('give the work over at once when one stops', async () => {
    const [one, two] = both()
    expect(await one.running.signal('SIGTERM')).to.equal(0)
    await until(() => two.answers())
    expect((await two.hosts()).map(({ name, state }) => [name, state])).to.deep.equal([
      ['one', 'gone'],
      ['two', 'live'],
    ])
  })

  it('handle what another has accepted, and send nothing twice', async () => {
    const [one, two] = both()
    const say = (host: ClusterHost, content: string): Promise<unknown> =>
      host.client.rpc('sandbox:send', { endpointId: 'sandbox', channel: LOBBY, sender: { id: 'ann' }, content })
    // The other host dies with messages in any state.
    await Promise.all(Array.from({ length: 8 }, () => say(one, '/help')))
    await one.kill()
    await until(() => two.answers())
    await until(async () => (await storedRows(two)).every(({ state }) => ENDED.has(state)))
    const stored = await storedRows(two)
    expect(stored.filter(({ direction }) => direction === 'in')).to.have.length(8)
    const answered = stored.filter(({ direction }) => direction === 'out').map(({ answers }) => answers)
    expect(new Set(answered).size, 'one answer to each').to.equal(answered.length)
    await say(two, '/help')
    await until(
      async () => (await storedRows(two)).filter(({ state }) => ENDED.has(state)).length === stored.length + 2,
    )
  })

  it('end a host that stood still, which is on standby from then on', async () => {
    const [one, two] = both()
    await one.signal('SIGSTOP')
    await until(() => two.answers())
    await one.signal('SIGCONT')
    await one.running.shows(/have declared this host dead/)
    await until(async () => (await one.hosts()).every(({ state }) => state === 'live'))
    expect(await one.answers()).to.equal(false)
    expect(await two.answers()).to.equal(true)
  })

  it('start again at once after a death of the process alone', async () => {
    const [one, two] = both()
    await one.signal('SIGKILL')
    await one.running.shows(/restarting it/)
    await until(() => one.answers())
    expect((await two.hosts()).map(({ places }) => places)).to.deep.equal([['*'], []])
  })

  it('refuse a host that has the identity of another', async () => {
    const [one] = both()
    const copy = await one.copy(url)
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
