// Starts what `npm create mynah` writes, with the real command line, against servers of the platforms.
import { existsSync } from 'node:fs'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import { hasIrcServer, IrcUser, startIrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'
import { TelegramServer } from './telegram-server.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOKEN = 'a-token-for-a-host-under-test'

/** Runs a program in a terminal of its own. */
const TERMINAL = '/usr/bin/script'
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]{0,10}[A-Za-z]/g

/** Ends what a test has started, the last thing first. */
const ends: (() => unknown)[] = []

describe('a project of npm create mynah', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-template-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const create = (...args: string[]): Promise<unknown> =>
    promisify(execFile)(
      process.execPath,
      [join(ROOT, 'create-mynah/bin/create-mynah.js'), ...args, '--yes', '--no-install'],
      { cwd: folder },
    )

  /** Starts the host of a project. Returns a function that calls its RPC. */
  async function start(project: string): Promise<(type: string, data?: object) => Promise<unknown>> {
    const port = await freePort()
    const child = spawn(process.execPath, [join(ROOT, 'plugins/mynah/bin/mynah.js'), 'start'], {
      cwd: project,
      env: { ...process.env, PORT: String(port), HTTP_TOKEN: TOKEN },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    ends.push(() => stop(child))
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    await until(
      () => {
        expect(child.exitCode, said).to.equal(null)
        return fetch(`http://127.0.0.1:${port}/pub/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      },
      () => `the host: ${said}`,
    )
    return async (type, data) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ type, requestId: 1, data }),
      })
      return ((await response.json()) as { data: unknown }).data
    }
  }

  async function stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  async function answersInSandbox(rpc: Awaited<ReturnType<typeof start>>, said: string, answer: string): Promise<void> {
    const channel = { type: 'private', id: 'me' }
    const message = { endpointId: 'sandbox', channel, sender: { id: 'me' }, content: said }
    await until(async () => (await rpc('sandbox:send', message)) !== undefined, 'the sandbox')
    const history = async (): Promise<string> =>
      JSON.stringify(await rpc('sandbox:history', { endpointId: 'sandbox', channel })) ?? ''
    await until(async () => (await history()).includes(answer), `"${answer}"`)
  }

  it('answers in the sandbox', async () => {
    await create('bot', 'my-bot')
    await answersInSandbox(await start(join(folder, 'my-bot')), '/hello Ada', 'Hello, Ada!')
  })

  it('answers in a channel of IRC, where a command begins with "!"', async function () {
    if (!hasIrcServer()) this.skip()
    const server = await startIrcServer()
    ends.push(() => server.stop())
    await create('bot', 'my-bot', '--platform', 'irc')
    const env = join(folder, 'my-bot/.env')
    const text = await readFile(env, 'utf8')
    await writeFile(
      env,
      text
        .replace('irc.libera.chat', '127.0.0.1')
        .replace('IRC_PORT=6697', `IRC_PORT=${server.port}`)
        .replace('IRC_TLS=true', 'IRC_TLS=false'),
    )
    const user = await IrcUser.join(server.port, 'ada', '#mynah-bots')
    ends.push(() => user.leave())
    await start(join(folder, 'my-bot'))
    await user.hears('my-bot!')
    user.send('PRIVMSG #mynah-bots :!hello Ada')
    await user.hears('Hello, Ada!')
  })

  it('answers on IRC with a model after eleven questions in a terminal, without an editor', async function () {
    if (!hasIrcServer() || !existsSync(TERMINAL)) this.skip()
    const [server, model] = [await startIrcServer(), await ModelServer.start(() => 'Plums are blue.')]
    ends.push(
      () => server.stop(),
      () => model.stop(),
    )
    const answers = ['bot', 'my-bot', 'irc', '127.0.0.1', `${server.port}`, 'false', 'plum', '#plums', 'compatible']
    await answerInTerminal(folder, [...answers, model.url, 'a-key'])
    const user = await IrcUser.join(server.port, 'ada', '#plums')
    ends.push(() => user.leave())
    await start(join(folder, 'my-bot'))
    await user.hears('plum!')
    user.send('PRIVMSG #plums :plum: which colour have plums?')
    await user.hears('Plums are blue.')
  })

  it('answers on Telegram', async () => {
    const server = await TelegramServer.start()
    ends.push(() => server.stop())
    await create('bot', 'my-bot', '--platform', 'telegram')
    const env = join(folder, 'my-bot/.env')
    await writeFile(env, (await readFile(env, 'utf8')).replace('TELEGRAM_TOKEN=', 'TELEGRAM_TOKEN=1:secret'))
    const file = join(folder, 'my-bot/mynah.config.yml')
    const config = await readFile(file, 'utf8')
    await writeFile(file, config.replace('id: telegram,', `id: telegram, apiRoot: "${server.url}",`))
    await start(join(folder, 'my-bot'))
    server.say({ text: '/hello Ada' })
    await until(() => server.said.includes('Hello, Ada!'), 'the answer on Telegram')
  })

  it('is a plugin that runs in a host of its own, built or not', async () => {
    await create('plugin', 'mynah-plugin-dice')
    await answersInSandbox(await start(join(folder, 'mynah-plugin-dice')), '/dice Ada', 'Hello, Ada!')
  })

  it('is an adapter whose room answers', async () => {
    await create('adapter', 'mynah-plugin-line')
    const project = join(folder, 'mynah-plugin-line')
    const port = await freePort()
    const file = join(project, 'mynah.config.yml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('port: 7000', `port: ${port}`))
    await start(project)
    const room = await roomOn(port)
    ends.push(() => room.destroy())
    let heard = ''
    room.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    room.write('/help\n')
    await until(() => heard.includes('/help'), 'an answer in the room')
  })
})

/** Connects to the room of an adapter once it listens. */
async function roomOn(port: number): Promise<Socket> {
  let room: Socket | undefined
  await until(async () => {
    const socket = connect(port, '127.0.0.1')
    room = await once(socket, 'connect').then(
      () => socket,
      () => undefined,
    )
    return room
  }, 'the room')
  return room as Socket
}

/** Runs `npm create mynah` in a terminal and answers each question when it is asked. */
async function answerInTerminal(folder: string, answers: readonly string[]): Promise<void> {
  const program = `${process.execPath} ${join(ROOT, 'create-mynah/bin/create-mynah.js')} --no-install`
  const child = spawn(TERMINAL, ['-qec', program, '/dev/null'], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  for (const answer of answers) {
    await until(
      () => /\? [^\n]{0,120}\S $|\? $/.test(shown.replace(ESCAPES, '')),
      () => `a question: ${shown.slice(-200)}`,
    )
    shown = ''
    child.stdin.write(`${answer}\r`)
  }
  const [code] = await ended
  expect(code, shown).to.equal(0)
}
