// `mynah dev`.
import { createServer } from 'node:net'
import { expect } from 'chai'
import { Bench, plugin } from '../../test/cli.js'

const CONFIGURATION = "needs: { configuration: { kind: 'service', id: 'configuration', key: 'configuration@1' } },"

describe('mynah dev', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('reloads a plugin that changes, and restarts for the configuration and the environment', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.log.info('version one')"),
    })
    const running = bench.start('dev')
    await running.shows(/watching for changes/)
    await running.shows(/version one/)
    await bench.write({ 'p.js': plugin('p', "ctx.log.info('version two ' + process.env.WORD)") })
    await running.shows(/p\.js changed: reloaded p in/)
    await running.shows(/version two undefined/)
    await bench.write({ '.env': 'WORD=hello' })
    await running.shows(/version two hello/)
    await bench.write({
      'mynah.config.yml': 'plugins: [./p.js, ./q.js]',
      'q.js': plugin('q', "ctx.log.info('q is up')"),
    })
    await running.shows(/q is up/)
    expect(await running.signal('SIGINT')).to.equal(0)
  })

  it('waits for a fix of an invalid configuration', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [' })
    const running = bench.start('dev')
    await running.shows(/watching for changes/)
    await running.shows(/is not valid, so the host cannot start/)
    await running.shows(/restarts when a file changes/)
    await bench.write({ 'mynah.config.yml': 'plugins: []' })
    await running.shows(/plugins are up/)
    expect(await running.signal('SIGINT')).to.equal(0)
  })

  it('keeps the running host if a changed configuration is invalid', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', "ctx.log.info('version one'); ctx.onDispose('end', () => ctx.log.info('p has stopped'))"),
    })
    const running = bench.start('dev')
    await running.shows(/watching for changes/)
    await running.shows(/plugins are up/)
    await bench.write({ 'mynah.config.yml': 'plugins: [./p.js, ./nowhere.js]' })
    await running.shows(/it is invalid; the running host is kept/)
    await running.shows(/there is no plugin at ..\.\/nowhere\.js/)
    expect(running.out).not.to.contain('p has stopped')
    await bench.write({
      'mynah.config.yml': 'plugins: [./p.js, ./q.js]',
      'q.js': plugin('q', "ctx.log.info('q is up')"),
    })
    await running.shows(/q is up/)
    expect(running.out).to.contain('p has stopped')
    expect(await running.signal('SIGINT')).to.equal(0)
  })

  it('ignores files that the host writes', async () => {
    const write =
      "const fs = await import('node:fs/promises'); const text = 'plugins: [./p.js] # mine'; ctx.configuration.wrote(ctx.configuration.file, text); await fs.writeFile(ctx.configuration.file, text); ctx.log.info('has written')"
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': `import { existsSync } from 'node:fs'\n${plugin(
        'p',
        `const timer = setInterval(async () => {
          if (!existsSync('go')) return
          clearInterval(timer)
          ${write}
        }, 20)
        ctx.onDispose('timer', () => clearInterval(timer))`,
        CONFIGURATION,
      )}`,
    })
    const running = bench.start('dev')
    await running.shows(/watching for changes/)
    await running.shows(/plugins are up/)
    await bench.write({ go: '' })
    await running.shows(/has written/)
    // A change of another file comes later and is noticed: by then the own write would have been.
    await bench.write({ 'p.js': plugin('p', "ctx.log.info('version two')") })
    await running.shows(/version two/)
    expect(running.out).not.to.contain('mynah.config.yml changed')
    expect(await running.signal('SIGINT')).to.equal(0)
  })

  it('stops on a signal, even if the port of the console is in use', async () => {
    // Taken already is as good as taken here.
    const blocker = createServer()
    await new Promise<void>((resolve) =>
      blocker.once('error', () => resolve()).listen(5173, '127.0.0.1', () => resolve()),
    )
    try {
      bench = await Bench.of({ 'mynah.config.yml': 'plugins: []' })
      const running = bench.start('dev --console')
      await running.shows(/no console: port 5173 of the console is taken/)
      await running.shows(/plugins are up/)
      expect(await running.signal('SIGINT')).to.equal(0)
    } finally {
      if (blocker.listening) await new Promise<void>((resolve) => blocker.close(() => resolve()))
    }
  })
})
