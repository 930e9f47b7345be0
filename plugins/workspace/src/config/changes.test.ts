import { expect } from 'chai'
import { publish } from '@mynah/plugin-events/api'
import { Bench, HEAD, removeAll, TOKEN } from '../test/support.js'

const PLUGINS = `${HEAD}  - ./wants.mjs\n  - ./fragile.mjs\n`
const HTTP = `http: { port: 0, token: ${TOKEN} }\n`

describe('config:updated', () => {
  let bench: Bench
  let told: { pluginName: string; config: unknown }[]
  const file = (text: string): Promise<void> => bench.write({ 'mynah.config.yml': `${PLUGINS}${HTTP}${text}` })
  const reload = () => bench.loaded.configuration.apply()

  beforeEach(async () => {
    bench = await Bench.start('wants: { token: sesame-open-wide, count: 1 }\nfragile: { note: a }\n', { head: PLUGINS })
    told = []
    bench.loaded.host.on(publish, ({ type, data }) => {
      if (type === 'config:updated') told.push(data as never)
    })
  })
  afterEach(() => removeAll())

  it('is published for each changed section after the host has accepted an edit of the file', async () => {
    await file('wants: { token: sesame-open-wider, count: 2 }\nfragile: { note: a } # the same\n')
    expect(told).to.deep.equal([])
    expect((await reload()).accepted).to.equal(true)
    expect(told.splice(0)).to.deep.equal([{ pluginName: 'wants', config: { token: '••••', count: 2 } }])
    await file('wants: { count: 3 }\nfragile: { note: b }\n')
    await reload()
    expect(told.splice(0)).to.deep.equal([
      { pluginName: 'wants', config: { count: 3 } },
      { pluginName: 'fragile', config: { note: 'b' } },
    ])
    // Options that were removed, and sections that no plugin claims.
    await bench.write({ 'mynah.config.yml': `${HEAD}  - ./fragile.mjs\n${HTTP}fragile: { note: b }\n` })
    await reload()
    expect(told.splice(0)).to.deep.equal([
      { pluginName: 'plugins', config: ['http-core', 'events', 'console-rpc', 'workspace', './fragile.mjs'] },
      { pluginName: 'wants', config: null },
    ])
    await reload()
    expect(told).to.deep.equal([])
  })

  it('is not published for a rejected edit', async () => {
    await file('wants: { count: -1 }\n')
    expect((await reload()).accepted).to.equal(false)
    await file('wants: [')
    await reload()
    expect(told).to.deep.equal([])
  })

  it('is published once for a change of the console, after it has taken effect', async () => {
    expect(
      (await bench.rpc('config:set', { pluginName: 'wants', data: { token: '••••', count: 7 } })).success,
    ).to.equal(true)
    expect(told.splice(0)).to.deep.equal([{ pluginName: 'wants', config: { token: '••••', count: 7 } }])
    await reload()
    expect(told).to.deep.equal([])
    expect((await bench.rpc('config:set', { pluginName: 'fragile', data: { broken: true } })).success).to.equal(false)
    await reload()
    expect(told).to.deep.equal([])
    expect(await bench.read()).to.contain('sesame-open-wide')
  })

  it('is published when the whole text is saved', async () => {
    const { yaml } = (await bench.rpc('config:get-yaml')).data as { yaml: string }
    expect((await bench.rpc('config:save-yaml', { yaml: yaml.replace('count: 1', 'count: 9') })).success).to.equal(true)
    expect(told.splice(0)).to.deep.equal([{ pluginName: 'wants', config: { token: '••••', count: 9 } }])
    await bench.rpc('config:save-yaml', { yaml: `${yaml.replace('count: 1', 'count: 9')}# and a word about it\n` })
    expect(told.splice(0)).to.deep.equal([])
  })
})
