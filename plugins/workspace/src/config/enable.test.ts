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
