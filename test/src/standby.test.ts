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

const configOf = (name: string, url: string, port: number, lease = '4s'): string =>
  [
    'plugins: [http-core, console-rpc, events, cluster, database, chat, inbox, adapter-sandbox]',
    `http: { port: ${port}, token: ${TOKEN} }`,
    `database: { type: postgres, url: "${url}" }`,
    `cluster: { host: ${name}, lease: ${lease} }`,
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

  static async start(name: string, url: string, lease?: string): Promise<ClusterHost> {
    const port = await freePort()
    return new ClusterHost(name, await Bench.of({ 'mynah.config.yml': configOf(name, url, port, lease) }), port)
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

  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.running.child
    return exitCode !== null || signalCode !== null
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

const statesSeenBy = async (host: ClusterHost): Promise<Record<string, string>> =>
  Object.fromEntries((await host.hosts()).map(({ name, state, places }) => [name, [state, ...places].join(' ')]))

/** Starts two hosts; the first one runs everything. */
async function startBoth(url: string, hosts: ClusterHost[], lease?: string): Promise<void> {
  for (const name of ['one', 'two']) {
    const host = await ClusterHost.start(name, url, lease)
    hosts.push(host)
    await until(async () => (await host.hosts()).some((known) => known.name === name && known.state === 'live'))
    if (name === 'one') await until(() => host.answers())
  }
}

describe('hosts that share a database', function () {
  this.timeout(180_000)
  let server: TestServer
  let url: string
  const hosts: ClusterHost[] = []
  before(async function () {
    const reason = await whyNoPostgres()
    if (reason) {
      console.log(`      ${reason}`)
      this.skip()
    }
    server = await startPostgres()
    url = await server.create()
    await startBoth(url, hosts)
  })
  // A test may end the host that runs everything. It starts again, and the next test finds it on standby.
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

  /** Returns the host that runs everything, and the one on standby. */
  const both = async (): Promise<{ active: ClusterHost; standby: ClusterHost }> => {
    const [one, two] = hosts as [ClusterHost, ClusterHost]
    await until(async () => (await one.answers()) !== (await two.answers()))
    return (await one.answers()) ? { active: one, standby: two } : { active: two, standby: one }
  }
  it('take over when one dies, handle what it has accepted, and send nothing twice', async () => {
    const { active, standby } = await both()
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'live *', [standby.name]: 'live' })
    const say = (host: ClusterHost, content: string): Promise<unknown> =>
      host.client.rpc('sandbox:send', { endpointId: 'sandbox', channel: LOBBY, sender: { id: 'ann' }, content })
    // The other host dies with messages in any state.
    await Promise.all(Array.from({ length: 8 }, () => say(active, '/help')))
    await active.kill()
    await until(() => standby.answers())
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'dead', [standby.name]: 'live *' })
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
      .to.match(new RegExp(`${active.name} +live +\\S+ +runs everything \\(this host\\)\\n`))
      .and.match(new RegExp(`${standby.name} +live +\\S+ +standby\\n`))
    const status = await standby.status()
    expect(status.code).to.equal(0)
    expect(status.out).to.match(new RegExp(`database +failed +standby: ${active.name} runs everything`))
  })

  it('give the work over at once when one stops', async () => {
    const { active, standby } = await both()
    expect(await active.running.signal('SIGTERM')).to.equal(0)
    await until(() => standby.answers())
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'gone', [standby.name]: 'live *' })
  })

  it('end a host that stood still, which is on standby from then on', async () => {
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
    await until(async () => /all work rests until .*, since 3 hosts/.test((await standby.status()).out))
    active.restart()
  })
})

describe('hosts with a long lease that share a database', function () {
  this.timeout(180_000)
  let server: TestServer | undefined
  let url = ''
  const hosts: ClusterHost[] = []
  before(async function () {
    if (await whyNoPostgres()) this.skip()
    server = await startPostgres()
    url = await server.create()
    // A busy machine starts a host within it.
    await startBoth(url, hosts, '60s')
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
    expect(await statesSeenBy(standby)).to.deep.equal({ [active.name]: 'live *', [standby.name]: 'live' })
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
