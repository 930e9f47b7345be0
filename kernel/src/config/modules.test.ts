import { expect } from 'chai'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PluginModules, type ImportModule, type LoadedPlugin } from './modules.js'
import { folder, removeFolders } from '../test/folder.js'

const load = async (root: string, name: string, modules = new PluginModules(root, [])): Promise<LoadedPlugin> =>
  modules.load({ name, enabled: true, path: 'plugins[0]' })

describe('PluginModules', () => {
  afterEach(removeFolders)

  for (const [what, source, code, message] of [
    ['that throws', 'throw new Error("boom")', 'plugin/unloadable', './p.mjs cannot be loaded: boom'],
    ['that throws what is no error', 'throw "text"', 'plugin/unloadable', './p.mjs cannot be loaded: text'],
    ['that throws nothing', 'throw undefined', 'plugin/unloadable', './p.mjs cannot be loaded: undefined'],
    [
      'that is rejected later',
      'await Promise.reject(new Error("later"))',
      'plugin/unloadable',
      './p.mjs cannot be loaded: later',
    ],
    [
      'without a default export',
      'export const plugin = { name: "p" }',
      'plugin/bad-definition',
      './p.mjs: p.mjs has no default export, only plugin: write "export default"',
    ],
    [
      'compiled to CommonJS',
      'const module = { default: { name: "p" } }; Object.defineProperty(module, "__esModule", { value: ' +
        'true }); export default module',
      'plugin/bad-definition',
      './p.mjs: p.mjs was compiled to CommonJS, which hides its default export: compile it to ES modules ' +
        '("type": "module" in package.json, "module": "NodeNext" for TypeScript)',
    ],
    [
      'whose default is undefined',
      'export default undefined',
      'plugin/bad-definition',
      './p.mjs: p.mjs has no default export',
    ],
    [
      'whose default is null',
      'export default null',
      'plugin/bad-definition',
      './p.mjs: no plugin definition (an object with a name and a setup)',
    ],
    [
      'whose default is a function',
      'export default () => {}',
      'plugin/bad-definition',
      './p.mjs: no plugin definition (an object with a name and a setup)',
    ],
    [
      'without a name',
      'export default {}',
      'plugin/bad-definition',
      './p.mjs: the name undefined is not a short name of letters, digits, "-", "_" and "."',
    ],
    [
      'with a setup that is none',
      'export default { name: "p", setup: 5 }',
      'plugin/bad-definition',
      './p.mjs: p: setup must be a function',
    ],
    [
      'with an empty claim',
      'export default { name: "p", config: { key: "", schema: {} } }',
      'plugin/bad-definition',
      './p.mjs: config must name the path that it claims',
    ],
    [
      'with a claim without a path',
      'export default { name: "p", config: { schema: {} } }',
      'plugin/bad-definition',
      './p.mjs: config must name the path that it claims',
    ],
    [
      'with a wrong need',
      'export default { name: "p", needs: { db: {} } }',
      'plugin/bad-definition',
      './p.mjs: p: the need "db" must be a service, ifEnabled(service) or ref(service)',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const loaded = await load(await folder({ 'p.mjs': source }), './p.mjs')
      expect(loaded.failure).to.include({ code, message })
      expect(loaded.plugin.name).to.equal('p')
      expect(() => loaded.plugin.setup?.({} as never)).to.throw(message)
    })
  }

  for (const [what, source, says] of [
    ['that is no JavaScript', 'export default {', 'Unexpected'],
    ['that imports what is not there', 'import "./gone.mjs"', 'gone.mjs'],
    ['that imports a package that is not there', 'import "mynah-nonesuch"', 'mynah-nonesuch'],
  ] as const) {
    it(`reports ${what} without the name of the folder`, async () => {
      const root = await folder({ 'p.mjs': source })
      const { failure } = await load(root, './p.mjs')
      expect(failure?.code).to.equal('plugin/unloadable')
      expect(failure?.message).to.contain(says).and.not.to.contain(root)
    })
  }

  it('times out at a module that never finishes, also the next time', async () => {
    const root = await folder({ 'p.mjs': 'await new Promise(() => {})' })
    const imported: string[] = []
    const importModule: ImportModule = (url) => {
      imported.push(url)
      return import(url) as Promise<Record<string, unknown>>
    }
    const modules = new PluginModules(root, [], { timeoutMs: 20, importModule })
    expect((await load(root, './p.mjs', modules)).failure?.message).to.equal(
      './p.mjs cannot be loaded: its module did not finish loading within 0.02 s',
    )
    expect((await load(root, './p.mjs', modules)).failure?.code).to.equal('plugin/unloadable')
    expect(imported).to.have.length(1)
  })

  it('imports a plugin once, with its origin', async () => {
    const root = await folder({
      'p/index.js': 'export default { name: "other" }',
      'p/package.json': '{ "type": "module", "version": "3.2.1" }',
    })
    const modules = new PluginModules(root, [])
    const [one, again, byFile] = await Promise.all([
      load(root, './p', modules),
      load(root, './p', modules),
      load(root, './p/index.js', modules),
    ])
    expect(one).to.not.have.any.keys('failure', 'unknown')
    expect(one.plugin.name).to.equal('other')
    expect([again.plugin, byFile.plugin]).to.deep.equal([one.plugin, one.plugin])
    expect(one.origin).to.deep.include({ filename: 'index.js', filePath: 'p/index.js', version: '3.2.1' })
  })

  it('says that a plugin has changed since it was imported', async () => {
    const root = await folder({
      'p/index.js': 'export default { name: "p" }',
      'p/package.json': '{ "type": "module", "version": "1.0.0" }',
      'own.js': 'export default { name: "own" }',
    })
    const modules = new PluginModules(root, [])
    for (const name of ['./p', './own.js']) expect(await load(root, name, modules)).not.to.have.property('stale')
    await writeFile(join(root, 'p/package.json'), '{ "type": "module", "version": "1.1.0" }')
    await utimes(join(root, 'own.js'), 1, 1)
    const updated = await load(root, './p', modules)
    expect(updated.stale).to.equal('./p 1.1.0 is installed, and 1.0.0 runs until the host restarts')
    expect(updated.origin?.version).to.equal('1.0.0')
    expect((await load(root, './own.js', modules)).stale).to.equal(
      './own.js has changed, and its code from before runs until the host restarts',
    )
  })
})

describe('the placeholder of a plugin that could not be loaded', () => {
  afterEach(removeFolders)

  for (const [name, expected] of [
    ['./plugins/greeter.js', 'greeter'],
    ['./greeter.mjs', 'greeter'],
    ['../../x/plugin-dice', 'dice'],
    ['mynah-plugin-dice', 'dice'],
    ['@acme/mynah-plugin-dice', 'dice'],
    ['./-odd name!', 'odd-name-'],
    ['./', 'unnamed'],
    ['..', 'unnamed'],
    ['.\\win\\path.cjs', 'path'],
    ['irc', 'irc'],
  ] as const) {
    it(`is called ${expected} for ${name}`, async () =>
      expect((await load(await folder({}), `${name}`)).plugin.name).to.equal(expected))
  }

  it('is the same for the same failure, so that a new configuration does not change it', async () => {
    const root = await folder({})
    const modules = new PluginModules(root, [])
    const first = await load(root, './p.mjs', modules)
    expect(first.unknown).to.equal('there is no plugin at "./p.mjs"')
    expect((await load(root, './p.mjs', modules)).plugin).to.equal(first.plugin)
  })

  it('reports the latest failure', async () => {
    const root = await folder({})
    const modules = new PluginModules(root, [])
    await load(root, './p.mjs', modules)
    await writeFile(join(root, 'p.mjs'), 'throw new Error("boom")')
    const { plugin } = await load(root, './p.mjs', modules)
    expect(() => plugin.setup?.({} as never)).to.throw('./p.mjs cannot be loaded: boom')
  })
})
