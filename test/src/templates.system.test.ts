// Starts what `npm create mynah` writes, with the real command line, in the sandbox, on IRC and over HTTP.
// template-platforms.system.test.ts has the other platforms.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import { Effort } from './effort.js'
import { hasIrcServer, IrcUser, startIrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'
import { CREATE, Ends, Projects, stop, type Rpc } from './template-projects.js'
import { hasTerminal, Terminal } from './terminal.js'

/** Keys and reading from `npm create mynah` to the answer of a model, s. */
const AIM_SECONDS = 120

interface Manifest {
  readonly scripts: { readonly peer: string }
}

describe('a project of npm create mynah', () => {
  const ends = new Ends()
  let projects: Projects
  beforeEach(async () => {
    projects = await Projects.make(ends)
  })
  afterEach(() => ends.run())

  async function answersInSandbox(rpc: Rpc, said: string, answer: string): Promise<void> {
    const channel = { type: 'private', id: 'me' }
    const message = { endpointId: 'sandbox', channel, sender: { id: 'me' }, content: said }
    await until(async () => (await rpc('sandbox:send', message)) !== undefined, 'the sandbox')
    const history = async (): Promise<string> =>
      JSON.stringify(await rpc('sandbox:history', { endpointId: 'sandbox', channel })) ?? ''
    await until(async () => (await history()).includes(answer), `"${answer}"`)
  }

  it('answers in the sandbox', async () => {
    await projects.create('bot', 'my-bot')
    await answersInSandbox(await projects.start('my-bot'), '/hello Ada', 'Hello, Ada!')
  })

  it('answers in a channel of IRC, where a command begins with "!"', async function () {
    if (!hasIrcServer()) this.skip()
    const server = await startIrcServer()
    ends.push(() => server.stop())
    await projects.create('bot', 'my-bot', '--platform', 'irc')
    await projects.edit('my-bot/.env', {
      'irc.libera.chat': '127.0.0.1',
      'IRC_PORT=6697': `IRC_PORT=${server.port}`,
      'IRC_TLS=true': 'IRC_TLS=false',
    })
    const user = await IrcUser.join(server.port, 'ada', '#mynah-bots')
    ends.push(() => user.leave())
    await projects.start('my-bot')
    await user.hears('my-bot!')
    user.send('PRIVMSG #mynah-bots :!hello Ada')
    await user.hears('Hello, Ada!')
  })

  it('answers on IRC with a model after eleven questions in a terminal, without an editor', async function () {
    if (!hasIrcServer() || !hasTerminal()) this.skip()
    const [server, model] = [await startIrcServer(), await ModelServer.start(() => 'Plums are blue.')]
    ends.push(
      () => server.stop(),
      () => model.stop(),
    )
    const answers = ['bot', 'my-bot', 'irc', '127.0.0.1', `${server.port}`, 'false', 'plum', '#plums', 'compatible']
    const effort = new Effort()
    effort.section('npm create mynah')
    effort.decide(0)
    effort.keys('npm create mynah'.length + 1)
    effort.readText('Need to install the following packages: create-mynah. Ok to proceed?')
    effort.decide(0)
    effort.keys(1)
    effort.section('questions')
    await answerInTerminal(projects.folder, ends, [...answers, model.url, 'a-key'], effort)
    const user = await IrcUser.join(server.port, 'ada', '#plums')
    ends.push(() => user.leave())
    await projects.start('my-bot')
    await user.hears('plum!')
    effort.section('IRC')
    const question = 'plum: hello'
    effort.decide(0)
    effort.keys(question.length + 1)
    user.send(`PRIVMSG #plums :${question}`)
    await user.hears('Plums are blue.')
    process.stdout.write(`      ${effort.summary()}\n`)
    expect(effort.seconds, 'seconds of keys and reading').to.be.at.most(AIM_SECONDS)
  })

  it('answers over HTTP its own peer, which checks the signature', async () => {
    await projects.create('bot', 'my-bot', '--platform', 'webhook')
    const project = projects.at('my-bot')
    const [port, peerPort] = [await freePort(), await freePort()]
    await projects.edit('my-bot/.env', { ':9000': `:${peerPort}` })
    await projects.start('my-bot', port)
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as Manifest
    const [, ...args] = scripts.peer.split(' ')
    const run = { cwd: project, env: { ...process.env, PORT: String(port) } }
    const peer = spawn(process.execPath, args, { ...run, stdio: ['pipe', 'pipe', 'inherit'] })
    ends.push(() => stop(peer))
    let heard = ''
    peer.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    peer.stdin.write('/hello Ada\n')
    await until(() => heard.includes('Hello, Ada!'), 'the answer at the peer')
    // A stranger who knows the address, but not the secret.
    const address = `http://127.0.0.1:${peerPort}/messages`
    expect((await fetch(address, { method: 'POST', body: '{"text":"a forgery"}' })).status).to.equal(401)
    expect(heard).not.to.contain('a forgery')
  })

  it('is a plugin that runs in a host of its own, built or not', async () => {
    await projects.create('plugin', 'mynah-plugin-dice')
    await answersInSandbox(await projects.start('mynah-plugin-dice'), '/dice Ada', 'Hello, Ada!')
  })

  it('is an adapter whose room answers', async () => {
    await projects.create('adapter', 'mynah-plugin-line')
    const port = await freePort()
    await projects.edit('mynah-plugin-line/mynah.config.yml', { 'port: 7000': `port: ${port}` })
    await projects.start('mynah-plugin-line')
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
async function answerInTerminal(folder: string, ends: Ends, answers: readonly string[], effort: Effort): Promise<void> {
  const program = `${process.execPath} ${CREATE} --no-install`
  const terminal = new Terminal(program, { cwd: folder })
  ends.push(() => terminal.stop())
  for (const answer of answers) {
    effort.readText(await terminal.shows(/\? [^\n]{0,120}\S $|\? $/))
    effort.decide(0)
    effort.keys(answer.length + 1)
    terminal.type(answer)
  }
  expect(await terminal.ended(), terminal.said).to.equal(0)
  effort.readText(await terminal.shows(/restarts it after each change/))
}
