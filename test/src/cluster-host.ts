// Hosts that share a database, as processes of their own.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Client } from '@mynah/sdk'
import { until } from '@mynah/kernel/testing'
import { Bench, freePort, type Running } from '../../plugins/mynah/dist/test/cli.js'

const PLUGINS = ['http-core', 'console-rpc', 'events', 'cluster', 'database', 'chat', 'inbox', 'adapter-sandbox']

export const TOKEN = 'a-token-for-hosts-under-test'

interface HostOptions {
  readonly lease?: string
  /** Origin of a console, with which the host also has the pages for it. */
  readonly console?: string
  /** Further plugins. */
  readonly plugins?: readonly string[]
  /** Further lines of its configuration. */
  readonly more?: readonly string[]
  /** Further files of its folder. */
  readonly files?: Readonly<Record<string, string>>
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Its endpoints, as lines of YAML; default: one of the sandbox. */
  readonly endpoints?: readonly string[]
}

/** Returns the configuration, which is that of all hosts. */
const configOf = ({
  lease = '4s',
  console,
  plugins = [],
  more = [],
  endpoints = ['{ adapter: sandbox, id: sandbox }'],
}: HostOptions = {}): string =>
  [
    `plugins: [${[...PLUGINS, ...(console === undefined ? [] : ['entries', 'management']), ...plugins].join(', ')}]`,
    `http: { port: "\${PORT}", token: ${TOKEN}${console === undefined ? '' : `, corsOrigins: ["${console}"]`} }`,
    'database: { type: postgres, url: "${DATABASE_URL}" }',
    `cluster: { host: "\${HOST_NAME}", lease: ${lease} }`,
    ...more,
    'endpoints:',
    ...endpoints.map((line) => `  - ${line}`),
    '',
  ].join('\n')

/** Returns the files of a host: what differs between hosts is in its environment. */
const filesOf = (name: string, url: string, port: number, options?: HostOptions): Record<string, string> => ({
  'mynah.config.yml': configOf(options),
  '.env': `HOST_NAME=${name}\nDATABASE_URL=${url}\nPORT=${port}\n`,
  ...options?.files,
})

/** One of the hosts. */
export class ClusterHost {
  readonly name: string
  readonly client: Client
  readonly base: string
  readonly #bench: Bench
  readonly #copies: Bench[] = []
  running: Running

  private constructor(name: string, bench: Bench, port: number, env?: Readonly<Record<string, string>>) {
    this.name = name
    this.#bench = bench
    this.base = `http://127.0.0.1:${port}`
    this.client = createClient({ base: this.base, token: TOKEN })
    this.running = bench.start('start', env)
  }

  static async start(name: string, url: string, options?: HostOptions): Promise<ClusterHost> {
    const port = await freePort()
    return new ClusterHost(name, await Bench.of(filesOf(name, url, port, options)), port, options?.env)
  }

  /** Returns the process of the host below its supervisor. */
  async processId(): Promise<number> {
    const pid = this.running.child.pid
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0])
  }

  /** Ends the host and its supervisor without a word. */
  async kill(): Promise<void> {
    const host = await this.processId()
    this.running.child.kill('SIGKILL')
    process.kill(host, 'SIGKILL')
    await this.running.ended
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.processId(), signal)
  }

  status(): ReturnType<Bench['run']> {
    return this.run('status')
  }

  /** Runs a command in its folder. */
  run(command: string): ReturnType<Bench['run']> {
    return this.#bench.run(command)
  }

  /** The configuration file of the host. */
  get file(): string {
    return join(this.#bench.folder, 'mynah.config.yml')
  }

  /** Starts a copy of its folder on another port. */
  async copy(url: string): Promise<Running> {
    const id = await readFile(join(this.#bench.folder, 'data', 'host-id'), 'utf8')
    const copied = await Bench.of({ ...filesOf('copy', url, await freePort()), 'data/host-id': id })
    this.#copies.push(copied)
    return copied.start('start')
  }

  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.running.child
    return exitCode !== null || signalCode !== null
  }

  restart(env?: Readonly<Record<string, string>>): void {
    this.running = this.#bench.start('start', env)
  }

  async remove(): Promise<void> {
    this.client.close()
    for (const copied of this.#copies) await copied.remove()
    await this.#bench.remove()
  }

  /** Whether it has the house, and an endpoint is online on any host. */
  async answers(): Promise<boolean> {
    const own = (await this.hosts()).find(({ name, state }) => name === this.name && state === 'live')
    if (!own?.places.includes('house')) return false
    const { endpoints } = await this.client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
    return endpoints.some(({ status }) => status === 'online')
  }

  async hosts(): Promise<
    readonly {
      readonly id: string
      readonly name: string
      readonly state: string
      readonly places: readonly string[]
    }[]
  > {
    return (await this.client.rpc('cluster:hosts', {}).catch(() => ({ hosts: [] }))).hosts
  }
}

/** Starts two hosts; the first one has the house. */
export async function startBoth(url: string, hosts: ClusterHost[], options?: HostOptions): Promise<void> {
  for (const name of ['one', 'two']) {
    const host = await ClusterHost.start(name, url, options)
    hosts.push(host)
    await until(async () => (await host.hosts()).some((known) => known.name === name && known.state === 'live'))
    if (name === 'one') await until(() => host.answers())
  }
}
