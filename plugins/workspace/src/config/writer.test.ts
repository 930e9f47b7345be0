// Changes by other plugins of the host.
import { expect } from 'chai'
import { ConfigurationWriter } from '@mynah/kernel'
import { Bench, HEAD, removeAll } from '../test/support.js'

const start = (text: string) => Bench.start(text, { head: `${HEAD}  - ./wants.mjs\n` })
const adding = (item: string) => (section: unknown) => {
  const { list = [] } = (section ?? {}) as { list?: string[] }
  return { ...(section as object), list: [...list, item] }
}

describe('ConfigurationWriter', () => {
  afterEach(removeAll)

  it('gives each change the section of the one before, keeps comments, and makes the host run it', async () => {
    const bench = await start('wants:\n  list: [a] # the list\n  count: 2\n')
    const writer = bench.loaded.host.get(ConfigurationWriter)
    const done = await Promise.all(['b', 'c', 'd'].map((item) => writer?.change('wants', adding(item))))
    expect(done).to.deep.equal([{ applied: true }, { applied: true }, { applied: true }])
    expect(await bench.read()).to.match(/list: \[ ?a, b, c, d ?\] # the list\n {2}count: 2\n/)
    expect(bench.wanted).to.deep.include({ list: ['a', 'b', 'c', 'd'], count: 2 })
  })

  it('keeps what an editor has written to the file meanwhile, without making the host run it', async () => {
    const bench = await start('wants:\n  list: [a]\nhttp2: 1\n')
    await bench.write({ 'mynah.config.yml': (await bench.read()).replace('http2: 1', 'http2: 2') })
    await bench.loaded.host.get(ConfigurationWriter)?.change('wants', adding('b'))
    expect(await bench.read())
      .to.contain('http2: 2')
      .and.to.match(/list: \[ ?a, b ?\]/)
    expect(bench.wanted).to.deep.include({ list: ['a', 'b'] })
  })

  it('makes a section that is not there', async () => {
    const bench = await start('')
    await bench.loaded.host.get(ConfigurationWriter)?.change('wants', adding('b'))
    expect(bench.wanted).to.deep.include({ list: ['b'] })
  })

  it('leaves the file as it was after a change that is refused or fails', async () => {
    const bench = await start('wants:\n  count: 2\n')
    const before = await bench.read()
    const writer = bench.loaded.host.get(ConfigurationWriter)
    const code = (change: (section: unknown) => unknown) =>
      writer?.change('wants', change).then(
        () => 'done',
        (error: Error & { code?: string }) => error.code ?? error.message,
      )
    expect(await code(() => ({ count: -1 }))).to.equal('invalid_request:config')
    expect(
      await code(() => {
        throw new Error('no change')
      }),
    ).to.equal('no change')
    expect(await bench.read()).to.equal(before)
    expect(bench.wanted).to.deep.include({ count: 2 })
  })
})
