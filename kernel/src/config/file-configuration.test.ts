import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exchanged, wrote } from '../index.js'
import { loadHost, type LoadedHost } from '../loader.js'
import { folder, pluginSource, removeFolders } from '../test/folder.js'

const seen: [string, unknown][] = []
const SEEN = Symbol.for('mynah.test.seen')
let loaded: LoadedHost

async function start(files: Record<string, string>): Promise<void> {
  loaded = await loadHost(join(await folder(files), 'mynah.config.yml'), { env: {} })
  await loaded.host.start()
}

const stateOf = (name: string) => loaded.host.inspect().find((plugin) => plugin.name === name)?.state

describe('Configuration.apply', () => {
  beforeEach(async () => {
    seen.length = 0
    ;(globalThis as Record<symbol, unknown>)[SEEN] = seen
    await start({
      'mynah.config.yml': 'plugins: [./a.js, ./b.js]\na: { n: 1 }\nb: { n: 1 }\n',
      'a.js': pluginSource('a', { n: { type: 'integer' } }),
      'b.js': pluginSource('b', { n: { type: 'integer' } }),
      'c.js': pluginSource('c', { n: { type: 'integer' } }),
    })
  })
  afterEach(async () => {
    await loaded.host.stop()
    delete (globalThis as Record<symbol, unknown>)[SEEN]
    await removeFolders()
  })

  it('restarts changed plugins only', async () => {
    const applied = await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { n: 1 }\nb: { n: 2 }\n')
    expect(applied).to.deep.include({ accepted: true, restarted: ['b'], updated: [], problems: [] })
    expect(seen).to.deep.equal([
      ['a', { n: 1 }],
      ['b', { n: 1 }],
      ['b', { n: 2 }],
    ])
    expect(loaded.configuration.text()).to.contain('n: 2')
    expect(loaded.configuration.source()).to.deep.include({ b: { n: 2 } })
  })

  it('emits configuration.exchanged for accepted texts only', async () => {
    const told: unknown[] = []
    loaded.host.on(exchanged, ({ text, ...values }) => {
      told.push(values, text === loaded.configuration.text())
    })
    const plugins = ['./a.js', './b.js']
    await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { n: 2 }\nb: { n: 1 }\n')
    expect(told.splice(0)).to.deep.equal([
      { before: { plugins, a: { n: 1 }, b: { n: 1 } }, now: { plugins, a: { n: 2 }, b: { n: 1 } } },
      true,
    ])
    await writeFile(loaded.configuration.file, 'plugins: [./a.js, ./b.js]\na: { n: 3 }\n')
    await loaded.configuration.apply()
    expect(told.splice(0)).to.deep.equal([
      { before: { plugins, a: { n: 2 }, b: { n: 1 } }, now: { plugins, a: { n: 3 } } },
      true,
    ])
    await loaded.configuration.apply('plugins: [')
    await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { n: x }\n')
    expect(told).to.deep.equal([])
  })

  it('adds, disables and removes plugins', async () => {
    expect(await loaded.configuration.apply('plugins: [./c.js, { name: ./a.js, enabled: false }]')).to.include({
      accepted: true,
    })
    expect(loaded.host.inspect().map(({ name, state }) => `${name} ${state}`)).to.deep.equal(['c active', 'a disabled'])
    expect(loaded.configuration.claims()).to.deep.equal([
      { plugin: 'c', path: 'c' },
      { plugin: 'a', path: 'a' },
    ])
    expect(Object.keys(loaded.configuration.schemas())).to.deep.equal(['c', 'a'])
  })

  it('refuses a text with any fatal problem as a whole', async () => {
    for (const text of [
      'plugins: [',
      'plugins: [./a.js, nonesuch]',
      'plugins: [./a.js]\na: { n: x }',
      'plugins: [./a.js]\na: { n: "${MISSING}" }',
      'plugins: [./a.js]\na: { m: 1 }',
    ]) {
      const applied = await loaded.configuration.apply(text)
      expect(applied.accepted, text).to.equal(false)
      expect(applied.problems.length, text).to.be.greaterThan(0)
    }
    expect([stateOf('a'), stateOf('b')]).to.deep.equal(['active', 'active'])
    expect(seen).to.have.length(2)
    expect(loaded.configuration.text()).to.contain('b: { n: 1 }')
  })

  it('reads the file by default, with the current environment', async () => {
    await writeFile(join(loaded.paths.root, '.env'), 'N=7')
    await writeFile(loaded.configuration.file, 'plugins: [./a.js, ./b.js]\na: { n: "${N}" }\nb: { n: 1 }\n')
    expect(await loaded.configuration.apply()).to.include({ accepted: true })
    expect(seen.at(-1)).to.deep.equal(['a', { n: 7 }])
    await writeFile(join(loaded.paths.root, '.env'), 'N=8')
    await loaded.configuration.apply()
    expect(seen.at(-1)).to.deep.equal(['a', { n: 8 }])
    await writeFile(join(loaded.paths.root, '.env'), '')
    expect(await loaded.configuration.apply()).to.include({ accepted: false })
  })

  it('accepts a text although a plugin could not be loaded before', async () => {
    const root = loaded.paths.root
    await writeFile(join(root, 'bad.js'), 'throw new Error("boom")')
    expect(await loaded.configuration.apply('plugins: [./a.js, ./bad.js]\na: { n: 1 }')).to.include({ accepted: true })
    expect(stateOf('bad')).to.equal('failed')
    expect(await loaded.configuration.apply('plugins: [./a.js, ./bad.js]\na: { n: 5 }')).to.include({ accepted: true })
    expect(seen.at(-1)).to.deep.equal(['a', { n: 5 }])
  })

  it('starts plugins that failed at the start, and accepts those that still fail', async () => {
    await loaded.host.stop()
    await start({
      'mynah.config.yml': 'plugins: [./a.js, ./b.js]\na: { n: x }\nb: { n: 1 }\n',
      'a.js': pluginSource('a', { n: { type: 'integer' } }),
      'b.js': pluginSource('b', { n: { type: 'integer' } }),
    })
    expect(stateOf('a')).to.equal('failed')
    expect(await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { n: x }\nb: { n: 2 }\n')).to.include({
      accepted: true,
    })
    expect(seen.at(-1)).to.deep.equal(['b', { n: 2 }])
    expect(stateOf('a')).to.equal('failed')
    expect(await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { n: 3 }\nb: { n: 2 }\n')).to.include({
      accepted: true,
    })
    expect(stateOf('a')).to.equal('active')
  })

  it('checks a text without applying it', async () => {
    expect(
      (await loaded.configuration.check('plugins: [./a.js]\nzzz: 1')).map(({ code, place }) => [code, place?.line]),
    ).to.deep.equal([['config/unclaimed', 2]])
    expect(loaded.configuration.text()).not.to.contain('zzz')
  })

  it('applies texts one by one, and announces writes of the host', async () => {
    const told: string[] = []
    const off = loaded.host.on(wrote, ({ file }) => void told.push(file))
    const applied = await Promise.all([
      loaded.configuration.apply('plugins: [./a.js]\na: { n: 2 }'),
      loaded.configuration.apply('plugins: [./a.js]\na: { n: 3 }'),
    ])
    expect(applied.map(({ restarted }) => restarted)).to.deep.equal([['b', 'a'], ['a']])
    loaded.configuration.wrote('x', 'y')
    off()
    loaded.configuration.wrote('z', 'y')
    expect(told).to.deep.equal(['x'])
  })
})
