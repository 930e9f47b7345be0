// A real PostgreSQL server for tests: the one that MYNAH_TEST_POSTGRES names, or a private one from the installed
// binaries.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { appendFile, chown, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DataSource } from 'typeorm'
import { freePort, skipBecause } from '@mynah/kernel/testing'

const run = promisify(execFile)
const BASE = '/usr/lib/postgresql'
const LOOPBACK = '127.0.0.1'

/** A server that tests may stop and start again where it is their own. */
export interface TestServer {
  /** Creates an empty database. */
  create(): Promise<string>
  /** Empties a database and takes it back. */
  drop(url: string): Promise<void>
  readonly own?: {
    stop(): Promise<void>
    start(): Promise<void>
    /** Starts the server as a standby server, which takes no writes. A running one is shut down first. */
    follow(): Promise<void>
    /** Makes a standby server take writes, in a new timeline. */
    promote(): Promise<void>
  }
}

async function binaries(): Promise<string | undefined> {
  const versions = await readdir(BASE).catch(() => [])
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  return newest && join(BASE, newest, 'bin')
}

/** Returns why no server can be used, or `undefined` where one can. */
export async function whyNoPostgres(): Promise<string | undefined> {
  if (process.env.MYNAH_TEST_POSTGRES || (await binaries())) return undefined
  return 'no PostgreSQL: install it or set MYNAH_TEST_POSTGRES to the address of a server'
}

/**
 * Skips the tests of a suite where no server can be used, and says why.
 *
 * @param own whether they need a server that they may stop
 */
export async function needPostgres(suite: Mocha.Context, { own = false } = {}): Promise<void> {
  suite.timeout(60_000)
  const isOthers = own && process.env.MYNAH_TEST_POSTGRES
  const reason = (await whyNoPostgres()) ?? (isOthers ? 'the server belongs to others' : undefined)
  if (reason !== undefined) skipBecause(suite, reason)
}

async function asAdministrator(url: string, sql: string): Promise<void> {
  const source = await new DataSource({
    type: 'postgres',
    url,
    poolSize: 1,
    installExtensions: false,
    connectTimeoutMS: 2_000,
  }).initialize()
  try {
    await source.query(sql)
  } finally {
    await source.destroy()
  }
}

let count = 0

function serverAt(admin: string, extra: Pick<TestServer, 'own'> = {}): TestServer {
  // Emptying a database is much faster than making one; on a server of others none may stay.
  const free: string[] = []
  return {
    ...extra,
    async create() {
      const used = free.pop()
      if (used) return used
      const name = `mynah_test_${process.pid}_${count++}`
      await asAdministrator(admin, `CREATE DATABASE ${name}`)
      const url = new URL(admin)
      url.pathname = `/${name}`
      return url.href
    },
    async drop(url) {
      if (!extra.own)
        return asAdministrator(admin, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
      await asAdministrator(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      free.push(url)
    },
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
export async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/**
 * Starts or finds the server. One that was started ends with this process, since whichever tests come last in it cannot
 * know that they do.
 *
 * @param address where a server of its own listens, and from whose network it trusts everybody; then one is started
 */
export async function startPostgres(address = LOOPBACK): Promise<TestServer> {
  const given = process.env.MYNAH_TEST_POSTGRES
  if (given && address === LOOPBACK) return serverAt(given)
  const bin = (await binaries()) as string
  const user = await unprivileged()
  const home = await mkdtemp(join(tmpdir(), 'mynah-postgres-'))
  if (user) await chown(home, user.uid, user.gid)
  const data = join(home, 'data')
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'mynah', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...user, cwd: home },
  )
  const port = await freePort()
  await appendFile(join(data, 'pg_hba.conf'), `host all all ${address}/24 trust\n`)
  const admin = `postgres://mynah@${address}:${port}/postgres`
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    if (server && server.exitCode === null) return
    server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', home, '-c', `listen_addresses=${address}`, '-c', 'fsync=off'],
      { ...user, cwd: home, stdio: 'ignore' },
    )
    server.unref()
    for (;;) {
      try {
        await asAdministrator(admin, 'SELECT 1')
        return
      } catch (error) {
        if (server.exitCode !== null) throw error
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = server
    if (!running || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await gone
  }
  // Immediate shutdown: clients lose their connections without a word.
  const stop = (): Promise<void> => end('SIGQUIT')
  process.once('exit', () => {
    server?.kill('SIGQUIT')
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  await start()
  const follow = async (): Promise<void> => {
    // Fast shutdown, with a checkpoint: a standby may be asked before it has read what came after the last one.
    await end('SIGINT')
    await writeFile(join(data, 'standby.signal'), '')
    await start()
  }
  const promote = (): Promise<void> => asAdministrator(admin, 'SELECT pg_promote()')
  return serverAt(admin, { own: { start, stop, follow, promote } })
}
