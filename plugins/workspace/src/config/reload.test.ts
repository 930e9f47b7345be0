import { expect } from 'chai'
import type { ConfigApplied } from '@mynah/contract/types'
import { Bench, HEAD, removeAll } from '../test/support.js'

const LIST = `${HEAD}  - ./wants.mjs\n  - ./fragile.mjs\n`

describe('config:apply', () => {
  let bench: Bench
  const apply = async (): Promise<ConfigApplied> => (await bench.rpc('config:apply')).data
  /** Saves the file with something in the place of something else, as an editor does. */
  const edit = async (from: string, to: string): Promise<void> =>
    bench.write({ 'mynah.config.yml': (await bench.read()).replace(from, to) })
  beforeEach(async () => {
    bench = await Bench.start('wants: { count: 3 }\nfragile: { note: a }\n', { head: LIST })
  })
  afterEach(removeAll)

  it('runs what is on disk, and says which plugins restarted, started and stopped', async () => {
    await edit('count: 3', 'count: 4')
    await edit('note: a', 'note: b')
    await edit('  - workspace\n', '  - workspace\n  - logs\n')
    const first = await apply()
    expect(first).to.deep.include({ accepted: true, complete: true, started: ['logs'], failed: [] })
    expect(first.restarted).to.have.members(['wants', 'fragile'])
    expect(bench.wanted).to.include({ count: 4 })
    await edit('  - logs\n', '')
    expect(await apply()).to.deep.include({ accepted: true, stopped: ['logs'], updated: [], restarted: [] })
  })

  it('runs a saved text and a saved environment file', async () => {
    const yaml = (await bench.read()).replace('count: 3', 'count: "${COUNT:-5}"')
    expect((await bench.rpc('config:save-yaml', { yaml })).status).to.equal(200)
    expect(bench.wanted).to.include({ count: 3 })
    expect((await apply()).restarted).to.deep.equal(['wants'])
    expect(bench.wanted).to.include({ count: 5 })
    await bench.rpc('env:save', { filename: '.env', content: 'COUNT=6\n' })
    expect((await apply()).restarted).to.deep.equal(['wants'])
    expect(bench.wanted).to.include({ count: 6 })
  })

  it('changes nothing where the file is invalid, and says where', async () => {
    await edit('count: 3', 'count: [3')
    const broken = await apply()
    expect(broken).to.deep.include({ accepted: false, complete: true })
    expect(broken.problems[0]).to.include({ severity: 'fatal' }).and.to.have.property('line')
    await edit('count: [3', 'count: -1')
    expect((await apply()).problems[0]?.message).to.contain('count')
    expect(bench.wanted).to.include({ count: 3 })
  })

  it('names a plugin that did not start with it, which runs as before', async () => {
    await edit('note: a', 'broken: true')
    for (let i = 0; i < 2; i++) {
      const { accepted, problems } = await apply()
      expect(accepted).to.equal(true)
      expect(problems).to.deep.equal([
        {
          severity: 'plugin',
          path: 'fragile',
          message: 'fragile did not start with this configuration, so the previous one is back: cannot start like this',
        },
      ])
    }
  })
})
