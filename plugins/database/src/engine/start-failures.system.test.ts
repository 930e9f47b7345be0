import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, truncate, writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { FatalError, HostPaths } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import { Database } from '../api.js'
import { BINDING_HINT, loadSqlite } from './binding.js'
import { lockFile } from './lock.js'
import database from '../index.js'
import { failureOf, folder, item, Items } from '../testing/fixture.js'
import { run } from '../test/host.js'

const viewOf = (host: Awaited<ReturnType<typeof run>>['host']) => host.inspect().find(({ name }) => name === 'database')

describe('openSqlite with a damaged file', () => {
  const damages: [string, (file: string) => Promise<void>][] = [
    ['is no database at all', (file) => writeFile(file, 'x'.repeat(10_000))],
    [
      'has a broken page',
      async (file) => {
        const bytes = await readFile(file)
        bytes.fill(0xab, 4_096 + 10, 4_096 * 6)
        await writeFile(file, bytes)
      },
    ],
    ['was cut off', (file) => truncate(file, 4_096 * 3)],
  ]
  for (const [what, damage] of damages) {
    it(`sets it aside and reports it when it ${what}`, async () => {
      const first = await run()
      await first.host.get(Database)?.append(
        Items,
        Array.from({ length: 300 }, (_, index) => item(`r${index}`, { detail: 'x'.repeat(200) })),
      )
      await first.host.stop()
      await damage(first.file)
      const second = await run({}, { data: first.data })
      const names = (await readdir(first.data)).filter((name) =>
        /^mynah\.sqlite\.corrupt\.\d{4}-\d\d-\d\dT[\d-]+Z$/.test(name),
      )
      expect(names).to.have.length(1)
      expect(second.host.get(Database)?.status).to.deep.equal({ available: true, setAside: names[0] })
      expect(
        second.log.some(({ level, message }) => level === 'error' && message.includes(names[0] as string)),
      ).to.equal(true)
      expect(viewOf(second.host)?.state).to.equal('degraded')
      expect(await second.rpc('db:select', { table: 'item' })).to.deep.include({
        success: true,
        data: { rows: [], total: 0, page: 1, pageSize: 50 },
      })
      await second.host.stop()
      const third = await run({}, { data: first.data })
      expect(viewOf(third.host)?.state).to.equal('active')
      await third.host.stop()
      await first.stop()
    })
  }

  it('keeps an intact file', async () => {
    const first = await run()
    await first.host.get(Database)?.append(Items, [item('kept')])
    await first.host.stop()
    const second = await run({}, { data: first.data })
    expect(await second.host.get(Database)?.read((db) => db.count(Items))).to.equal(1)
    expect(second.host.get(Database)?.status).to.deep.equal({ available: true })
    await second.host.stop()
    await first.stop()
  })
})

describe('loadSqlite without native part', () => {
  it('fails with a hint', async () => {
    const missing = new Error('Could not locate the bindings file. Tried: …')
    expect((await failureOf(loadSqlite(() => Promise.reject(missing)))).message).to.equal(BINDING_HINT)
    expect(BINDING_HINT)
      .to.match(/allowScripts/)
      .and.to.match(/npm rebuild sqlite3/)
    const other = new Error('something else')
    expect(await failureOf(loadSqlite(() => Promise.reject(other)))).to.equal(other)
  })

  it('fails only the plugin with the hint', async () => {
    const { path, remove } = await folder()
    const hooks = `
      const url = 'data:text/javascript,throw new Error("Could not locate the bindings file.")'
      export const resolve = (name, context, next) =>
        name === 'sqlite3' ? { url, shortCircuit: true } : next(name, context)`
    const register = `import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))`
    const program = `
      import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
      import database from ${JSON.stringify(new URL('../index.js', import.meta.url).href)}
      const paths = { root: process.argv[1], data: process.argv[1] }
      const host = await createHost([{ plugin: database }, { plugin: definePlugin({ name: 'other' }) }], { services: [[HostPaths, paths]] }).start()
      console.log(JSON.stringify(host.inspect().map(({ name, state, error }) => ({ name, state, error: error?.message }))))
      await host.stop()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(register)}`, '--input-type=module', '-e', program, path],
      { cwd: new URL('../..', import.meta.url) },
    )
    expect(JSON.parse(stdout)).to.deep.equal([
      { name: 'database', state: 'failed', error: BINDING_HINT },
      { name: 'other', state: 'active' },
    ])
    await remove()
  })
})

describe('second host on the same data directory', () => {
  it('is rejected with a clear message and starts when the first has stopped', async function () {
    this.timeout(20_000)
    const first = await run()
    const second = await startHost([{ plugin: database }], {
      services: [[HostPaths, { root: first.data, data: first.data }]],
    })
    const view = second.host.inspect()[0]
    expect(view?.state).to.equal('failed')
    expect(view?.error?.message).to.match(/in use by another host \(process \d+, since 2/)
    await second.host.stop()
    await first.host.stop()
    const third = await run({}, { data: first.data })
    expect(viewOf(third.host)?.state).to.equal('active')
    await third.host.stop()
    await first.stop()
  })

  it('takes over from a killed process', async function () {
    this.timeout(20_000)
    const { path, remove } = await folder()
    const file = join(path, 'x.sqlite')
    const lock = new URL('./lock.js', import.meta.url).href
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { lockFile } from ${JSON.stringify(lock)}
        await lockFile(${JSON.stringify(file)}, Date.now())
        console.log('held')
        setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    const refused = await failureOf(lockFile(file, Date.now()))
    expect(refused).to.be.instanceOf(FatalError)
    expect(refused.message).to.contain(`process ${child.pid}`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (
      await lockFile(file, Date.now())
    )()
    await remove()
  })
})

describe('configuration of the database', () => {
  const startWith = async (section: unknown) => {
    const { path, remove } = await folder()
    const { host, log } = await startHost([{ plugin: database, config: section }], {
      services: [[HostPaths, { root: path, data: path }]],
    })
    const view = host.inspect()[0]
    await host.stop()
    await remove()
    return { view, log }
  }

  it('requires an address for PostgreSQL', async () => {
    expect((await startWith({ type: 'postgres' })).view?.error?.message).to.match(/database\.url is required/)
  })

  it('names unknown options', async () => {
    expect((await startWith({ typ: 'sqlite' })).view?.error?.message).to.match(
      /database\.typ is not known here; did you mean "type"/,
    )
  })

  it('is tried again while the server is unavailable, without revealing its address', async () => {
    const { view, log } = await startWith({
      type: 'postgres',
      url: 'postgres://someone:a-secret-word@127.0.0.1:1/none',
    })
    expect(view?.state).to.equal('failed')
    expect(view?.error?.message).to.match(/does not answer \(ECONNREFUSED\)/)
    expect(JSON.stringify(log)).to.not.contain('a-secret-word')
  })
})
