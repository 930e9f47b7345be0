import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { allPlugins } from './whole-host.js'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const DRIVERS = ['sqlite3', 'typeorm', 'pg']

/** Starts and stops the host of a configuration file. Prints the states of its plugins and all loaded modules. */
const PROGRAM = `
import { createRequire, register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'
const resolved = []
const { port1, port2 } = new MessageChannel()
port1.on('message', (url) => resolved.push(url))
port1.unref()
register('data:text/javascript,' + encodeURIComponent(\`
let port
export const initialize = (data) => { port = data.port }
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  port.postMessage(found.url)
  return found
}\`), { data: { port: port2 }, transferList: [port2] })
const { loadHost } = await import(process.argv[1])
const { host } = await loadHost(process.argv[2], { log: () => {}, bases: [process.argv[3]] })
await host.start()
const states = host.inspect().map(({ name, state, error }) => [name, state, error?.message])
await host.stop()
await new Promise((done) => setTimeout(done, 100))
const required = Object.keys(createRequire(import.meta.url).cache)
process.stdout.write(JSON.stringify({ states, modules: [...resolved, ...required] }), () => process.exit(0))
`

interface Outcome {
  readonly states: readonly (readonly [name: string, state: string, error: string | null])[]
  readonly modules: readonly string[]
}

async function run(plugins: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-no-database-'))
  try {
    await symlink(MODULES, join(folder, 'node_modules'))
    const file = join(folder, 'mynah.config.yml')
    const token = 'a-token-of-a-test-0f4b8a'
    await writeFile(file, `plugins: [${plugins.join(', ')}]\nhttp: { port: 0, token: ${token} }\n`)
    const loader = import.meta.resolve('@mynah/kernel/loader')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', PROGRAM, loader, file, fileURLToPath(new URL('..', import.meta.url))],
      { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
    )
    return JSON.parse(stdout) as Outcome
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const driversIn = (modules: readonly string[]): string[] =>
  DRIVERS.filter((driver) => modules.some((path) => path.includes(`/node_modules/${driver}/`)))

describe('host without the database plugin', function () {
  this.timeout(60_000)

  it('runs every other plugin and loads no database driver', async () => {
    const { states, modules } = await run((await allPlugins()).filter((name) => name !== 'database'))
    expect(states.filter(([, state]) => state === 'failed')).to.deep.equal([])
    expect(driversIn(modules)).to.deep.equal([])
  })

  it('loads nothing of its package, which need not be installed', async () => {
    // Without a database there is nothing for inbox to do.
    const plugins = (await allPlugins()).filter((name) => !['database', 'inbox'].includes(name))
    const { states, modules } = await run(plugins)
    expect(states.map(([, state]) => state)).not.to.include('failed')
    expect(modules.some((path) => path.includes('/plugins/cron/'))).to.equal(true)
    expect(modules.filter((path) => path.includes('/plugins/database/'))).to.deep.equal([])
  })

  it('differs from a host with the database plugin, which loads SQLite', async () => {
    const { modules } = await run(['http-core', 'events', 'console-rpc', 'database'])
    expect(driversIn(modules)).to.include.members(['sqlite3', 'typeorm'])
  })
})
