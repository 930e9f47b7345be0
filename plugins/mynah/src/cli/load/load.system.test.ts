import { expect } from 'chai'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Bench, freePort, type Running } from '../../test/cli.js'
import type { LoadResult } from './load-run.js'
import { quantilesOf } from './samples.js'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

/** A command, and a line of the log for each message. */
const COUNTING = `import { commands, defineCommand, middlewares } from 'mynah'
export default { name: 'counting', setup(ctx) {
  ctx.contribute(commands, defineCommand({ name: 'hello', description: 'Greets', run: () => 'Hello' }))
  ctx.contribute(middlewares, { name: 'counting', handle: async (_message, next) => { ctx.log.info('heard'); await next() } })
} }
`
const config = (port: number, endpoints: string): string =>
  `plugins: [http-core, console-rpc, events, chat, adapter-sandbox, ./counting.mjs]
http: { port: ${port} }
${endpoints}`

describe('mynah load', function () {
  this.timeout(180_000)
  let bench: Bench
  let host: Running

  async function start(endpoints = 'endpoints: [{ adapter: sandbox, id: room }]\n'): Promise<void> {
    bench = await Bench.of({
      'mynah.config.yml': config(await freePort(), endpoints),
      'counting.mjs': COUNTING,
      'package.json': '{ "name": "loaded", "type": "module" }',
    })
    await symlink(MODULES, join(bench.folder, 'node_modules'))
    host = bench.start('start')
    await host.shows(/plugins are up/)
  }
  afterEach(() => bench.remove())

  it('counts messages, answers and latencies, and ends by itself', async () => {
    await start()
    const { code, out, err } = await bench.run('load --messages 40/s --seconds 1 --text /hello --json')
    expect(code, out + err).to.equal(0)
    const result = JSON.parse(out) as LoadResult
    expect(result).to.include({ asked: 40, lost: 0, interrupted: false })
    expect(result.errors).to.deep.equal({})
    expect(result.sent).to.be.within(1, 40)
    expect([result.accepted, result.answered]).to.deep.equal([result.sent, result.sent])
    for (const found of [result.acceptedMs, result.answeredMs]) {
      expect(found?.p50).to.be.greaterThan(0)
      expect(found?.p95).to.be.within(found?.p50 as number, found?.p99 as number)
      expect(found?.p99).to.be.within(found?.p95 as number, found?.max as number)
    }
    expect(host.out.split('"heard"').length - 1).to.equal(result.sent)
  })

  it('prints what it has when it is interrupted', async () => {
    await start()
    const running = bench.start('load --messages 20 --seconds 600 --text nothing')
    await host.shows(/"heard"/, 3)
    expect(await running.signal('SIGINT')).to.equal(130)
    expect(running.out).to.match(/^rate +20\/s asked +[\d.]+\/s reached/m)
    expect(running.out).to.match(/^ {2}answered +none$/m)
    expect(running.out).to.match(/^lost +\d+ without an answer at the interruption$/m)
    expect(running.out).to.match(/^ +interrupted$/m)
  })

  it('counts errors by their code when the host ends meanwhile', async () => {
    await start()
    const running = bench.start('load --messages 20 --seconds 8 --text /hello --json')
    await host.shows(/"heard"/, 3)
    expect(await host.signal('SIGTERM')).to.equal(0)
    expect(await running.ended, running.err).to.equal(1)
    const result = JSON.parse(running.out) as LoadResult
    expect(Object.keys(result.errors)).to.include('unreachable')
    const failed = Object.values(result.errors).reduce((sum, count) => sum + count, 0)
    expect(result.accepted + failed).to.equal(result.sent)
    expect(result.answered + result.lost).to.equal(result.accepted)
  })

  it('refuses other machines, wrong options, and hosts without a sandbox', async () => {
    await start('')
    for (const [args, exit, text] of [
      ['--messages 1/s --url http://bot.example', 4, 'bot.example is not this machine'],
      ['--messages 1/s --url http://127.0.0.1.example', 4, 'is not this machine'],
      ['--messages 1/s', 1, 'the host has no sandbox'],
      ['', 64, '--messages is missing'],
      ['--messages fast', 64, 'must be a rate such as 100/s'],
      ['--messages 0', 64, 'must be a number'],
      ['--messages 1 --seconds 9999', 64, 'up to 3600'],
      ['--messages 1 --url ftp://127.0.0.1', 64, '--url must be the address'],
    ] as const) {
      const { code, out, err } = await bench.run(`load ${args}`)
      expect(code, args + err).to.equal(exit)
      expect(err, args).to.contain(text)
      expect(out, args).to.equal('')
    }
    await host.signal('SIGTERM')
    const { code, err } = await bench.run('load --messages 1')
    expect(code).to.equal(1)
    expect(err).to.contain('Start the host')
  })
})

describe('quantiles', () => {
  it('are those of the nearest rank', () => {
    expect(quantilesOf([])).to.equal(undefined)
    expect(quantilesOf([7])).to.deep.equal({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 })
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(quantilesOf(hundred)).to.deep.equal({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 })
  })
})
