import { expect } from 'chai'
import { Bench, HEAD, removeAll } from '../test/support.js'

const START = `${HEAD}  # Asks for little.
  - ./wants.mjs   # stays
  - { name: chat, enabled: false }

wants: { count: 3 }
`

describe('config:enable', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await Bench.start('', { head: START })
  })
  afterEach(removeAll)

  it('starts an installed plugin and adds it to the file, which keeps its comments', async () => {
    const before = await bench.read()
    const { data, status } = await bench.rpc('config:enable', { plugins: ['adapter-irc', 'chat'] })
    expect(status).to.equal(200)
    expect(data).to.include({ success: true, reloaded: true })
    // Spaces before comments are not kept.
    expect((await bench.read()).replaceAll(/ +#/g, ' #')).to.equal(
      before.replaceAll(/ +#/g, ' #').replace('  - { name: chat, enabled: false }\n', '  - chat\n  - adapter-irc\n'),
    )
    expect(bench.loaded.host.inspect().find(({ name }) => name === 'adapter-irc')?.state).to.equal('active')
    const again = await bench.read()
    expect((await bench.rpc('config:enable', { plugins: ['chat'] })).status).to.equal(200)
    expect(await bench.read()).to.equal(again)
  })

  it('names the command that installs a missing package, and changes nothing', async () => {
    const before = await bench.read()
    const { status, code, error } = await bench.rpc('config:enable', { plugins: ['nonesuch-at-all'] })
    expect({ status, code, error }).to.deep.equal({
      status: 400,
      code: 'invalid_request:config',
      error:
        'no plugin "nonesuch-at-all" is installed; if npm has it, install it with: npm install mynah-plugin-nonesuch-at-all',
    })
    expect(await bench.read()).to.equal(before)
  })

  it('accepts no paths', async () => {
    for (const name of ['./fragile.mjs', '../x', '/etc/passwd', 'a/b', 'file:///x'])
      expect((await bench.rpc('config:enable', { plugins: [name] })).code, name).to.equal('invalid_request')
    expect(await bench.read()).not.to.contain('fragile')
  })
})

describe('config:describe', () => {
  afterEach(removeAll)
  const DICE = `export default {
  name: 'dice',
  config: { key: 'dice', schema: { type: 'object', required: ['token'], properties: { token: { type: 'string', minLength: 3 } } } },
  setup() {},
}
`
  const start = (): Promise<Bench> =>
    Bench.start('', {
      files: {
        'node_modules/mynah-plugin-dice/package.json':
          '{ "name": "mynah-plugin-dice", "type": "module", "main": "i.js" }',
        'node_modules/mynah-plugin-dice/i.js': DICE,
      },
    })

  it('has the options of an installed plugin, so that config:enable can set those that it requires', async () => {
    const bench = await start()
    const { sections } = (await bench.rpc('config:describe', { plugin: 'dice' })).data as { sections: unknown[] }
    expect(sections).to.have.length(1)
    expect(sections[0]).to.have.property('path', 'dice')
    const before = await bench.read()
    expect((await bench.rpc('config:enable', { plugins: ['dice'] })).code).to.equal('invalid_request:config')
    const refused = await bench.rpc('config:enable', { plugins: ['dice'], sections: { dice: { token: 'x' } } })
    expect(refused).to.include({ code: 'invalid_request:config' })
    expect(await bench.read()).to.equal(before)
    const { data } = await bench.rpc('config:enable', { plugins: ['dice'], sections: { dice: { token: 'secret' } } })
    expect(data).to.include({ success: true, reloaded: true })
    expect(await bench.read())
      .to.contain('- dice')
      .and.to.contain('token: secret')
  })

  it('describes no path, and sets no section of another plugin', async () => {
    const bench = await start()
    for (const plugin of ['./wants.mjs', '../x', 'nonesuch'])
      expect((await bench.rpc('config:describe', { plugin })).code, plugin).to.equal('not_found')
    const sections = { http: { port: 1 } }
    expect((await bench.rpc('config:enable', { plugins: ['dice'], sections })).code).to.equal('invalid_request')
  })
})

describe('config:disable and config:remove', () => {
  let bench: Bench
  const stateOf = (plugin: string): string | undefined =>
    bench.loaded.host.inspect().find(({ name }) => name === plugin)?.state
  beforeEach(async () => {
    bench = await Bench.start('', { head: START })
  })
  afterEach(removeAll)

  it('stop a plugin by its name, whatever names it in the list, and keep its section and the comments', async () => {
    const { data } = await bench.rpc('config:disable', { plugins: ['wants'] })
    expect(data).to.include({ success: true, reloaded: true })
    expect(await bench.read()).to.match(
      /# Asks for little\.\n  - \{ name: \.\/wants\.mjs, enabled: false \} +# stays\n/,
    )
    expect(stateOf('wants')).to.equal('disabled')
    expect((await bench.rpc('config:enable', { plugins: ['wants'] })).data).to.include({ reloaded: true })
    expect(await bench.read()).to.contain('- ./wants.mjs')
    expect(stateOf('wants')).to.equal('active')
    expect((await bench.rpc('config:remove', { plugins: ['wants', 'chat'] })).data).to.include({ reloaded: true })
    const text = await bench.read()
    expect(text).to.not.match(/wants\.mjs|chat/)
    expect(text).to.contain('wants: { count: 3 }')
    expect(stateOf('wants')).to.equal(undefined)
  })

  it('refuse a plugin that is not listed, and those without which the console could not undo it', async () => {
    const before = await bench.read()
    for (const type of ['config:disable', 'config:remove']) {
      expect(await bench.rpc(type, { plugins: ['cron'] })).to.include({
        code: 'not_found',
        error: '"cron" is not in the list of plugins',
      })
      for (const plugin of ['http-core', 'console-rpc', 'workspace'])
        expect((await bench.rpc(type, { plugins: [plugin] })).error, plugin).to.contain('could not enable it again')
    }
    expect(await bench.read()).to.equal(before)
  })
})

describe('config:installed', () => {
  afterEach(removeAll)

  it('has the installed plugins that the list does not name, with what their packages say', async () => {
    const manifest = { name: 'mynah-plugin-dice', version: '1.2.3', description: 'Rolls dice' }
    const bench = await Bench.start('', {
      head: START,
      files: { 'node_modules/mynah-plugin-dice/package.json': JSON.stringify(manifest) },
    })
    const { plugins } = (await bench.rpc('config:installed')).data as { plugins: { name: string; package: string }[] }
    expect(plugins.find(({ name }) => name === 'dice')).to.deep.equal({
      name: 'dice',
      package: 'mynah-plugin-dice',
      version: '1.2.3',
      description: 'Rolls dice',
    })
    expect(plugins.map(({ name }) => name))
      .to.include('cron')
      .and.to.not.include.members(['chat', 'workspace'])
  })
})
