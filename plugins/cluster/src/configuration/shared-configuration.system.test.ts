import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { SharedConfiguration, type LogRecord } from '@mynah/kernel'
import { loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { until } from '@mynah/kernel/testing'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { connect, type Session } from '../database/connect.js'
import { addRevision } from './revision-tables.js'

/** A plugin with a word and a secret. */
const SHOP = `export default {
  name: 'shop',
  config: { key: 'shop', schema: { type: 'object', additionalProperties: false, properties: {
    word: { type: 'string', maxLength: 40 }, token: { type: 'string', secret: true } } } },
  setup() {},
}
`
const CLUSTER = fileURLToPath(new URL('../index.js', import.meta.url))

/** A host with a folder of its own. */
class Machine {
  readonly name: string
  readonly root: string
  readonly logged: string[] = []
  readonly #url: string
  #loaded: LoadedHost | undefined

  private constructor(name: string, url: string, root: string) {
    this.name = name
    this.#url = url
    this.root = root
  }

  static async make(name: string, url: string, text?: string): Promise<Machine> {
    const machine = new Machine(name, url, await mkdtemp(join(tmpdir(), 'mynah-revisions-')))
    await mkdir(join(machine.root, 'data'))
    await writeFile(join(machine.root, 'shop.js'), SHOP)
    await machine.write(text ?? machine.text('first'))
    return machine
  }

  /** A configuration with the name of this host. */
  text(word: string, more = ''): string {
    return [
      '# the shop of all hosts',
      `plugins: ["${CLUSTER}", ./shop.js]`,
      `database: { type: postgres, url: "${this.#url}" }`,
      `cluster: { host: ${this.name}, lease: 30s${more} }`,
      'shop:',
      `  word: ${word}`,
      '  token: a-secret-of-the-shop',
      '',
    ].join('\n')
  }

  async start(): Promise<this> {
    this.#loaded = await loadHost(join(this.root, 'mynah.config.yml'), {
      log: ({ level, message }: LogRecord) => void this.logged.push(`${level} ${message}`),
    })
    await this.#loaded.host.start()
    return this
  }

  async stop(): Promise<void> {
    const loaded = this.#loaded
    this.#loaded = undefined
    await loaded?.host.stop()
  }

  async remove(): Promise<void> {
    await this.stop()
    await rm(this.root, { recursive: true, force: true })
  }

  get loaded(): LoadedHost {
    if (!this.#loaded) throw new Error('the host does not run')
    return this.#loaded
  }

  get shared(): SharedConfiguration {
    const shared = this.loaded.host.get(SharedConfiguration)
    if (!shared) throw new Error('the cluster does not run')
    return shared
  }

  /** Returns its last lines of log, and the states of its plugins. */
  state(): string {
    const plugins = this.loaded.host.inspect().map(({ name, state }) => `${name} ${state}`)
    return `${this.name}: ${plugins.join(', ')}; ${this.logged.slice(-4).join(' | ')};`
  }

  /** The word that the host runs. */
  get word(): unknown {
    return (this.loaded.configuration.source()['shop'] as { word?: unknown } | undefined)?.word
  }

  file(): Promise<string> {
    return readFile(join(this.root, 'mynah.config.yml'), 'utf8')
  }

  async write(text: string): Promise<void> {
    await writeFile(join(this.root, 'mynah.config.yml'), text)
  }

  /** The files that revisions of other hosts have replaced. */
  async kept(): Promise<string[]> {
    const folder = join(this.root, 'data', 'conflicts')
    const names = await readdir(folder).catch(() => [])
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  }

  async runs(word: string): Promise<void> {
    await until(
      async () => this.word === word && (await this.file()).includes(`word: ${word}`),
      `${this.name}: ${word}`,
    )
  }

  async push(): Promise<number> {
    return this.shared.push(await this.shared.compare())
  }
}

const failure = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'it did not fail',
    ({ code, message }: { code?: string; message: string }) => `${code ?? ''}: ${message}`,
  )

describe('the configuration that hosts share', function () {
  this.timeout(120_000)
  let url: string
  let session: Session
  let one: Machine
  let two: Machine

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
    one = await (await Machine.make('one', url)).start()
    two = await (await Machine.make('two', url)).start()
    session = await connect(url, 'test', () => {})
    for (const machine of [one, two]) await machine.runs('first')
    let found: Awaited<ReturnType<typeof states>> = []
    await until(
      async () => (found = await states()).every(({ config }) => config === '1'),
      () => `both have revision 1: ${JSON.stringify(found)} ${one.state()} ${two.state()}`,
    )
  })
  afterEach(async () => {
    for (const machine of [one, two]) await machine.remove()
    await session.end()
    await (await postgres()).drop(url)
  })

  // As text: another plugin of the process may have pg read numbers of 64 bits as numbers.
  const states = async (): Promise<readonly { readonly config: string | null; readonly problem: string | null }[]> =>
    (
      await session.query<{ config: string | null; problem: string | null }>(
        'SELECT config::text, config_problem AS problem FROM cluster_host ORDER BY name',
      )
    ).rows

  it('is reported again where the report was lost', async () => {
    await session.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'mynah %'`,
    )
    await one.write(one.text('reported'))
    await until(
      () =>
        one.push().then(
          () => true,
          () => false,
        ),
      'the push',
    )
    await until(async () => (await states()).every(({ config }) => config === '2'), 'both have revision 2')
  })

  it('is the file of the first host, and keeps the name of each', async () => {
    const { rows } = await session.query('SELECT rev::text, parent::text, author FROM config_revision')
    expect(rows).to.deep.equal([{ rev: '1', parent: '0', author: 'one' }])
    await one.write(one.text('second'))
    expect(await one.push()).to.equal(2)
    await two.runs('second')
    expect(await two.file()).to.equal(two.text('second'))
    expect(await two.kept()).to.deep.equal([])
  })

  it('shows what a push changes, without secrets', async () => {
    await one.write(one.text('second').replace('a-secret-of-the-shop', 'another-secret'))
    const { lines } = await one.shared.compare()
    expect(lines).to.include('-  word: first').and.include('+  word: second')
    expect(lines).to.include('! shop.token: the secret changes')
    expect(lines.join('\n')).not.to.match(/another-secret|a-secret-of/)
    expect((await two.shared.compare()).lines).to.deep.equal([])
  })

  it('refuses a file that was changed after it was shown, has mistakes, or is no YAML', async () => {
    await one.write(one.text('second'))
    const seen = await one.shared.compare()
    await one.write(one.text('third'))
    expect(await failure(one.shared.push(seen))).to.match(/^conflict: .*changed since it was shown/)
    await one.write(one.text('w'.repeat(41)))
    expect(await failure(one.push())).to.match(/^invalid_request:config: .*shop\.word/)
    await one.write('plugins: [')
    expect(await failure(one.push())).to.match(/^invalid_request:config: .*YAML/)
    expect((await states()).map(({ config }) => config)).to.deep.equal(['1', '1'])
    expect(one.word).to.equal('first')
  })

  it('keeps the first of two changes, and sets the other file aside', async () => {
    await one.write(one.text('second'))
    const seen = await one.shared.compare()
    await two.write(two.text('other'))
    expect(await two.push()).to.equal(2)
    expect(await failure(one.shared.push(seen))).to.match(/^conflict: two has made revision 2/)
    await one.runs('other')
    expect(await one.kept()).to.deep.equal([one.text('second')])
    expect(one.logged.join('\n')).to.match(/warn the configuration file differs from revision 2 of two/)
    const { lines, setAside } = await one.shared.compare()
    expect(lines).to.deep.equal([])
    expect(await readFile(join(one.root, setAside ?? ''), 'utf8')).to.equal(one.text('second'))
  })

  it('is not a file that was only edited', async () => {
    await one.write(one.text('by-hand'))
    expect(await one.shared.follow()).to.have.length(1)
    expect(one.word).to.equal('first')
    await one.stop()
    await one.start()
    await until(() => one.word === 'first')
    expect(await one.file()).to.equal(one.text('by-hand'))
    await until(() => one.logged.some((line) => /warn .*mynah config push/.test(line)))
    expect(await one.push()).to.equal(2)
    await two.runs('by-hand')
  })

  it('changes by what the console saves on any host, once', async () => {
    const before = await two.file()
    const after = two.text('saved')
    await two.shared.publish({ before, after }, () => two.write(after))
    await one.runs('saved')
    const stale = failure(one.shared.publish({ before, after: one.text('late') }, () => one.write('never')))
    expect(await stale).to.match(/^conflict: .*changed meanwhile/)
    expect(await one.file()).to.equal(one.text('saved'))
    await one.write(one.text('by-hand'))
    const edited = one.shared.publish({ before: one.text('by-hand'), after: one.text('late') }, () =>
      one.write('never'),
    )
    expect(await failure(edited)).to.match(/^conflict: .*changed by hand/)
    expect(await one.file()).to.equal(one.text('by-hand'))
  })

  it('is taken at the start of a host that was stopped, also where it died between revision and file', async () => {
    for (const machine of [one, two]) await machine.stop()
    // One has died after it stored the revision, and before it wrote its file.
    expect(await addRevision(session, { parent: 1, body: one.text('second'), author: 'one', at: 0 })).to.equal(2)
    for (const machine of [one, two]) await machine.start()
    for (const machine of [one, two]) await machine.runs('second')
    expect(await two.kept()).to.deep.equal([])
    expect(await one.kept()).to.deep.equal([])
  })

  it('is taken back where the file cannot be written', async () => {
    const before = await one.file()
    const failed = one.shared.publish({ before, after: one.text('second') }, () => Promise.reject(new Error('full')))
    expect(await failure(failed)).to.equal(': full')
    const { rows } = await session.query<{ body: string }>('SELECT body FROM config_revision ORDER BY rev')
    expect(rows.map(({ body }) => body)).to.deep.equal([before, one.text('second'), before])
    await until(async () => (await states()).every(({ config }) => config === '3'))
    await until(() => two.word === 'first')
  })

  it('is refused by a host that cannot run it, which goes on with the last one', async () => {
    await writeFile(join(one.root, 'more.js'), `export default { name: 'more', setup() {} }`)
    await one.write(one.text('second').replace('./shop.js]', './shop.js, ./more.js]'))
    expect(await one.push()).to.equal(2)
    await until(async () => (await states())[1]?.problem !== null, 'two says that it cannot')
    const [, state] = await states()
    expect(state?.config).to.equal('1')
    expect(state?.problem).to.match(/^cannot run revision 2 of one: .*more/)
    expect(state?.problem).not.to.include(two.root)
    expect(two.word).to.equal('first')
    expect(await two.file()).to.equal(two.text('first'))
    expect(await failure(two.shared.push({ revision: 2, sha: '' }))).to.match(/^conflict: This host cannot run/)
    await writeFile(join(two.root, 'more.js'), `export default { name: 'more', setup() {} }`)
    expect(await two.shared.follow()).to.deep.equal([])
    await two.runs('second')
    expect((await states())[1]).to.deep.equal({ config: '2', problem: null })
  })

  it('may change the cluster itself, which starts again with it', async () => {
    const longer = (machine: Machine): string => machine.text('second').replace('lease: 30s', 'lease: 32s')
    await one.write(longer(one))
    expect(await one.push()).to.equal(2)
    await two.runs('second')
    for (const machine of [one, two]) await until(async () => (await machine.file()) === longer(machine))
    await until(async () => (await states()).every(({ config, problem }) => config === '2' && problem === null))
    await two.write(longer(two).replace('second', 'third'))
    expect(await two.push()).to.equal(3)
    await one.runs('third')
    for (const machine of [one, two]) expect(await machine.kept()).to.deep.equal([])
  })

  it('is none where each host has a file of its own', async () => {
    const three = await Machine.make('three', url)
    try {
      await three.write(three.text('own', ', config: file'))
      await three.start()
      expect(await three.shared.follow()).to.equal(undefined)
      expect(await failure(three.push())).to.match(/^conflict: .*cluster\.config: file/)
      await one.write(one.text('second'))
      await one.push()
      await two.runs('second')
      expect(three.word).to.equal('own')
      await until(async () => (await states()).map(({ config }) => config ?? 'own').join() === '2,own,2')
    } finally {
      await three.remove()
    }
  })
})
