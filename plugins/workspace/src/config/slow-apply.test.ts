import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { publish } from '@mynah/plugin-events/api'
import { Bench, removeAll } from '../test/support.js'

const SLOW = `let release
globalThis.releaseSlow = (error) => release(error)
export default {
  name: 'slow',
  config: { key: 'slow', schema: { type: 'object', default: {}, additionalProperties: false, properties: { hang: { type: 'boolean', default: false } } } },
  async setup(ctx) { if (ctx.config.hang) { const error = await new Promise((resolve) => { release = resolve }); if (error) throw new Error(error) } },
}
`

describe('ConfigService with a slow plugin', () => {
  afterEach(() => removeAll())

  it('answers after five seconds, does not block other edits, and restores the section if the plugin fails', async function () {
    this.timeout(20_000)
    const bench = await Bench.start('slow: { hang: false }\nwants: { count: 1 }\n', {
      files: { 'slow.mjs': SLOW },
      head: `plugins:\n  - http-core\n  - events\n  - console-rpc\n  - workspace\n  - ./slow.mjs\n  - ./wants.mjs\n`,
    })
    const told: { pluginName: string; config: unknown }[] = []
    bench.loaded.host.on(publish, ({ type, data }) => {
      if (type === 'config:updated') told.push(data as never)
    })
    const slow = bench.rpc('config:set', { pluginName: 'slow', data: { hang: true } })
    const other = await bench.rpc('config:set', { pluginName: 'wants', data: { count: 2 } })
    expect(other.success, other.error).to.equal(true)
    const answer = (await slow).data as { reloaded: boolean; message: string }
    expect(answer).to.deep.include({ reloaded: false, message: 'slow is saved; slow is still starting' })
    expect((await bench.rpc('config:set', { pluginName: 'wants', data: { count: 3 } })).success).to.equal(true)
    told.length = 0
    ;(globalThis as unknown as { releaseSlow: (error: string) => void }).releaseSlow('not like this')
    await until(() => told.length > 0)
    expect(told).to.deep.equal([{ pluginName: 'slow', config: { hang: false } }])
    const text = await bench.read('mynah.config.yml')
    expect(text).to.include('slow: { hang: false }').and.include('count: 3')
  })
})
