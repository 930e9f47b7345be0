// Code of plugins that is saved while `mynah dev` runs the host.
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { counterSource, ReloadHost } from '../test/reload-host.js'

const RELOADS = 20

describe('code of a running host', () => {
  let host: ReloadHost
  afterEach(() => host.stop())

  it('is replaced twenty times, and nothing else notices', async () => {
    host = await ReloadHost.start()
    expect(await host.say('/count')).to.equal('version 0, 19 parts, count 1')
    await host.send('/begin', 'bob')
    for (let version = 1; version <= RELOADS; version++) await host.saveVersion(version)
    await host.running.shows(/changed: reloaded counter in \d+ ms/, RELOADS)
    expect(await host.say('/count')).to.equal(`version ${RELOADS}, 19 parts, count 2`)
    expect(await host.say('/setups')).to.equal('1')
    await host.send('/finish', 'carol')
    await host.hears('the turn has ended')
    expect(host.isStreamOver).to.equal(false)
    expect(host.running.out).not.to.contain('restarting')
  })

  it('runs on after a syntax mistake, whose place is said', async () => {
    host = await ReloadHost.start()
    await host.save('counter/index.js', 'export default {\n  name: "counter", setup(=) },\n}\n')
    await host.running.shows(/counter keeps its code before: .*counter\/index\.js:2:26: Unexpected token '='/)
    expect(await host.say('/count')).to.equal('version 0, 19 parts, count 1')
    expect(await host.rpc('plugins:reload', { name: 'counter' })).to.have.deep.property('data', {
      accepted: false,
      state: 'refused',
      message:
        'counter/index.js cannot be loaded: counter/index.js:2:26: ' +
        `Unexpected token '=' in: name: "counter", setup(=) },`,
      location: { file: 'counter/index.js', line: 2, column: 26 },
    })
    await host.saveVersion(1)
    expect(await host.say('/count')).to.equal('version 1, 19 parts, count 2')
    expect(host.isStreamOver).to.equal(false)
  })

  it('comes back where setup of the new code fails, with its state', async () => {
    host = await ReloadHost.start()
    expect(await host.say('/count')).to.equal('version 0, 19 parts, count 1')
    await host.save('counter/index.js', counterSource(1, "throw new Error('no luck')"))
    await host.running.shows(
      /counter did not start; its code before runs again: no luck \(counter\/index\.js:\d+:\d+\)/,
    )
    expect(await host.say('/count')).to.equal('version 0, 19 parts, count 2')
    await host.saveVersion(2)
    expect(await host.say('/count')).to.equal('version 2, 19 parts, count 3')
  })

  it('is that of a plugin on which others depend', async () => {
    const api = "import { service } from '@mynah/kernel'\nexport const Words = service('words')\n"
    const words = (word: string): string =>
      `import { Words } from './api.js'
export default { name: 'words', provides: [Words], setup(ctx) { ctx.provide(Words, { word: () => '${word}' }) } }
`
    host = await ReloadHost.start(
      {
        'words/api.js': api,
        'words/index.js': words('one'),
        'asks/index.js': `import { commands, defineCommand } from '@mynah/plugin-chat/api'
import { Words } from '../words/api.js'
export default {
  name: 'asks',
  needs: { words: Words },
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'word', description: 'word', run: () => ctx.words.word() }))
  },
}
`,
      },
      { plugins: ['./words', './asks'] },
    )
    expect(await host.say('/word')).to.equal('one')
    await host.save('words/index.js', words('two'))
    await host.running.shows(/reloaded words in/)
    expect(await host.say('/word')).to.equal('two')
    // Both import this file, so both have a new one.
    await host.save('words/api.js', `${api}// changed\n`)
    await host.running.shows(/api\.js changed: reloaded words, asks in/)
    expect(await host.say('/word')).to.equal('two')
    expect(host.isStreamOver).to.equal(false)
  })

  it('may be TypeScript, and adopts objects of its classes', async () => {
    const source = (word: string): string => `import { commands, defineCommand } from '@mynah/plugin-chat/api'
import { Table } from './table.js'
export default {
  name: 'typed',
  setup(ctx: any) {
    const table: Table = ctx.keep('table', () => new Table(0), { adopt: (before: Table) => new Table(before.count) })
    ctx.keep('other', () => new Table(0))
    ctx.contribute(commands, defineCommand({ name: 'typed', description: 'x', run: () => '${word} ' + table.next() }))
  },
}
`
    const table = (step: number): string =>
      `export class Table { count: number; constructor(count: number) { this.count = count }
  next(): number { return (this.count += ${step}) } }
`
    host = await ReloadHost.start(
      { 'typed/index.ts': source('a'), 'typed/table.ts': table(1) },
      { plugins: ['./typed'] },
    )
    expect(await host.say('/typed')).to.equal('a 1')
    await host.save('typed/table.ts', table(10))
    await host.running.shows(/keep .{1,2}other.{1,2} begins with a new value/)
    await host.running.shows(/table\.ts changed: reloaded typed in/)
    expect(await host.say('/typed')).to.equal('a 11')
  })

  it('is CommonJS in parts', async () => {
    const value = (word: string): string => `module.exports = { word: '${word}' }\n`
    host = await ReloadHost.start(
      {
        'old/value.cjs': value('one'),
        'old/index.js': `import value from './value.cjs'
export default { name: 'old', setup(ctx) { ctx.log.info('the word is ' + value.word) } }
`,
      },
      { plugins: ['./old'] },
    )
    await host.running.shows(/the word is one/)
    await host.save('old/value.cjs', value('two'))
    await host.running.shows(/the word is two/)
    expect(host.running.out).not.to.contain('restarting')
  })

  it('is reloaded by request, or the answer says why not', async () => {
    host = await ReloadHost.start({}, { command: 'start' })
    await host.save('counter/index.js', counterSource(1))
    expect(await host.rpc('plugins:reload', { name: 'counter' })).to.deep.include({
      success: true,
      data: { accepted: true, state: 'reloaded' },
    })
    expect(await host.say('/count')).to.equal('version 1, 19 parts, count 1')
    const { data } = await host.rpc('plugins:reload', { name: 'chat' })
    expect(data).to.deep.equal({
      accepted: false,
      state: 'restart',
      message: '@mynah/plugin-chat is a part of the host',
    })
    await host.save('counter/index.js', counterSource(2).replace("name: 'counter'", "name: 'renamed'"))
    expect((await host.rpc('plugins:reload', { name: 'counter' })).data).to.deep.equal({
      accepted: false,
      state: 'restart',
      message: 'the plugin counter is now called renamed',
    })
    expect((await host.rpc('plugins:reload', { name: 'nobody' })).success).to.equal(false)
    expect(await host.say('/count')).to.equal('version 1, 19 parts, count 2')
  })

  it('keeps what is durable over a restart', async () => {
    host = await ReloadHost.start(
      {
        'lasting/index.js': `export default {
  name: 'lasting',
  setup(ctx) {
    const runs = ctx.keep('runs', () => new Set(), { durable: true })
    runs.add(runs.size)
    ctx.log.info('run ' + runs.size)
  },
}
`,
      },
      { plugins: ['./lasting'] },
    )
    await host.running.shows(/run 1"/)
    await host.save('package.json', '{ "type": "module", "private": true }')
    await host.running.shows(/package\.json changed: restarting/)
    await host.running.shows(/run 2"/)
    await until(() => host.isStreamOver, 'the end of the stream, which the restart ends')
  })
})
