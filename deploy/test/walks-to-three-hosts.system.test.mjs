// Follows the section about several hosts of docs/deploying.md with real processes: from one host on SQLite to three on
// PostgreSQL behind Caddy. Every row and file arrives, and hosts and Caddy go on without one of them.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createClient } from '@mynah/sdk'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { expect } from 'chai'
import { parse, stringify } from 'yaml'
import { filesIn, root } from '../../tools/lib.mjs'
import { freePort, until } from '../../tools/trial.mjs'
import { killWhole, Machines, stepsOf } from './machines.mjs'
import { rowsOfPostgres, rowsOfSqlite } from './rows-of-databases.mjs'
import { folderFor, has, skipBecause, TOKEN } from './support.mjs'

const PATIENCE_MS = 120_000
const NAMES = ['berlin-1', 'berlin-2', 'berlin-3']
const SERVICE = 'mynah@bot'
const LOBBY = { type: 'group', id: 'lobby' }
/** With what belongs to no endpoint, two places for each host. */
const ENDPOINTS = ['a', 'b', 'c', 'd', 'e']
/** The host before the walk. */
const BOT = {
  plugins: ['http-core', 'console-rpc', 'events', 'database', 'chat', 'inbox', 'cron', 'adapter-sandbox'],
  database: { type: 'sqlite' },
  endpoints: ENDPOINTS.map((id) => ({ adapter: 'sandbox', id })),
}
const SHARED_FILES = {
  'SOUL.md': 'It is friendly.\n',
  'skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets\n---\nSay hello.\n',
  'data/memory/notes/tea.md': 'Ann likes tea.\n',
}
/** Tables about the database itself: the newest event, and when each migration ran in it. */
const OWN_STATE = new Set(['stream_head', 'mynah_migration'])

const steps = stepsOf(readFileSync(join(root, 'docs/deploying.md'), 'utf8'), '9. Several hosts')

describe('the walk from one host on SQLite to three', function () {
  this.timeout(600_000)
  let folder, remove, machines, database, url, port, gate, rows, files

  const folderOf = (machine) => join(machines.rootOf(machine), 'srv/mynah/bot')
  const withClient = async (base, work) => {
    const client = createClient({ base, token: TOKEN })
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }
  const on = (machine, work) =>
    withClient(machines.here(`http://10.0.0.1${NAMES.indexOf(machine) + 1}:${port}`, machine), work)
  const say = (client, endpointId, content) =>
    until(
      `"${content}" to be accepted`,
      async () => {
        await client.rpc('sandbox:send', { endpointId, channel: LOBBY, sender: { id: 'ann' }, content })
        return true
      },
      PATIENCE_MS,
    )
  const answered = (client, endpointId, count) =>
    until(
      `${count} handled messages of ${endpointId}`,
      async () => {
        const { messages } = await client.rpc('endpoint:inboxMessages', {
          adapter: 'sandbox',
          endpointId,
          channel: LOBBY,
        })
        return messages.filter(({ direction, state }) => direction === 'in' && state === 'handled').length === count
      },
      PATIENCE_MS,
    )
  const ownersSeenBy = (machine) =>
    on(machine, async (client) => (await client.rpc('cluster:places', {})).places.map(({ owner }) => owner?.name))
  /** Resolves when these hosts, and no others, have the endpoints and what belongs to none, as each of them sees it. */
  const dividedAmong = (names) =>
    until(
      `places on ${names.join(', ')}`,
      async () => {
        for (const seen of await Promise.all(names.map(ownersSeenBy)))
          if (seen.length <= ENDPOINTS.length || Array.from(new Set(seen)).sort().join() !== names.join()) return false
        return true
      },
      PATIENCE_MS,
    )

  before(async function () {
    await needPostgres(this)
    this.timeout(600_000)
    database = await postgres()
    url = await database.create()
    ;({ folder, remove } = folderFor('walk'))
    port = await freePort()
    gate = await freePort()
    // Addresses of this process alone, on which all hosts use one port as they do on machines of their own.
    const network = `127.${1 + ((process.pid >> 8) & 127)}.${process.pid & 255}.`
    machines = await new Machines(
      folder,
      [
        ['postgres://mynah:password@10.0.0.10/mynah', url],
        ['10.0.0.', network],
        ['8086', String(port)],
        ['bot.example.com {', `http://${network}10:${gate} {\n\tbind ${network}10`],
      ],
      startCaddy,
    ).open()
    mkdirSync(folderOf('berlin-1'), { recursive: true })
    for (const [name, text] of Object.entries(SHARED_FILES)) {
      mkdirSync(dirname(join(folderOf('berlin-1'), name)), { recursive: true })
      writeFileSync(join(folderOf('berlin-1'), name), text)
    }
    symlinkSync(join(root, 'node_modules'), join(folderOf('berlin-1'), 'node_modules'))
    const http = { port, host: machines.here('10.0.0.11', 'berlin-1') }
    writeFileSync(join(folderOf('berlin-1'), 'mynah.config.yml'), stringify({ ...BOT, http }))
    mkdirSync(join(folderOf('berlin-1'), 'data'), { recursive: true })
    writeFileSync(join(folderOf('berlin-1'), 'data/http-token'), TOKEN, { mode: 0o600 })
  })
  after(async () => {
    await machines?.close()
    remove?.()
    if (url) await database.drop(url)
  })

  /** Starts Caddy as its service does, with the file and the drop-in that the page has put there. */
  async function startCaddy(name, machine) {
    if (name !== 'caddy') throw new Error(`there is no service ${name}`)
    const etc = join(machines.rootOf(machine), 'etc')
    const file = join(etc, 'caddy/Caddyfile')
    const site = machines.here(readFileSync(file, 'utf8'), machine)
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    const unit = machines.here(
      readFileSync(join(etc, 'systemd/system/caddy.service.d/caddy-cluster.conf'), 'utf8'),
      machine,
    )
    const [, variable, value] = /^Environment="(\w+)=(.*)"$/m.exec(unit)
    return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder, [variable]: value },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Changes the configuration as the page says: its sections replace others, `cluster` goes where its list has it. */
  function configure(machine, code) {
    const file = join(folderOf(machine), 'mynah.config.yml')
    const { plugins: example, ...sections } = parse(machines.here(code, machine))
    const { plugins, ...own } = parse(readFileSync(file, 'utf8'))
    const next = example[example.indexOf('cluster') + 1]
    const changed = plugins.toSpliced(plugins.indexOf(next), 0, 'cluster')
    writeFileSync(file, stringify({ plugins: changed, ...own, ...sections }))
  }

  const runNext = async (machine = steps[0]?.machine) => {
    const { code } = steps.shift()
    return machines.run(code, machine)
  }

  it('has the blocks that this test runs', () => {
    expect(steps.map(({ language, machine = '' }) => `${language} ${machine}`.trim())).to.deep.equal([
      'sh gate',
      'sh berlin-1',
      'yaml',
      'sh berlin-1',
      'sh berlin-1',
      'sh berlin-2',
      'sh gate',
    ])
  })

  it('moves every row and every file to PostgreSQL', async () => {
    await machines.start('berlin-1', SERVICE)
    await on('berlin-1', async (client) => {
      for (const endpoint of ENDPOINTS) {
        for (const content of ['/help', 'hello']) await say(client, endpoint, content)
        await answered(client, endpoint, 2)
      }
      await client.rpc('cron:add', { cronExpression: '0 0 1 1 *', prompt: 'look', notify: { channel: 'log' } })
    })
    await runNext('gate')
    await runNext()
    rows = await rowsOfSqlite(join(folderOf('berlin-1'), 'data/mynah.sqlite'))
    files = contentsOf(folderOf('berlin-1'))
    configure('berlin-1', steps.shift().code)
    const status = await runNext()
    expect(status).to.match(/berlin-1/)
    expect(machines.said('berlin-1', SERVICE)).to.match(/\d+ rows of another database were moved/)
    const moved = await rowsOfPostgres(url)
    for (const [table, before] of rows) {
      const now = new Set(moved.get(table))
      const lost = before.filter((row) => !now.has(row))
      if (!OWN_STATE.has(table)) expect(lost, table).to.deep.equal([])
    }
    expect(rows.get('message')?.length).to.be.above(ENDPOINTS.length)
    const now = contentsOf(folderOf('berlin-1'))
    for (const [name, content] of files) if (name !== 'mynah.config.yml') expect(now.get(name), name).to.equal(content)
  })

  it('brings up the other hosts, which share endpoints, messages and files', async () => {
    await runNext()
    const { code } = steps.shift()
    await machines.run(code, 'berlin-2')
    const third = code.replaceAll('berlin-2', 'berlin-3').replaceAll('10.0.0.12', '10.0.0.13')
    await machines.run(third, 'berlin-3')
    await dividedAmong(NAMES)
    for (const name of NAMES)
      await on(name, async (client) => {
        for (const endpoint of ENDPOINTS) await answered(client, endpoint, 2)
        expect((await client.rpc('cron:list', {})).persistent.map(({ prompt }) => prompt)).to.deep.equal(['look'])
      })
    for (const name of NAMES)
      for (const [file, text] of Object.entries(SHARED_FILES))
        await until(
          `${file} on ${name}`,
          async () => readFileSync(join(folderOf(name), file), 'utf8') === text,
          PATIENCE_MS,
        )
  })

  it('goes on behind Caddy when a host is killed, and takes it back', async function () {
    if (!has('caddy')) skipBecause(this, 'caddy is not installed')
    await runNext()
    const site = machines.here(`http://10.0.0.10:${gate}`, 'gate')
    /** Returns the cookie after a request: Caddy sets one where the host of that one does not answer. */
    const cookieAfter = async (cookie) => {
      const answer = await fetch(`${site}/pub/health`, { headers: cookie === undefined ? {} : { cookie } })
      if (answer.status !== 200) throw new Error(`${answer.status}`)
      return answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    }
    const cookies = new Set()
    await until(
      'each host to answer by way of Caddy',
      async () => cookies.add(await cookieAfter()).size === 3,
      PATIENCE_MS,
    )
    const led = async () => new Set(await Promise.all(Array.from(cookies, (cookie) => cookieAfter(cookie))))
    await until('Caddy to keep each browser at its host', async () => (await led()).size === 3, PATIENCE_MS)

    killWhole(machines.processOf('berlin-1', SERVICE))
    await dividedAmong(['berlin-2', 'berlin-3'])
    await until('Caddy to drop the host', async () => (await led()).size === 2, PATIENCE_MS)
    await withClient(site, async (client) => {
      for (const endpoint of ENDPOINTS) {
        await say(client, endpoint, '/help')
        await answered(client, endpoint, 3)
      }
    })

    await machines.start('berlin-1', SERVICE)
    await dividedAmong(NAMES)
    await until('Caddy to lead to it again', async () => (await led()).size === 3, PATIENCE_MS)
  })
})

/** Returns the contents of the files of a project, without packages, databases, and what belongs to a process. */
function contentsOf(folder) {
  const isKept = (file) => !/^node_modules\/|\.sqlite|^data\/(?:backups|before-restore|run|host)/.test(file)
  return new Map(filesIn(folder, isKept).map((file) => [file, readFileSync(join(folder, file)).toString('base64')]))
}
