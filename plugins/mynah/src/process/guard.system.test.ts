// Unhandled rejections, uncaught exceptions and a blocked loop in a real process: blamed on the plugin, which runs on.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Outcome {
  readonly lines: { event: string; [key: string]: unknown }[]
  readonly stderr: string
  readonly code: number | null
}

const kernel = import.meta.resolve('@mynah/kernel')
const [guard, watchdog] = ['./guard.js', './watchdog.js'].map((file) => new URL(file, import.meta.url).href)

describe('guardProcess', () => {
  let root: string

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'guard-')))
    await mkdir(join(root, 'plugins/bad/lib'), { recursive: true })
    await mkdir(join(root, 'plugins/good'), { recursive: true })
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  /** Runs `main` in its own process, with `kernel`, `entry(name)` and `tell(event)`, and collects the events. */
  async function run(main: string): Promise<Outcome> {
    const file = join(root, 'main.mjs')
    await writeFile(
      file,
      `
      import * as kernel from ${JSON.stringify(kernel)}
      import { guardProcess } from ${JSON.stringify(guard)}
      import { startWatchdog } from ${JSON.stringify(watchdog)}
      const root = ${JSON.stringify(root)}
      const tell = (event, fields) => process.stdout.write(JSON.stringify({ event, ...fields }) + '\\n')
      const entry = async (name) => {
        const url = new URL('plugins/' + name + '/index.mjs', import.meta.url).href
        return { plugin: (await import(url)).default, origin: { url, filename: 'index.mjs', filePath: 'plugins/' + name + '/index.mjs' } }
      }
      const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5)) }
      const view = (host, name) => host.inspect().find((plugin) => plugin.name === name)
      const log = []
      const start = async (...names) => kernel.createHost(await Promise.all(names.map(entry)), { log: (record) => log.push(record) }).start()
      ${main}`,
    )
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += String(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += String(chunk)
    })
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return {
      code,
      stderr,
      lines: stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Outcome['lines'][number]),
    }
  }

  const plugin = (name: string, file: string, body: string): Promise<void> =>
    writeFile(join(root, 'plugins', name, file), body)

  it('degrades the plugin of an unhandled rejection and keeps the process alive', async () => {
    await plugin('bad', 'lib/work.mjs', 'export async function work() { throw new Error("lost the thread") }')
    await plugin(
      'bad',
      'index.mjs',
      'import { work } from "./lib/work.mjs"\nexport default { name: "bad", setup() { setImmediate(() => { void work() }) } }',
    )
    await plugin('good', 'index.mjs', 'export default { name: "good" }')
    const { lines, code, stderr } = await run(`
      const host = await start('good', 'bad')
      const off = guardProcess(host, { root })
      await until(() => view(host, 'bad').state === 'degraded')
      const { reasons, errors } = view(host, 'bad')
      tell('blamed', { reasons, codes: errors.map(({ code }) => code), good: view(host, 'good').state, by: log.filter(({ level }) => level === 'error').map(({ name }) => name) })
      off()
      tell('listeners', { count: process.listenerCount('unhandledRejection') + process.listenerCount('uncaughtException') })
      await host.stop()`)
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    expect(lines).to.deep.equal([
      {
        event: 'blamed',
        reasons: ['unhandled rejection at plugins/bad/lib/work.mjs:1: lost the thread'],
        codes: ['plugin/failed-later'],
        good: 'active',
        by: ['bad'],
      },
      { event: 'listeners', count: 0 },
    ])
  })

  it('survives an exception in a timer of a plugin', async () => {
    await plugin(
      'bad',
      'index.mjs',
      'export default { name: "bad", setup() { setTimeout(() => { throw new TypeError("no such thing") }, 1) } }',
    )
    const { lines, code } = await run(`
      const host = await start('bad')
      guardProcess(host, { root })
      await until(() => view(host, 'bad').state === 'degraded')
      tell('blamed', { reasons: view(host, 'bad').reasons })
      await host.stop()`)
    expect(code).to.equal(0)
    expect(lines).to.deep.equal([
      { event: 'blamed', reasons: ['uncaught exception at plugins/bad/index.mjs:1: no such thing'] },
    ])
  })

  it('logs errors that belong to no plugin for the host', async () => {
    await plugin('good', 'index.mjs', 'export default { name: "good" }')
    const { lines, code } = await run(`
      const host = await start('good')
      guardProcess(host, { root })
      void Promise.reject('just text')
      void Promise.reject(new Error('of the host'))
      await until(() => log.length === 2)
      tell('logged', { log: log.map(({ name, level, message }) => [name, level, message]), good: view(host, 'good').state })
      await host.stop()`)
    expect(code).to.equal(0)
    expect(lines).to.deep.equal([
      {
        event: 'logged',
        good: 'active',
        log: [
          ['host', 'error', 'unhandled rejection: just text'],
          ['host', 'error', 'unhandled rejection: of the host'],
        ],
      },
    ])
  })

  it('distinguishes plugins in one folder by their files, and blames none for a shared library', async () => {
    await plugin('good', 'index.mjs', 'export default { name: "good" }')
    await plugin(
      'good',
      'other.mjs',
      'export default { name: "other", setup() { setImmediate(() => { throw new Error("mine") }) } }',
    )
    await plugin('good', 'shared.mjs', 'setImmediate(() => setImmediate(() => { throw new Error("unowned") }))')
    const { lines } = await run(`
      const other = new URL('plugins/good/other.mjs', import.meta.url).href
      const second = { plugin: (await import(other)).default, origin: { url: other, filename: 'other.mjs', filePath: 'plugins/good/other.mjs' } }
      const host = await kernel.createHost([await entry('good'), second], { log: (record) => log.push(record) }).start()
      guardProcess(host, { root })
      await import(new URL('plugins/good/shared.mjs', import.meta.url).href)
      await until(() => log.length === 2)
      tell('logged', { names: log.map(({ name }) => name).sort() })
      await host.stop()`)
    expect(lines).to.deep.equal([{ event: 'logged', names: ['host', 'other'] }])
  })

  it('reports the function that blocks the event loop, during and after the block', async function () {
    await plugin(
      'bad',
      'index.mjs',
      `
export function spin(ms) { const until = Date.now() + ms; while (Date.now() < until); }
export default { name: "bad", setup(ctx) { ctx.on('go', () => spin(2_500)) } }`,
    )
    const { lines, stderr, code } = await run(`
      const host = await start('bad')
      const stop = await startWatchdog(host, { root, limit: 200 })
      host.emit(kernel.hook('go'))
      await until(() => log.length > 0)
      const { state, errors } = view(host, 'bad')
      tell('blocked', { state, code: errors[0].code, message: errors[0].message, by: log[0].name })
      await stop()
      await host.stop()`)
    expect(code).to.equal(0)
    expect(stderr).to.match(/^\[watchdog\] the main loop is blocked in spin \(plugins\/bad\/index\.mjs:2\)\n$/)
    expect(lines).to.have.length(1)
    expect(lines[0]).to.deep.include({ state: 'active', code: 'host/loop-blocked', by: 'bad' })
    expect(lines[0]?.['message']).to.match(
      /^the main loop was blocked for \d+\.\d s in spin \(plugins\/bad\/index\.mjs:2\)$/,
    )
  })

  it('does not keep the process alive, and loads no inspector without a watchdog', async () => {
    await plugin('good', 'index.mjs', 'export default { name: "good" }')
    const { code, stderr } = await run(`
      const host = await start('good')
      if (process.moduleLoadList.includes('NativeModule inspector')) throw new Error('the inspector was loaded')
      await startWatchdog(host, { root })`)
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
  })
})
