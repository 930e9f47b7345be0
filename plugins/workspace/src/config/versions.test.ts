import { expect } from 'chai'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClock } from '@mynah/kernel/testing'
import type { ConfigVersion } from '@mynah/contract/types'
import { Bench, HEAD, removeAll, until } from '../test/support.js'
import { ConfigVersions } from './versions.js'

const HEAD_OF_ALL = `${HEAD}  - ./wants.mjs\n`
const versionsOf = async (bench: Bench): Promise<ConfigVersion[]> =>
  ((await bench.rpc('config:versions')).data as { versions: ConfigVersion[] }).versions

describe('ConfigVersions', () => {
  let folder: string
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) } as never
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'mynah-versions-')), 'inner')
    warnings.length = 0
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

  it('keeps the last twenty texts, each once in a row, in private files', async () => {
    const versions = new ConfigVersions(folder, new TestClock(1000), log)
    for (let i = 0; i < 25; i++) {
      await versions.keep(`count: ${i}`, { from: 'host' }, [])
      await versions.keep(`count: ${i}`, { from: 'disk' }, [])
    }
    const kept = await versions.list()
    expect(kept.map(({ text }) => text)).to.deep.equal(Array.from({ length: 20 }, (_, i) => `count: ${24 - i}`))
    expect(new Set(kept.map(({ at }) => at)).size).to.equal(20)
    expect(await readdir(folder)).to.have.length(20)
    expect((await stat(join(folder, `${kept[0]?.id}.json`))).mode & 0o077).to.equal(0)
  })

  it('passes over damaged files, and ids that are paths', async () => {
    const versions = new ConfigVersions(folder, new TestClock(1000), log)
    await versions.keep('a: 1', { from: 'host' }, [])
    await writeFile(join(folder, '5.json'), '{')
    await writeFile(join(folder, 'notes.txt'), 'mine')
    expect((await versions.list()).map(({ text }) => text)).to.deep.equal(['a: 1'])
    expect(await versions.get('../inner/1000')).to.equal(undefined)
  })

  it('warns where the disk refuses a version', async () => {
    await writeFile(folder, 'a file in its place')
    await new ConfigVersions(folder, new TestClock(1000), log).keep('a: 1', { from: 'host' }, [])
    expect(warnings.join()).to.match(/failed to keep a version/)
  })
})

describe('versions of a host', () => {
  afterEach(removeAll)

  it('name who made them and from where, and are restored with their secrets', async () => {
    const bench = await Bench.start('wants: { greeting: one, token: hidden }\n', { head: HEAD_OF_ALL })
    const first = await bench.read()
    await bench.rpc('config:set', { pluginName: 'wants', data: { greeting: 'two', token: 'other' } })
    await bench.write({ 'mynah.config.yml': (await bench.read()).replace('two', 'three') })
    await bench.rpc('config:apply')
    await until(async () => (await versionsOf(bench)).length === 3)
    const versions = await versionsOf(bench)
    expect(versions.map(({ from, by, current }) => [from, by, current])).to.deep.equal([
      ['disk', undefined, true],
      ['call', 'owner', false],
      ['start', undefined, false],
    ])
    expect(versions[1]?.address).to.match(/127\.0\.0\.1|::1/)
    const id = versions[2]?.id ?? ''
    const shown = (await bench.rpc('config:version', { id })).data as { yaml: string }
    expect(shown.yaml).to.contain('greeting: one').and.not.to.contain('hidden')
    expect((await bench.rpc('config:restore', { id })).data).to.include({ success: true })
    expect(await bench.read()).to.equal(first)
    expect(bench.wanted).to.include({ greeting: 'three' })
    await bench.rpc('config:apply')
    expect(bench.wanted).to.include({ greeting: 'one', token: 'hidden' })
    expect((await versionsOf(bench))[0]).to.include({ from: 'call', current: true })
  })

  it('mask what a plugin named as secret that is gone', async () => {
    const bench = await Bench.start('wants: { pin: "hidden-pin" }\n', { head: HEAD_OF_ALL })
    await bench.write({
      'mynah.config.yml': (await bench.read()).replace('  - ./wants.mjs\n', '').replace(/wants:.*\n/, ''),
    })
    expect((await bench.rpc('config:apply')).data).to.include({ accepted: true })
    const versions = await versionsOf(bench)
    const { data } = await bench.rpc('config:version', { id: versions.at(-1)?.id })
    expect((data as { yaml: string }).yaml).to.contain('pin: "••••"')
  })

  it('are refused when they are unknown, or not valid any more', async () => {
    const bench = await Bench.start('wants: { greeting: one }\n', { head: HEAD_OF_ALL })
    expect(await bench.rpc('config:restore', { id: '1' })).to.include({ code: 'not_found' })
    expect(await bench.rpc('config:version', { id: '../1' })).to.include({ code: 'invalid_request' })
    const [first] = await versionsOf(bench)
    await bench.write({ 'mynah.config.yml': (await bench.read()).replace('greeting: one', 'greeting: two') })
    await bench.write({ 'wants.mjs': 'export default 1' })
    await bench.stop()
    await bench.write({ 'mynah.config.yml': (await bench.read()).replace('  - ./wants.mjs\n', '') })
    await rm(join(bench.folder, 'wants.mjs'))
    await bench.boot()
    const before = await bench.read()
    expect(await bench.rpc('config:restore', { id: first?.id })).to.include({
      status: 400,
      code: 'invalid_request:config',
    })
    expect(await bench.read()).to.equal(before)
  })
})
