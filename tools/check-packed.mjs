// Packs every public package, installs the tarballs together in an empty folder outside the workspace, and runs a host there.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packageFaults, packedFiles, publicPackages } from './packages.mjs'

const BOT = `import { commands, defineCommand, definePlugin, param } from 'mynah'
export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'hello', description: 'Greets', args: { name: param.rest({ default: 'world' }) }, run: ({ args }) => \`Hello, \${args.name}!\` }))
  },
})
`
const PATIENCE_MS = 60_000
const folder = mkdtempSync(join(tmpdir(), 'mynah-packed-'))
const results = []
let host

async function check(name, work) {
  try {
    await work()
    results.push(true)
    console.log(`  ok    ${name}`)
  } catch (error) {
    results.push(false)
    console.log(`  FAIL  ${name}\n${error.stack ?? error}`)
    throw new Error('the checks that follow need this one', { cause: error })
  }
}

async function until(what, ask) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(100)) {
    const answer = await ask().catch(() => undefined)
    if (answer) return answer
  }
  throw new Error(`${what} did not come within ${PATIENCE_MS / 1000} s`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const npm = (args, cwd) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

async function main() {
  const packages = publicPackages()
  await check(`${packages.length} packages can be packed, without tests`, () => {
    mkdirSync(join(folder, 'packed'))
    const files = packedFiles(packages, ['--pack-destination', join(folder, 'packed')])
    const faults = packages.flatMap((entry) => packageFaults(entry, files.get(entry.manifest.name)))
    if (faults.length) throw new Error(faults.join('\n'))
  })
  const outside = join(folder, 'outside')
  await check('the packed packages install together', () => {
    mkdirSync(outside)
    const tarballs = readdirSync(join(folder, 'packed')).map((file) => `../packed/${file}`)
    writeFileSync(join(outside, 'package.json'), JSON.stringify({ name: 'outside', private: true, type: 'module', allowScripts: { sqlite3: true } }))
    npm(['install', '--no-audit', '--no-fund', ...tarballs], outside)
  })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const token = 'a-token-for-the-packed-host-only'
  await check('a host starts from them', async () => {
    writeFileSync(join(outside, 'bot.js'), BOT)
    writeFileSync(join(outside, 'mynah.config.yml'), `plugins: [http-core, console-rpc, events, entries, management, chat, adapter-sandbox, database, inbox, ./bot.js]\nhttp: { port: ${port}, token: "${token}" }\nendpoints: [{ adapter: sandbox, id: sandbox }]\n`)
    host = spawn(join(outside, 'node_modules/.bin/mynah'), ['start'], { cwd: outside, stdio: ['ignore', 'inherit', 'inherit'] })
    await until('health', async () => (await fetch(`${origin}/pub/health`)).status === 200)
  })
  const rpc = async (type, data) => {
    const response = await fetch(`${origin}/api/console/request`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body: JSON.stringify({ type, requestId: 1, data }) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${type}: ${JSON.stringify(answer)}`)
    return answer.data
  }
  await check('a command gets its reply', async () => {
    const channel = { type: 'private', id: 'visitor' }
    await until('the endpoint', async () => rpc('sandbox:send', { endpointId: 'sandbox', channel, sender: { id: 'visitor' }, content: '/hello packages' }))
    await until('the reply', async () => JSON.stringify(await rpc('sandbox:history', { endpointId: 'sandbox', channel })).includes('Hello, packages!'))
  })
  await check('the host stops cleanly', async () => {
    host.kill('SIGINT')
    const [code] = await once(host, 'exit')
    host = undefined
    if (code !== 0) throw new Error(`exit code ${code}`)
  })
}

try {
  await main()
} catch (error) {
  if (results.every(Boolean)) {
    results.push(false)
    console.log(error)
  }
} finally {
  if (host?.exitCode === null) {
    host.kill('SIGTERM')
    host.kill('SIGTERM')
    await once(host, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}
const failed = results.filter((result) => !result).length
console.log(`  ${results.length - failed} passing\n  ${failed} failing`)
process.exitCode = failed ? 1 : 0
