// Takes the network from a host, as when its machine vanishes: PostgreSQL frees its lock within half a minute, so that
// another host can start. Everything runs in network namespaces of its own.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openPostgres } from '../plugins/database/dist/engine/postgres.js'
import { startPostgres, whyNoPostgres } from '../plugins/database/dist/testing/postgres-server.js'
import { runIfMain } from './lib/lives.mjs'

const exec = promisify(execFile)
const SELF = fileURLToPath(import.meta.url)
const HOST = fileURLToPath(new URL('./processes/database-host.mjs', import.meta.url))
const HERE = '10.231.7.1'
const THERE = '10.231.7.2'
const MOST_S = 35
const NEVER = 1_000

const ip = (...words) => exec('ip', words)
/** `ip` in the network of a process. */
const ipOf = (pid, ...words) => exec('nsenter', ['-t', String(pid), '-n', 'ip', ...words])

/** Starts a second host when the network of the first is gone. Returns the seconds until it has the lock. */
async function vanish(url, how) {
  const host = spawn('unshare', ['-n', process.execPath, HOST, url, how], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    // The program is in its own network once it has replaced `unshare`.
    await until(async () => (await exec('readlink', [`/proc/${host.pid}/ns/net`])).stdout !== (await ownNetwork()))
    await ip('link', 'add', 'name', 'here', 'type', 'veth', 'peer', 'name', 'there', 'netns', String(host.pid))
    await ip('link', 'set', 'here', 'up')
    await ip('route', 'replace', `${THERE}/32`, 'dev', 'here', 'src', HERE)
    await ipOf(host.pid, 'addr', 'add', `${THERE}/24`, 'dev', 'there')
    await ipOf(host.pid, 'link', 'set', 'there', 'up')
    host.stdin.write('start\n')
    await once(host.stdout, 'data')
    // The address stays, as that of a server does; only the way to the host is gone.
    await ipOf(host.pid, 'link', 'set', 'there', 'down')
    const gone = performance.now()
    const engine = await openPostgres(url).catch(() => undefined)
    await engine?.close()
    return engine ? (performance.now() - gone) / 1000 : NEVER
  } finally {
    host.kill('SIGKILL')
    await ip('link', 'del', 'here').catch(() => {})
  }
}

const ownNetwork = async () => (await exec('readlink', ['/proc/self/ns/net'])).stdout

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Runs in its own network. Prints the seconds of each round. */
async function inside(rounds) {
  await ip('link', 'set', 'lo', 'up')
  // An address that stays while the way to the host comes and goes.
  await ip('addr', 'add', `${HERE}/32`, 'dev', 'lo')
  const server = await startPostgres(HERE)
  const seconds = { idle: [], writes: [] }
  for (let round = 0; round < rounds; round++)
    for (const how of Object.keys(seconds)) seconds[how].push(await vanish(await server.create(), how))
  console.log(JSON.stringify(seconds))
  process.exit()
}

const whyNot = async () => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/nsenter')) return 'network namespaces need root'
  return (
    (await whyNoPostgres()) ??
    exec('unshare', ['-n', 'ip', 'link', 'add', 'name', 'here', 'type', 'veth', 'peer', 'name', 'there']).then(
      () => undefined,
      () => 'this machine has no network namespaces',
    )
  )
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 2 } = {}) {
  const row = (result, passed) => {
    console.log(`${passed ? 'ok  ' : 'FAIL'}  the machine of a host vanishes, ${rounds} rounds: ${result}`)
    return { fault: 'the machine of a host vanishes', rounds, result, passed }
  }
  const missing = await whyNot()
  if (missing) return row(`not tried: ${missing}`, true)
  const { stdout } = await exec('unshare', ['-n', process.execPath, SELF, '--inside', String(rounds)])
  const seconds = JSON.parse(stdout)
  const told = Object.entries(seconds).map(
    ([how, list]) => `${how}: free after ${list.map((one) => one.toFixed(1)).join(', ')} s`,
  )
  return row(
    told.join('; '),
    Object.values(seconds)
      .flat()
      .every((one) => one <= MOST_S),
  )
}

if (process.argv[2] === '--inside') await inside(Number(process.argv[3]))
else await runIfMain(import.meta.url, run)
