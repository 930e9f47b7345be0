// `npm run test:newcomer`: does the first steps of a plugin author and of an operator, and prints how long each took.
//
// Uses packed packages in a clean folder with an empty npm cache. Arguments name some of the walks: `author`,
// `thinker`, `operator`; default all.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, startProxy } from '../deploy/test/proxies.mjs'
import { Effort } from '../test/dist/effort.js'
import { hasIrcServer, IrcUser, startIrcServer } from '../test/dist/irc-server.js'
import { ModelServer } from '../test/dist/model-server.js'
import { hasTerminal, Terminal } from '../test/dist/terminal.js'
import { root } from './lib.mjs'
import { packedFiles, publicPackages } from './packages.mjs'
import { tarballOf } from './published.mjs'
import { atVersion } from './release.mjs'
import { startStubRegistry } from './stub-registry.mjs'
import { freePort, output, TrialHost, until } from './trial.mjs'

const TOKEN = 'a-token-for-the-newcomer-script'
const NEXT = '0.1.1'
const folder = mkdtempSync(join(tmpdir(), 'mynah-newcomer-'))
const env = {
  ...process.env,
  npm_config_cache: join(folder, 'npm-cache'),
  npm_config_update_notifier: 'false',
  npm_config_fetch_timeout: '60000',
  HTTP_TOKEN: TOKEN,
}
const packed = join(folder, 'packed')
const packages = publicPackages()
const rows = []
const hosts = new Set()
let proxy

/** Runs one step of the table; `aim` is in seconds. */
async function step(name, aim, work) {
  const began = performance.now()
  process.stdout.write(`… ${name}\n`)
  try {
    const note = await work()
    rows.push({ name, seconds: (performance.now() - began) / 1000, aim, note: note ?? '' })
  } catch (error) {
    rows.push({
      name,
      seconds: (performance.now() - began) / 1000,
      aim,
      failed: true,
      note: error.message.split('\n')[0],
    })
    throw error
  }
}

const npm = (cwd, ...args) => output('npm', args, { cwd, env })
const mynah = (cwd, ...args) => output(join(cwd, 'node_modules/.bin/mynah'), args, { cwd, env })
/** Runs `npm create mynah` with the tarball instead of the registry. */
const create = (...args) =>
  output(
    'npm',
    [
      'exec',
      '--yes',
      '--package',
      join(packed, tarballOf({ name: 'create-mynah', version: '0.1.0' })),
      '--',
      'create-mynah',
      ...args,
      '--from',
      packed,
    ],
    { cwd: folder, env },
  )

async function start(cwd) {
  const port = await freePort()
  const host = new TrialHost(join(cwd, 'node_modules/.bin/mynah'), ['start'], {
    cwd,
    env: { ...env, PORT: String(port) },
    origin: `http://127.0.0.1:${port}`,
    token: TOKEN,
  })
  hosts.add(host)
  return host.healthy()
}

const stop = async (host) => {
  hosts.delete(host)
  const code = await host.stop()
  if (code !== 0) throw new Error(`exit code ${code}: ${host.said}`)
}

const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')))
const linesOf = (text) => text.split('\n').filter((line) => line.trim() && !line.trim().startsWith('//')).length

/** Returns the minutes to read a text, at 200 words a minute. */
const minutes = (text) => text.split(/\s+/).length / 200

/** Packs all packages again with the version `NEXT`. */
function packNext() {
  const [next, work] = [join(folder, 'packed-next'), join(folder, 'repack')]
  mkdirSync(next)
  const names = new Set(packages.map(({ manifest }) => manifest.name))
  for (const { manifest } of packages) {
    const at = join(work, manifest.name.replace('/', '-'))
    mkdirSync(at, { recursive: true })
    execFileSync('tar', ['xzf', join(packed, tarballOf(manifest)), '-C', at])
    writeFileSync(
      join(at, 'package/package.json'),
      JSON.stringify(atVersion(JSON.parse(readFileSync(join(at, 'package/package.json'), 'utf8')), NEXT, names)),
    )
    // The content is that of the first tarball: thirty runs of npm would take half a minute of two cores.
    execFileSync('tar', ['czf', join(next, tarballOf({ ...manifest, version: NEXT })), '-C', at, 'package'])
  }
  return next
}

/** Returns a plugin of the operator that stores rows; its second version has a migration. */
const ledger = (migrations) => `import { commands, defineCommand, definePlugin } from 'mynah'
import { Database, entities, entity } from '@mynah/plugin-database/api'
const Ledger = entity<{ id: string; amount: number }>({ package: 'mynah-plugin-ledger', name: 'ledger', columns: { id: { type: 'text', primary: true }, amount: { type: 'integer' } }, migrations: [${migrations}] })
export default definePlugin({
  name: 'ledger',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Ledger)
    ctx.contribute(commands, defineCommand({ name: 'pay', description: 'Adds ten', run: async () => { await ctx.database.tx((db) => db.insert(Ledger, { id: String(Date.now()), amount: 10 })); return 'paid' } }))
    ctx.contribute(commands, defineCommand({ name: 'sum', description: 'Adds up', run: async () => \`sum is \${(await ctx.database.read((db) => db.find(Ledger))).reduce((sum, { amount }) => sum + amount, 0)}\` }))
  },
})
`

async function author() {
  const bot = join(folder, 'my-bot')
  let host
  await step('create → answering bot', 60, async () => {
    await create('bot', 'my-bot', '--yes')
    host = await start(bot)
    await host.chat('/hello newcomer', 'Hello, newcomer!')
  })
  await step('its test passes', undefined, () => npm(bot, 'test').then(() => undefined))
  const plugin = join(folder, 'mynah-plugin-hello')
  await step('first plugin, its test passes', 300, async () => {
    await create('plugin', 'mynah-plugin-hello', '--yes')
    await npm(plugin, 'test')
    const reading = readFileSync(join(root, 'docs/plugins.md'), 'utf8').split('\n## ')
    const read = minutes(reading.slice(0, 2).join('')) + minutes(readFileSync(join(plugin, 'README.md'), 'utf8'))
    return `${linesOf(readFileSync(join(plugin, 'src/index.ts'), 'utf8'))} lines; ${read.toFixed(1)} min of reading`
  })
  await step('first page, built and served', 300, async () => {
    const page = join(folder, 'mynah-plugin-paged')
    await create('plugin', 'mynah-plugin-paged', '--page', '--yes')
    await npm(page, 'run', 'build')
    const other = await start(page)
    const entry = (await other.rpc('entries:get')).find(({ id }) => id === 'paged')
    const module = await fetch(other.origin + entry.resolvedModule)
    if (module.status !== 200) throw new Error(`the page answers ${module.status}`)
    await stop(other)
    return `${linesOf(readFileSync(join(page, 'client/src/index.tsx'), 'utf8'))} lines of page`
  })
  await step('packed, installed and used by name, without a restart', 60, async () => {
    await npm(plugin, 'pack')
    await npm(bot, 'install', '--no-audit', '--no-fund', join(plugin, 'mynah-plugin-hello-0.1.0.tgz'))
    // Both plugins have this command, so the bot renames its own.
    edit(join(bot, 'plugins/bot.ts'), (text) => text.replace("name: 'hello'", "name: 'greet'"))
    edit(join(bot, 'mynah.config.yml'), (text) =>
      text
        .replace('  - ./plugins/bot.ts\n', '  - hello\n')
        .replace('endpoints:', 'hello: { word: Welcome }\n\nendpoints:'),
    )
    await mynah(bot, 'reload')
    await host.chat('/hello reader', 'Welcome, reader!')
  })
  await stop(host)
}

/** Keys and reading from `npm create mynah` to the answer of a model, s. */
const CREATE_AIM_S = 120
/** A question may follow the download of a package. */
const QUESTION_MS = 120_000
const INSTALL_MS = 900_000

/** From `npm create mynah` and its questions to the answer of a model in a channel of IRC, without an editor. */
async function thinker() {
  if (!hasIrcServer() || !hasTerminal()) return
  const upstream = (await output('npm', ['config', 'get', 'registry']))
    .split('\n')
    .find((line) => /^https?:/.test(line))
  const registry = await startStubRegistry(packages, packed, upstream)
  const [irc, model] = [await startIrcServer(), await ModelServer.start(() => 'Plums are blue.')]
  let user
  let terminal
  try {
    await step('npm create mynah → a model answers on IRC', 300, async () => {
      user = await IrcUser.join(irc.port, 'ada', '#plums')
      const effort = new Effort()
      terminal = new Terminal('npm create mynah', {
        cwd: folder,
        // npm asks whether to install create-mynah, unless its configuration answers that. Here it does.
        env: { ...env, npm_config_registry: registry.url, npm_config_yes: 'true', PORT: String(await freePort()) },
      })
      effort.keys('npm create mynah'.length + 1)
      effort.readText('Need to install the following packages: create-mynah. Ok to proceed?')
      effort.decide(0)
      effort.keys(1)
      const answers = [
        [/What is it\?/, ''],
        [/Into which folder\?/, 'thinker'],
        [/Where does it chat\?/, 'irc'],
        [/Which IRC server\?/, '127.0.0.1'],
        [/Which port\?/, String(irc.port)],
        [/With TLS\?/, 'false'],
        [/Which nick\?/, 'plum'],
        [/Which channel\?/, '#plums'],
        [/Which models answer\?/, 'compatible'],
        [/At which address\?/, model.url],
        [/Its API key\?/, 'a-key'],
      ]
      for (const [question, answer] of answers) {
        effort.readText(await terminal.shows(question, QUESTION_MS))
        effort.decide(0)
        effort.keys(answer.length + 1)
        terminal.type(answer)
      }
      // It installs and starts by itself.
      const shown = await terminal.shows(/Next .*\n/, INSTALL_MS)
      // The lines of progress are as many as the machine is slow.
      effort.readText(shown.replace(/^installing .*$/gm, ''))
      await user.hears('plum!')
      const question = 'plum: hello'
      effort.decide(0)
      effort.keys(question.length + 1)
      user.send(`PRIVMSG #plums :${question}`)
      await user.hears('Plums are blue.')
      if (effort.seconds > CREATE_AIM_S) throw new Error(`${effort.summary()}; the aim is ${CREATE_AIM_S} s`)
      return effort.summary()
    })
  } catch (error) {
    throw new Error(`${error.message}\n${terminal?.said.slice(-2000) ?? ''}`, { cause: error })
  } finally {
    await terminal?.stop()
    user?.leave()
    await irc.stop()
    await model.stop()
    await registry.stop()
  }
}

async function operator() {
  const bot = join(folder, 'operated')
  let host
  await step('create a bot with a database (SQLite compiled)', undefined, async () => {
    await create('bot', 'operated', '--database', '--yes')
    edit(join(bot, 'mynah.config.yml'), (text) =>
      text
        .replace('  port:', '  hosts: [bot.example.com, mynah.example.com]\n  trustedProxies: ["127.0.0.1"]\n  port:')
        .replace('  - ./plugins/bot.ts', '  - ./plugins/bot.ts\n  - ./plugins/ledger.ts'),
    )
    writeFileSync(join(bot, 'plugins/ledger.ts'), ledger(''))
    appendFileSync(join(bot, '.env'), `HTTP_TOKEN=${TOKEN}\n`, { mode: 0o600 })
    host = await start(bot)
    await host.chat('/pay', 'paid')
  })
  await step('proxy with TLS before it', 60, async () => {
    const place = join(folder, 'proxy')
    mkdirSync(place)
    proxy = await startProxy('nginx', place, host.origin)
    const { status } = await ask(proxy.port, 'mynah.example.com', '/api/stats', {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    if (status !== 200) throw new Error(`the host answers ${status} through the proxy`)
    await proxy.stop()
  })
  await step('backup while it runs, loss of everything, restore', 60, async () => {
    const backup = join(folder, 'backup')
    await mynah(bot, 'backup', backup)
    await stop(host)
    // Keeps node_modules, so that SQLite is compiled once. The lock file, which names the packages, is lost.
    for (const name of readdirSync(bot).filter((other) => other !== 'node_modules'))
      rmSync(join(bot, name), { recursive: true })
    await mynah(bot, 'restore', backup)
    await npm(bot, 'install', '--no-audit', '--no-fund', '--prefer-offline')
    host = await start(bot)
    await host.chat('/sum', 'sum is 10')
  })
  await step(`upgrade to ${NEXT} with a migration`, 120, async () => {
    const next = packNext()
    await mynah(bot, 'backup', join(folder, 'before-upgrade'))
    await stop(host)
    edit(join(bot, 'package.json'), (text) =>
      text.replaceAll('../packed/', '../packed-next/').replaceAll('-0.1.0.tgz', `-${NEXT}.tgz`),
    )
    rmSync(join(bot, 'package-lock.json'))
    await npm(bot, 'install', '--no-audit', '--no-fund', '--prefer-offline')
    writeFileSync(
      join(bot, 'plugins/ledger.ts'),
      ledger("{ name: 'in-cents', up: (db) => db.query('UPDATE ledger SET amount = amount * 100').then(() => {}) }"),
    )
    host = await start(bot)
    await host.chat('/sum', 'sum is 1000')
    if (!(await mynah(bot, 'version')).includes(NEXT)) throw new Error('it runs another version')
    return readdirSync(next).length + ' packages'
  })
  await step('the way back', 60, async () => {
    await stop(host)
    await mynah(bot, 'restore', join(folder, 'before-upgrade'), '--yes')
    await npm(bot, 'install', '--no-audit', '--no-fund', '--prefer-offline')
    host = await start(bot)
    await host.chat('/sum', 'sum is 10')
    if (!(await mynah(bot, 'version')).includes('0.1.0')) throw new Error('it runs another version')
  })
  await stop(host)
}

function table() {
  const line = (...cells) => `| ${cells.join(' | ')} |`
  const result = ({ seconds, aim, failed }) => {
    if (failed) return 'failed'
    if (aim === undefined) return ''
    return seconds <= aim ? 'yes' : 'late'
  }
  return [
    line('step', 's', 'aim', 'met', ''),
    line('---', '---:', '---:', '---', '---'),
    ...rows.map((row) => line(row.name, row.seconds.toFixed(1), row.aim ?? '', result(row), row.note)),
  ].join('\n')
}

let failure
try {
  mkdirSync(packed)
  packedFiles(packages, ['--pack-destination', packed])
  for (const [name, walk] of Object.entries({ author, thinker, operator }))
    if (process.argv.length < 3 || process.argv.includes(name)) await walk()
} catch (error) {
  failure = error
} finally {
  await proxy?.stop()
  for (const host of hosts) await host.stop('SIGKILL')
  await until(
    'an empty folder',
    async () => {
      rmSync(folder, { recursive: true, force: true })
      return true
    },
    5000,
  )
}
console.log(`\n${table()}\n`)
if (failure) console.log(failure.stack ?? failure)
console.log(`  ${rows.filter(({ failed }) => !failed).length} passing\n  ${failure ? 1 : 0} failing`)
process.exitCode = failure ? 1 : 0
