// Starting, stopping, starting again.
import { expect } from 'chai'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Bench, freePort, plugin } from '../test/cli.js'

const SUPERVISOR = "needs: { supervisor: { kind: 'service', id: 'supervisor', key: 'supervisor@1' } },"

/** Returns the process ids that the plugin `pid` has logged. */
const pids = (out: string): string[] => Array.from(out.matchAll(/pid is (\d+)/g), ([, pid]) => pid as string)

const isAlive = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch {
    return false
  }
}

describe('Supervisor', () => {
  let bench: Bench | undefined
  afterEach(async () => {
    await bench?.remove()
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`stops the host cleanly on ${signal} and disposes its plugins`, async () => {
      bench = await Bench.of({
        'mynah.config.yml': 'plugins: [./p.js]',
        'p.js': plugin(
          'p',
          "ctx.log.info('pid is ' + process.pid); ctx.onDispose('thing', async () => { ctx.log.info('undone') })",
        ),
      })
      const running = bench.start('start')
      const [, pid] = await running.shows(/pid is (\d+)/)
      await running.shows(/plugins are up/)
      expect(await running.signal(signal)).to.equal(0)
      expect(running.out).to.contain('undone')
      expect(running.err).to.not.match(/^(?:error|mynah):/m)
      expect(isAlive(pid as string)).to.equal(false)
    })
  }

  it('stops at once on the second Ctrl-C', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin(
        'p',
        "ctx.log.info('pid is ' + process.pid); ctx.onDispose('thing', () => { ctx.log.info('stopping'); return new Promise(() => {}) })",
      ),
    })
    const running = bench.start('start')
    const [, pid] = await running.shows(/pid is (\d+)/)
    await running.shows(/plugins are up/)
    running.child.kill('SIGINT')
    await running.shows(/stopping/)
    expect(await running.signal('SIGINT')).to.equal(130)
    expect(isAlive(pid as string)).to.equal(false)
  })

  it('stops the host even if a plugin never finishes disposing', async function () {
    this.timeout(30_000)
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.onDispose('the tap', () => new Promise(() => {}))"),
    })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    expect(await running.signal('SIGTERM')).to.equal(0)
    expect(running.out).to.contain('the tap').and.to.contain('was not undone')
  })

  it('restarts the host as a new process when a plugin requests it', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': `import { existsSync, writeFileSync } from 'node:fs'\n${plugin('p', "ctx.log.info('pid is ' + process.pid); ctx.onDispose('x', () => ctx.log.info('undone')); if (!existsSync('once')) { writeFileSync('once', ''); setTimeout(() => ctx.supervisor.restart(), 50) }", SUPERVISOR)}`,
    })
    const running = bench.start('start')
    // The first one may restart before it has reported that its plugins are up.
    await running.shows(/pid is [^]*pid is [^]*plugins are up/)
    const [first, second] = pids(running.out)
    expect(second).to.be.a('string').and.not.to.equal(first)
    expect(running.out.indexOf('undone')).to.be.lessThan(running.out.indexOf(`pid is ${second as string}`))
    expect(running.out).not.to.contain('"name":"supervisor"')
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('restarts the host after a crash', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.log.info('pid is ' + process.pid)"),
    })
    const running = bench.start('start')
    const [, first] = await running.shows(/pid is (\d+)/)
    await running.shows(/plugins are up/)
    process.kill(Number(first), 'SIGKILL')
    await running.shows(/ended by SIGKILL; restarting it/)
    await running.shows(/plugins are up/, 2)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('gives up after five crashes within a minute', async function () {
    this.timeout(40_000)
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.log.info('pid is ' + process.pid); process.kill(process.pid, 'SIGKILL')"),
    })
    const { code, out } = await bench.run('start')
    expect(code).to.equal(1)
    expect(pids(out)).to.have.length(5)
    expect(out).to.contain('giving up')
  })

  it('leaves a host that stops cleanly when the supervisor is killed', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.onDispose('thing', () => { ctx.log.info('undone') })"),
    })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    // Resolves when the pipes are closed, which the host holds too.
    await running.signal('SIGKILL')
    expect(running.out).to.contain('undone')
  })

  it('logs the address and the location of the token, not the token', async () => {
    const port = await freePort()
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${port} }\n` })
    const running = bench.start('start')
    await running.shows(
      new RegExp(`listening on http://127.0.0.1:${port}"[^]*plugins are up.*the token is in data/http-token`),
    )
    const health = (await (await fetch(`http://127.0.0.1:${port}/pub/health`)).json()) as { status: string }
    expect(health.status).to.equal('ok')
    const { out: token } = await bench.run('token --show')
    expect(token.trim()).to.match(/^\S{20,}$/)
    expect(running.out).not.to.contain(token.trim())
    for (const line of running.out.trim().split('\n'))
      expect(JSON.parse(line)).to.include.keys('time', 'level', 'name', 'message')
    expect(await running.signal('SIGINT')).to.equal(0)
    await access(join(bench.folder, 'data/http-token'))
  })

  it('runs the host without console and logs the reason', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]', 'p.js': plugin('p', '') })
    const { createServer } = await import('node:net')
    const blocker = createServer()
    await new Promise<void>((resolve) =>
      blocker.once('error', () => resolve()).listen(5173, '127.0.0.1', () => resolve()),
    )
    const running = bench.start('start --console')
    await running.shows(/no console: /)
    await running.shows(/plugins are up/)
    blocker.close()
    expect(await running.signal('SIGTERM')).to.equal(0)
  })
})
