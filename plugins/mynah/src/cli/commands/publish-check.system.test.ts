// Checks plugins before they are published: the real command line, npm and hosts.
import { expect } from 'chai'
import { Bench } from '../../test/cli.js'
import { PLUGIN_MANIFEST, PLUGIN_SOURCE, PluginProject } from '../../test/plugin-project.js'

interface Answer {
  readonly ok: boolean
  readonly rules: readonly { readonly rule: string; readonly state: string; readonly text: string }[]
}

describe('mynah publish-check', function () {
  this.timeout(180_000)
  let project: PluginProject | undefined
  afterEach(() => project?.remove())

  const run = async (args: string) => Bench.at((project as PluginProject).folder).run(`publish-check${args}`)
  /** Returns the texts of the rules that a project does not meet. */
  async function faults(changes: Parameters<typeof PluginProject.create>[0]): Promise<Record<string, string>> {
    await project?.remove()
    project = await PluginProject.create(changes)
    const { code, out, err } = await run(' --json')
    expect(out, err).to.match(/^\{/)
    const { ok, rules } = JSON.parse(out) as Answer
    const found = rules.filter(({ state }) => state === 'fix')
    expect({ ok, code }).to.deep.equal({ ok: found.length === 0, code: found.length === 0 ? 0 : 1 })
    return Object.fromEntries(found.map(({ rule, text }) => [rule, text]))
  }

  it('finds nothing to fix in a good plugin, and writes what it adds', async () => {
    project = await PluginProject.create()
    const first = await run('')
    expect(first.code, first.out + first.err).to.equal(0)
    expect(first.out)
      .to.contain('ok    runs: installed, enabled, reloaded and stopped\n')
      .and.contain('note  contributes: package.json does not say what it adds')
      .and.contain('Nothing to fix. Publish it with: npm publish')
    expect((await run(' --write')).out).to.contain('Wrote "mynah" to package.json')
    const { mynah, ...rest } = JSON.parse(await project.read('package.json')) as Record<string, unknown>
    expect(rest).to.deep.equal(PLUGIN_MANIFEST)
    expect(mynah).to.deep.equal({ displayName: 'Dice', contributes: { commands: ['roll'], sections: ['dice'] } })
    expect((await run('')).out).to.contain('ok    contributes: package.json says what it adds')
  })

  it('names all that a manifest lacks', async () => {
    const manifest = {
      name: 'dice',
      license: undefined,
      repository: undefined,
      keywords: ['game', 'tool'],
      dependencies: { '@mynah/kernel': '^0.1.0' },
      peerDependencies: { mynah: '^7.0.0' },
      scripts: { postinstall: 'node -e 0' },
    }
    const named = await faults({ manifest })
    expect(Object.keys(named)).to.have.members([
      'name',
      'keyword',
      'category',
      'licence',
      'repository',
      'install script',
      'peer',
      'one copy',
    ])
    const none = await faults({
      manifest: { peerDependencies: {} },
      files: { 'index.js': 'export default { name: "dice" }' },
    })
    expect(none).to.include({ peer: 'mynah is not in peerDependencies' })
  })

  it('names files and secrets that must not be published', async () => {
    const found = await faults({
      manifest: {
        files: ['index.js', '.env', 'data', 'own.js', 'bundle.js', 'binding.gyp', 'id_rsa'],
        exports: './dist/index.ts',
      },
      files: {
        '.env': 'DICE_TOKEN=plums-are-blue-7\n',
        'data/a.json': '{}',
        'own.js': "export const a = 1\nexport const key = 'plums-are-blue-7'\n",
        'bundle.js': "throw 'no plugin definition (an object with a name and a setup)'\n",
        'binding.gyp': '{}',
        id_rsa: `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n`,
        'README.md': 'Nothing.',
      },
    })
    expect(found['private files']).to.equal('.env, data/a.json, id_rsa must not be published')
    expect(found['secrets']).to.equal('.env:1 (private value), id_rsa:1 (credential), own.js:2 (private value)')
    expect(found['entry']).to.contain('dist/index.ts is promised by package.json, but not packed')
    expect(found['bundled']).to.equal('bundle.js has a copy of Mynah in it')
    expect(found['native code']).to.contain('binding.gyp')
  })

  it('sees that a package finds only what its manifest names', async () => {
    const undeclared = await faults({ files: { 'index.js': `import 'chai'\n${PLUGIN_SOURCE}` } })
    expect(undeclared['loads']).to.match(/Cannot find package 'chai'/)
    const ended = await faults({ files: { 'index.js': `console.log('no key'); process.exit(3)\n${PLUGIN_SOURCE}` } })
    expect(ended['loads']).to.contain('it ended the process; the last output was: no key')
  })

  it('sees timers that each load adds, and those that stay when it stops', async () => {
    const loaded = await faults({ files: { 'index.js': `setInterval(() => {}, 60_000).unref()\n${PLUGIN_SOURCE}` } })
    expect(loaded).to.deep.equal({ 'loaded twice': '2 timers are left, and each reload adds more' })
    const body = 'setup(ctx) {\n    setInterval(() => {}, 60_000).unref()'
    const ran = await faults({ files: { 'index.js': PLUGIN_SOURCE.replace('setup(ctx) {', body) } })
    expect(ran).to.deep.equal({ stops: '2 timers left after it stopped' })
  })

  it('says why a plugin does not run, and which options the README lacks', async () => {
    const thrown = PLUGIN_SOURCE.replace('setup(ctx) {', "setup(ctx) {\n    throw new Error('it has no key')")
    const found = await faults({ files: { 'index.js': thrown, 'README.md': 'Dice.\n' } })
    expect(found['runs']).to.equal('it is failed: it has no key')
    expect(found['options']).to.equal('the README does not name dice.sides')
    const waiting = PLUGIN_SOURCE.replace("name: 'dice',", "name: 'dice', needs: { x: service('nonesuch') },").replace(
      'Type }',
      'service, Type }',
    )
    expect((await faults({ files: { 'index.js': waiting } }))['runs']).to.contain('it waits for nonesuch')
  })

  it('takes the section of the plugin from the configuration of the project', async () => {
    const required = PLUGIN_SOURCE.replace('sides: Type.Integer({ default: 6 })', 'sides: Type.Integer()').replace(
      ', { default: {} }',
      '',
    )
    expect((await faults({ files: { 'index.js': required } }))['runs']).to.contain('sides')
    const config = 'plugins: [http-core, ./index.js]\ndice: { sides: 20 }\n'
    expect(await faults({ files: { 'index.js': required, 'mynah.config.yml': config } })).to.deep.equal({})
  })
})
