import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { Bench, HEAD, removeAll, TOKEN } from '../test/support.js'
import { fileWatch } from './file-watch.js'

interface Shown {
  readonly yaml: string
  readonly etag: string
  readonly problem?: { readonly message: string; readonly line?: number }
}

const start = (): Promise<Bench> => Bench.start('wants: { greeting: one }\n', { head: `${HEAD}  - ./wants.mjs\n` })
const shown = async (bench: Bench): Promise<Shown> => (await bench.rpc('config:get-yaml')).data
const BROKEN = (text: string): string => text.replace('http: {', 'http:\n  port 0\n  token: secret-on-disk\nmore: {')

describe('a configuration file that breaks on disk', () => {
  afterEach(removeAll)

  it('is shown as it is, with its mistake, and is corrected in place without losing a secret', async () => {
    const bench = await start()
    const whole = await bench.read()
    await bench.write({ 'mynah.config.yml': BROKEN(whole) })
    const { yaml, etag, problem } = await shown(bench)
    expect(yaml).to.contain('port 0').and.not.to.contain('secret-on-disk').and.not.to.contain(TOKEN)
    expect(problem).to.deep.equal({ message: 'a colon is missing: write "port: …"', line: 9, readable: false })
    expect(bench.log.map(({ message }) => message).join('\n')).not.to.match(/secret-on-disk/)
    expect((await bench.rest('/config')).data).to.have.nested.property('wants.greeting', 'one')
    expect(await bench.rpc('config:set', { pluginName: 'wants', data: {} })).to.include({ code: 'conflict' })

    const still = await bench.rpc('config:save-yaml', { yaml: yaml.replace('wants:', 'wants'), etag })
    expect(still).to.include({ status: 400 })
    expect(await bench.read()).to.equal(BROKEN(whole))
    const corrected = yaml.replace('port 0', 'port: 0').replace(/^more: .*\n/m, '')
    expect(await bench.rpc('config:save-yaml', { yaml: corrected, etag })).to.include({ status: 200 })
    expect(await bench.read()).to.contain('port: 0\n  token: secret-on-disk\n')
    expect(await bench.read('mynah.config.yml.bak')).to.equal(BROKEN(whole))
    expect(await shown(bench)).not.to.have.property('problem')
  })

  it('is reported for a section that its plugin would refuse, too', async () => {
    const bench = await start()
    await bench.write({ 'mynah.config.yml': (await bench.read()).replace('{ greeting: one }', '\n  greeting one') })
    const { problem } = await shown(bench)
    expect(problem).to.deep.equal({ message: 'wants must be object, not string', line: 9, readable: true })
  })

  it('is not overwritten by a text that was read before', async () => {
    const bench = await start()
    const { yaml, etag } = await shown(bench)
    const broken = BROKEN(await bench.read())
    await bench.write({ 'mynah.config.yml': broken })
    const answer = await bench.rpc('config:save-yaml', { yaml: yaml.replace('one', 'two'), etag })
    expect(answer).to.include({ success: false, code: 'conflict' })
    expect(await bench.read()).to.equal(broken)
  })

  it('is written again where it is missing', async () => {
    const bench = await start()
    const before = await bench.read()
    const { etag } = await shown(bench)
    await rm(bench.file)
    const found = await shown(bench)
    expect(found).to.include({ etag })
    expect(found.problem).to.deep.equal({ message: 'the file is missing', readable: false })
    expect(await bench.rpc('config:save-yaml', { yaml: found.yaml.replace('one', 'two'), etag })).to.include({
      status: 200,
    })
    expect(await bench.read()).to.equal(before.replace('one', 'two').replace(TOKEN, `"${TOKEN}"`))
  })

  it('degrades the plugin until it is corrected, and is logged once', async () => {
    const bench = await start()
    const reasons = new Set<string>()
    const logged: string[] = []
    let turns = 0
    const degrade = (reason: string) => {
      reasons.add(reason)
      return () => void reasons.delete(reason)
    }
    let problem: { message: string; line: number; readable: boolean } | undefined
    const look = fileWatch(
      { degrade, log: { warn: (text: string) => void logged.push(text) } as never },
      {
        configuration: { file: bench.file },
        file: { name: 'mynah.config.yml' },
        text: { problem: () => Promise.resolve(problem) },
        onTurn: () => void turns++,
      },
    )
    await look()
    expect(reasons).to.deep.equal(new Set())
    problem = { message: 'a colon is missing', line: 3, readable: false }
    await bench.write({ 'mynah.config.yml': 'port 1' })
    await look()
    await look()
    const reason = 'mynah.config.yml, line 3: a colon is missing. The host runs the configuration from before'
    expect([...reasons]).to.deep.equal([reason])
    expect(logged).to.deep.equal([reason])
    problem = undefined
    await bench.write({ 'mynah.config.yml': 'port: 1' })
    await look()
    expect(reasons).to.deep.equal(new Set())
    expect(turns).to.equal(2)
  })
})
