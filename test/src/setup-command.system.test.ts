// Runs `mynah setup` against servers of a platform and of a model, with flags and in a terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import { hasIrcServer, IrcUser, startIrcServer, type IrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MYNAH = join(ROOT, 'plugins/mynah/bin/mynah.js')
const TERMINAL = '/usr/bin/script'
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]{0,10}[A-Za-z]/g
const KEY = 'a-key-that-stays-hidden'

describe('mynah setup', function () {
  this.timeout(180_000)
  let folder: string
  let irc: IrcServer
  let model: ModelServer
  before(async function () {
    if (!hasIrcServer()) return this.skip()
    irc = await startIrcServer()
    model = await ModelServer.start(() => 'Plums are blue.')
  })
  after(async () => {
    await irc?.stop()
    await model?.stop()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-setup-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(
      join(folder, 'mynah.config.yml'),
      `# A host of its own.
plugins:
  - http-core
  - console-rpc
  - events
  - workspace
  - chat
  - adapter-sandbox
http: { port: ${await freePort()} }
endpoints:
  - { adapter: sandbox, id: sandbox }   # stays
`,
    )
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  const setup = (...args: string[]): ReturnType<typeof mynah> => mynah('setup', ...args)
  const mynah = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const child = spawn(process.execPath, [MYNAH, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = (await once(child, 'exit')) as [number]
    return { code, out, err }
  }
  const account = (...more: string[]): string[] => [
    'platform',
    'irc',
    'host=127.0.0.1',
    'tls=false',
    'nick=plum',
    ...more,
  ]

  it('saves a platform and a model that work, and their secrets in .env', async () => {
    const added = await setup(...account(`port=${irc.port}`, 'channels=#plums,#pears'))
    expect(added.code, added.err).to.equal(0)
    expect(added.out).to.contain('It connects as plum').and.to.contain('Next: mynah start --console')
    expect(added.err).to.contain('starting the host').and.to.contain('testing')
    const given = await setup('model', 'openai-compatible', `baseUrl=${model.url}`, `apiKey=${KEY}`)
    expect(given.code, given.err).to.equal(0)
    expect(given.out).to.match(/player answers \(\d+ tokens in, 10 out\)/)
    expect(given.out + given.err + added.out).to.not.match(/\u001b|a-key-that/)
    const written = await read('mynah.config.yml')
    expect(written).to.contain('# A host of its own.').and.to.contain('adapter-irc').and.to.contain('agent')
    expect(written).to.contain('${OPENAI_COMPATIBLE_API_KEY}').and.not.to.contain(KEY)
    expect(await read('.env')).to.equal(`OPENAI_COMPATIBLE_API_KEY=${KEY}\n`)
    expect((await stat(join(folder, '.env'))).mode & 0o077).to.equal(0)
    const user = await IrcUser.join(irc.port, 'ada', '#pears')
    const host = spawn(process.execPath, [MYNAH, 'start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    host.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    try {
      // An endpoint is online before the plugin that answers has started.
      await until(() => said.includes('plugins are up'), 'the host')
      await user.hears(':plum!')
      user.send('PRIVMSG #pears :plum: which colour have plums?')
      await user.hears('Plums are blue.')
    } finally {
      user.leave()
      const ended = once(host, 'exit')
      host.kill('SIGTERM')
      await ended
    }
  })

  it('adds one account, and refuses another one of the same id', async () => {
    const [, ...values] = account(`port=${irc.port}`, 'id=orchard')
    const added = await mynah('endpoint', 'add', ...values)
    expect(added.code, added.err).to.equal(0)
    expect(added.out).to.contain('It connects as plum')
    expect(await read('mynah.config.yml')).to.contain('id: orchard')
    const before = await read('mynah.config.yml')
    const again = await mynah('endpoint', 'add', ...values)
    expect(again.code).to.equal(1)
    expect(again.err).to.contain('there is an endpoint irc/orchard already').and.to.contain('add irc id=irc')
    expect(await read('mynah.config.yml')).to.equal(before)
  })

  it('refuses an id with control characters, and saves nothing', async () => {
    const before = await read('mynah.config.yml')
    const [, ...values] = account(`port=${irc.port}`)
    for (const id of ['or\u001b[31mchard', 'or\nchard', 'or\u202echard']) {
      const { code, out, err } = await mynah('endpoint', 'add', ...values, `id=${id}`)
      expect(code, err).to.equal(1)
      expect(err).to.contain('Id of the endpoint, unique for its adapter, without control characters')
      expect(err).to.contain('Nothing was saved').and.to.contain('mynah endpoint add irc')
      expect(out + err).not.to.contain(id)
    }
    expect((await read('mynah.config.yml')).replace('  - adapter-irc\n', '').replaceAll(/ +#/g, ' #')).to.equal(
      before.replaceAll(/ +#/g, ' #'),
    )
  })

  it('saves nothing that does not work, and says what to type', async () => {
    const before = await read('mynah.config.yml')
    const { code, err } = await setup(...account('port=1', 'password=hush-hush'))
    expect(code).to.equal(1)
    expect(err).to.contain('it does not work: connect ECONNREFUSED').and.to.contain('mynah setup platform irc')
    expect(existsSync(join(folder, '.env'))).to.equal(false)
    // The plugin of the platform is enabled, so that the next try is faster.
    expect((await read('mynah.config.yml')).replace('  - adapter-irc\n', '').replaceAll(/ +#/g, ' #')).to.equal(
      before.replaceAll(/ +#/g, ' #'),
    )
  })

  const mistakes: readonly [args: string[], code: number, says: string, hint: string][] = [
    [[], 64, 'this is no terminal', 'mynah setup platform irc host=irc.example'],
    [['platfrom', 'irc'], 64, '"platfrom" is neither platform nor model', 'mynah setup'],
    [['platform'], 64, 'which platform?', 'mynah setup'],
    [['model', 'nonesuch'], 64, '"nonesuch" is no family of models', 'openai, anthropic'],
    [['platform', 'irc', 'nick=plum'], 64, 'host is missing', 'mynah setup platform irc host=…'],
    [['platform', 'irc', 'hots=x'], 64, '"hots" is no option here', 'mynah setup platform irc'],
    [['platform', 'nonesuch-at-all'], 1, 'no plugin "adapter-nonesuch-at-all" is installed', 'npm install'],
  ]
  for (const [args, code, says, hint] of mistakes)
    it(`explains "mynah setup ${args.join(' ')}"`, async () => {
      const ended = await setup(...args)
      expect(ended.code, ended.err).to.equal(code)
      expect(ended.err).to.contain(says).and.to.contain(hint)
    })

  for (const [args, code, says, hint] of [
    [[], 64, 'this is no terminal', 'mynah endpoint add irc host=irc.example'],
    [['host=x'], 64, 'which platform?', 'mynah endpoint add irc'],
    [['irc', 'nick'], 64, '"nick" is no option', 'mynah endpoint add irc'],
    [['irc', 'nick=plum'], 64, 'host is missing', 'mynah endpoint add irc host=…'],
  ] as const)
    it(`explains "mynah endpoint add ${args.join(' ')}"`, async () => {
      const ended = await mynah('endpoint', 'add', ...args)
      expect(ended.code, ended.err).to.equal(code)
      expect(ended.err).to.contain(says).and.to.contain(hint)
    })

  it('asks in a terminal, hides the key, and lets mistakes be corrected', async function () {
    if (!existsSync(TERMINAL)) this.skip()
    const shown = await inTerminal([
      ['Add a platform?', 'irc'],
      ['host:', '127.0.0.1'],
      ['nick:', 'plum'],
      ['master:', 'ada'],
      ['port:', '1'],
      ['tls:', 'false'],
      ['channels:', '#plums'],
      ['Change the answers', 'change'],
      ['host:', ''],
      ['nick:', ''],
      ['master:', ''],
      ['port:', String(irc.port)],
      ['tls:', ''],
      ['channels:', ''],
      ['Which models answer?', 'openai-compatible'],
      ['apiKey:', KEY],
      ['baseUrl:', model.url],
    ])
    expect(shown)
      .to.contain('the bot answers /help')
      .and.to.contain('It connects as plum')
      .and.to.contain('player answers')
    expect(shown).not.to.contain(KEY)
    expect(await read('mynah.config.yml'))
      .to.contain('master: ada')
      .and.to.contain('"#plums"')
  })

  /** Answers each question when it is asked. Returns everything that was shown. */
  async function inTerminal(answers: readonly (readonly [question: string, answer: string])[]): Promise<string> {
    const child = spawn(TERMINAL, ['-qec', `${process.execPath} ${MYNAH} setup`, '/dev/null'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit')
    let [all, since] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      all += text
      since += text
    })
    for (const [question, answer] of answers) {
      await until(
        () => since.replace(ESCAPES, '').includes(question),
        () => `the question ${question} in: ${all.slice(-500)}`,
      )
      since = ''
      child.stdin.write(`${answer}\r`)
    }
    const [code] = (await ended) as [number]
    expect(code, all).to.equal(0)
    return all.replace(ESCAPES, '')
  }
})
