import { expect } from 'chai'
import { join } from 'node:path'
import fc from 'fast-check'
import { HostPaths } from './core/host-services.js'
import { checkFile, ConfigurationError, loadHost, readValues, type LoadedHost } from './loader.js'
import { Configuration } from './config/configuration.js'
import type { Environment } from './config/environment.js'
import { folder, pluginSource, removeFolders } from './test/folder.js'

const loadedHosts: LoadedHost[] = []
const seen: [string, unknown][] = []
const SEEN = Symbol.for('mynah.test.seen')

async function start(files: Record<string, string | Uint8Array>, env: Environment = {}): Promise<LoadedHost> {
  const root = await folder(files)
  const loaded = await loadHost(join(root, 'mynah.config.yml'), { env })
  loadedHosts.push(loaded)
  await loaded.host.start()
  return loaded
}

async function refusal(files: Record<string, string | Uint8Array>, env: Environment = {}): Promise<ConfigurationError> {
  const root = await folder(files)
  try {
    await loadHost(join(root, 'mynah.config.yml'), { env })
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigurationError)
    expect((error as Error).message).not.to.contain(root)
    return error as ConfigurationError
  }
  throw new Error('the host was loaded')
}

const stateOf = ({ host }: LoadedHost, name: string) => host.inspect().find((plugin) => plugin.name === name)
const fatalSource = (name: string) =>
  pluginSource(name, { port: { type: 'integer', default: 1 } }).replace('"key":', '"fatal": true, "key":')

describe('loadHost', () => {
  beforeEach(() => {
    seen.length = 0
    ;(globalThis as Record<symbol, unknown>)[SEEN] = seen
  })
  afterEach(async () => {
    for (const { host } of loadedHosts.splice(0)) {
      await host.stop()
      expect(host.residue()).to.include({ effects: 0, listeners: 0, contributions: 0 })
    }
    delete (globalThis as Record<symbol, unknown>)[SEEN]
    await removeFolders()
  })

  it('runs the listed plugins with their sections and variables', async () => {
    const loaded = await start(
      {
        'mynah.config.yml':
          'plugins: [./a.js, { name: ./b.js, enabled: false }]\na: { port: "${PORT}", name: "${NAME:-unnamed}" ' +
          '}\nb: { x: 1 }\n',
        'a.js': pluginSource('a', { port: { type: 'integer' }, name: { type: 'string' }, more: { default: 'filled' } }),
        'b.js': pluginSource('b', { x: {} }),
        '.env': 'PORT=1',
        '.env.local': 'PORT=2',
      },
      { OTHER: '1' },
    )
    expect(loaded.problems).to.deep.equal([])
    expect(seen).to.deep.equal([['a', { port: 2, name: 'unnamed', more: 'filled' }]])
    expect(stateOf(loaded, 'b')).to.include({ state: 'disabled' })
    expect(stateOf(loaded, 'a')?.origin).to.deep.include({ filename: 'a.js', filePath: 'a.js' })
  })

  it('prefers the real environment over files, and adds the variables of files to it', async () => {
    const env: Environment = { A: 'real', NODE_ENV: 'test' }
    await start(
      {
        'mynah.config.yml': 'plugins: [./p.js]\np: { a: "${A}", b: "${B}" }',
        'p.js': pluginSource('p', { a: {}, b: {} }),
        '.env': 'A=file\nB=file',
        '.env.test': 'B=test',
      },
      env,
    )
    expect(seen).to.deep.equal([['p', { a: 'real', b: 'test' }]])
    expect(env).to.deep.equal({ A: 'real', B: 'test', NODE_ENV: 'test' })
  })

  it('provides HostPaths', async () => {
    const loaded = await start({ 'mynah.config.yml': '' })
    const paths = loaded.host.get(HostPaths) as HostPaths
    expect(paths.data).to.equal(join(paths.root, 'data'))
    expect(loaded.host.get(Configuration)?.file).to.equal(join(paths.root, 'mynah.config.yml'))
  })

  it('rejects when the file cannot be read', async () => {
    for (const files of [
      { 'other.yml': '' },
      { 'mynah.config.yml/inside': '' },
      { 'mynah.config.yml': new Uint8Array([0x61, 0x3a, 0xff, 0xfe]) },
    ] as Record<string, string>[]) {
      const { problems } = await refusal(files)
      expect(problems).to.have.length(1)
      expect(problems[0]).to.include({ code: 'config/unreadable', severity: 'fatal' })
    }
  })

  it('rejects with all problems at once, each with its line', async () => {
    const { problems, message } = await refusal({
      'mynah.config.yml': 'plugins:\n  - ./a.js\n  - ./nowhere.js\n  - hppt-core\na:\n  prot: 1\nfree: ${MISSING}\n',
      'a.js': fatalSource('a'),
      'node_modules/@mynah/plugin-http-core/index.js': '',
    })
    expect(
      problems.filter(({ severity }) => severity === 'fatal').map(({ code, place }) => [code, place?.line]),
    ).to.deep.equal([
      ['config/missing-variable', 7],
      ['plugin/unknown', 3],
      ['plugin/unknown', 4],
      ['config/invalid', 6],
    ])
    expect(message).to.contain('mynah.config.yml:6: a.prot is not known here; did you mean "port"?')
    expect(message).to.contain('did you mean "http-core"?')
    expect(message).to.contain('MISSING is not set; used by free (line 7)')
  })

  it('runs without a plugin whose section is invalid', async () => {
    const loaded = await start({
      'mynah.config.yml': 'plugins: [./a.js, ./b.js]\na:\n  port: often\nb: { port: 1 }\n',
      'a.js': pluginSource('a', { port: { type: 'integer' } }),
      'b.js': pluginSource('b', { port: { type: 'integer' } }),
    })
    expect(stateOf(loaded, 'b')?.state).to.equal('active')
    const a = stateOf(loaded, 'a')
    expect(a?.state).to.equal('failed')
    expect(a?.error?.message).to.equal('mynah.config.yml:3: a.port must be integer, not string')
    expect(a?.error).to.include({ code: 'config/invalid' })
    expect(loaded.problems.map(({ severity, plugin }) => [severity, plugin])).to.deep.equal([['plugin', 'a']])
  })

  it('ignores the sections of disabled plugins', async () => {
    const loaded = await start({
      'mynah.config.yml': 'plugins: [{ name: ./a.js, enabled: false }]\na: { port: often }',
      'a.js': fatalSource('a'),
    })
    expect(loaded.problems).to.deep.equal([])
  })

  it('lists a plugin whose module cannot be loaded as failed', async () => {
    const loaded = await start({
      'mynah.config.yml':
        'plugins: [./throws.js, ./syntax.js, ./empty.js, ./wrong.js, ./imports.js, ./schema.js, ./claims.js, ' +
        './x/fine.js, ./fine.js]\n',
      'schema.js': 'export default { name: "schema", config: { key: "s", schema: { type: "nonsense" } } }',
      'claims.js': 'export default { name: "claims", config: { key: 5, schema: {} } }',
      'x/fine.js': 'throw new Error("not fine")',
      'throws.js': 'throw new Error("boom")',
      'syntax.js': 'export default {',
      'empty.js': 'export const x = 1',
      'wrong.js': 'export default { name: "no good name" }',
      'imports.js': 'import "nonesuch-package"',
      'fine.js': pluginSource('fine'),
    })
    expect(stateOf(loaded, 'fine')?.state).to.equal('active')
    for (const [name, text, code] of [
      ['throws', 'boom', 'plugin/unloadable'],
      ['syntax', '', 'plugin/unloadable'],
      ['empty', 'no default export', 'plugin/bad-definition'],
      ['wrong', 'short name', 'plugin/bad-definition'],
      ['imports', 'nonesuch-package', 'plugin/unloadable'],
      ['schema', 'cannot be checked', 'config/invalid'],
      ['claims', 'must name the path', 'plugin/bad-definition'],
    ] as const) {
      const view = stateOf(loaded, name)
      expect(view?.state, name).to.equal('failed')
      expect(view?.error?.message, name).to.contain(text)
      expect(view?.error?.message, name).not.to.contain(loaded.paths.root)
      expect(
        loaded.problems.find(({ plugin }) => plugin === name),
        name,
      ).to.include({ severity: 'plugin', code })
    }
  })

  it('only warns when a disabled plugin is not installed', async () => {
    const loaded = await start({ 'mynah.config.yml': 'plugins: [{ name: nonesuch, enabled: false }]' })
    expect(loaded.problems.map(({ severity, code }) => [severity, code])).to.deep.equal([['warning', 'plugin/unknown']])
    expect(stateOf(loaded, 'nonesuch')?.state).to.equal('disabled')
  })

  it('keeps the first of a plugin that is listed twice', async () => {
    const loaded = await start({
      'mynah.config.yml': 'plugins: [./a.js, ./copy.js, ./a.js]',
      'a.js': pluginSource('a'),
      'copy.js': pluginSource('a'),
    })
    expect(loaded.problems.map(({ severity, code, place }) => [severity, code, place?.path])).to.deep.equal([
      ['warning', 'plugin/duplicate-name', 'plugins[1]'],
      ['warning', 'plugin/duplicate-name', 'plugins[2]'],
    ])
    expect(stateOf(loaded, 'a')?.state).to.equal('active')
  })

  it('stops the later of two plugins that read the same section', async () => {
    const loaded = await start({
      'mynah.config.yml': 'plugins: [./a.js, ./b.js]\na: {}',
      'a.js': pluginSource('a'),
      'b.js': pluginSource('a').replace('"a"', '"b"'),
    })
    expect(stateOf(loaded, 'a')?.state).to.equal('active')
    expect(stateOf(loaded, 'b')?.error).to.include({ code: 'config/conflicting-claims' })
  })

  it('checks problems and reads values without building a host', async () => {
    const root = await folder({
      'mynah.config.yml': 'plugins: [./a.js]\nb: "${X}"',
      'a.js': pluginSource('a'),
      '.env': 'X=1',
    })
    const file = join(root, 'mynah.config.yml')
    expect((await checkFile(file, { env: {} })).map(({ code }) => code)).to.deep.equal(['config/unclaimed'])
    expect((await readValues(file, { env: {} })).values).to.deep.equal({ plugins: ['./a.js'], b: '1' })
    expect(seen).to.deep.equal([])
  })

  it('never fails for any text', async () => {
    const root = await folder({
      'mynah.config.yml': 'plugins: [./a.js]',
      'a.js': pluginSource('a', { port: { type: 'integer' }, list: { type: 'array', items: { type: 'object' } } }),
    })
    const { configuration, host } = await loadHost(join(root, 'mynah.config.yml'), { env: {} })
    await host.start()
    const words = fc.constantFrom(
      'plugins',
      'a',
      './a.js',
      'name',
      'enabled',
      ':',
      ': ',
      '\n',
      '\n  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      '${A}',
      '${',
      '$${',
      '&x ',
      '*x',
      '1',
      'true',
      'null',
      '../..',
      '@scope/x',
      '\\0',
    )
    const texts = fc.oneof(
      fc.array(words, { maxLength: 25 }).map((parts) => parts.join('')),
      fc.anything({ maxDepth: 3 }).map((value) => JSON.stringify({ plugins: ['./a.js', value], a: value, b: value })),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const problems = await configuration.check(text)
        for (const { message, hint } of problems) expect(message.length * hint.length).to.be.greaterThan(0)
      }),
      { numRuns: 300 },
    )
    await host.stop()
  })
})
