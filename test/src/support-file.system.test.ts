// Canaries: plants secrets in a real host and lets people say sentences to it. Neither may be in a report about it.
import { expect } from 'chai'
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@mynah/kernel/testing'
import { Bench, freePort, type Running } from '../../plugins/mynah/dist/test/cli.js'
import { ModelServer } from './model-server.js'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const SECRETS = {
  option: 'canary-option-7a10e2',
  variable: 'canary-variable-19fe03',
  file: 'canary-file-variable-c0aa71',
  token: 'canary-admin-token-5be920',
  providerKey: 'canary-provider-key-880d1c',
  header: 'canary-header-41f7bb',
  basic: 'Y2FuYXJ5OmJhc2lj',
}
const SENTENCES = {
  message: 'my sister marries the baker on friday',
  name: 'Ophelia Birdwhistle',
  fileName: 'divorce-papers-of-ophelia.pdf',
  argument: 'the code of the garage is under the third flower pot',
  cause: 'the doctor found something in the left lung',
  master: 'person-90210-of-the-house',
  alias: 'models-of-aunt-eugenia',
  group: 'the quarrel about the inheritance',
}
const CANARIES = Object.entries({ ...SECRETS, ...SENTENCES })

/** A plugin that logs everything it hears, and fails with it. */
const CARELESS = `import { commands, defineCommand, middlewares, param } from 'mynah'
import { defineTool, tools } from 'mynah/ai'
export default {
  name: 'careless',
  config: { key: 'careless', schema: { type: 'object', properties: { note: { type: 'string' }, ids: { type: 'array' } } } },
  setup(ctx) {
    ctx.log.error('the header is ' + ctx.config.note + ' and Basic ${SECRETS.basic}', { code: ctx.config.note, error: ctx.config.note })
    ctx.contribute(commands, defineCommand({ name: 'break', description: 'Fails', args: { text: param.rest() },
      run({ args, message }) {
        ctx.log.error('failed to send an answer: ' + args.text + ' by ' + message.sender.name + ' in ' + message.channel.id)
        ctx.log.warn(JSON.stringify(message.content ?? message.segments))
        ctx.log.error(args.text)
        throw new TypeError(args.text + '\\n    at ' + args.text + ' (/tmp/' + args.text + ':1:1)')
      } }))
    ctx.contribute(tools, defineTool({ name: 'shout', description: 'Shouts a text', effect: 'read', keywords: ['shout'],
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run({ text }) { ctx.log.error('a tool failed: ' + text, { error: new Error(text) }); throw new Error(text) } }))
    setImmediate(() => { throw Object.assign(new Error('the peer sent ${SENTENCES.cause}'), { code: 'ECONNRESET' }) })
  },
}
`

const config = (port: number, model: string): string => `plugins: [http-core, console-rpc, events, management, database,
  logs, chat, inbox, adapter-sandbox, ai, agent, ./careless.mjs]
http: { port: ${port} }
careless: { note: "${SECRETS.header}", ids: [901234567, "${SECRETS.option}"] }
endpoints:
  - { adapter: sandbox, id: "${SENTENCES.group}", master: "${SENTENCES.master}" }
ai:
  providers: { ${SENTENCES.alias}: { sdk: openai-compatible, baseUrl: "${model}", models: [player],
    apiKey: ["${SECRETS.providerKey}", "\${CANARY_KEY}", "\${FILE_KEY}"] } }
  agents: { main: { provider: ${SENTENCES.alias}, model: player } }
`

describe('mynah support', function () {
  // Each report reads the code of all packages, which a loaded machine needs seconds for.
  this.timeout(240_000)
  let bench: Bench
  let model: ModelServer
  let running: Running
  before(async () => {
    model = await ModelServer.start((_asked, index) =>
      index === 0
        ? { calls: [{ name: 'shout', input: { text: SENTENCES.argument } }] }
        : { failure: { status: 400, message: `we do not serve "${SENTENCES.message}"` } },
    )
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': config(port, model.url).replace(/^ {4}apiKey/m, '    apiKey'),
      'careless.mjs': CARELESS,
      '.env': `FILE_KEY=${SECRETS.file}\n`,
      'package.json': '{ "name": "canaries", "type": "module", "private": true }',
    })
    await symlink(MODULES, join(bench.folder, 'node_modules'))
    running = bench.start('start', { HTTP_TOKEN: SECRETS.token, CANARY_KEY: SECRETS.variable })
    await running.shows(/plugins are up/)
    const say = async (content: unknown): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRETS.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'sandbox:send',
          requestId: 1,
          data: {
            endpointId: SENTENCES.group,
            channel: { type: 'private', id: SENTENCES.master },
            sender: { id: SENTENCES.master, name: SENTENCES.name },
            content,
          },
        }),
      })
      expect(response.status, await response.text()).to.equal(200)
    }
    await say([
      { type: 'text', data: { text: `/break ${SENTENCES.message}` } },
      { type: 'file', data: { url: `https://files.example/${SENTENCES.fileName}`, name: SENTENCES.fileName } },
    ])
    await running.shows(/failed to send an answer: my sister/)
    await say('shout something')
    await running.shows(/a tool failed: the code of the garage/)
    await until(() => model.bodies.length > 1)
    await running.shows(/turn failed/)
  })
  after(async () => {
    await bench?.remove()
    await model?.stop()
  })

  /** Returns the report, which has no canary. */
  const report = async (args = '--json'): Promise<{ text: string; json: Report }> => {
    const { code, out, err } = await bench.run(`support ${args}`)
    expect(code, err).to.equal(0)
    expect(err).to.equal('')
    const text = out
    const found = CANARIES.filter(([, canary]) => text.toLowerCase().includes(canary.toLowerCase()))
    expect(found, text).to.deep.equal([])
    expect(text).to.not.contain('901234567').and.not.contain(bench.folder)
    return { text, json: JSON.parse(text) as Report }
  }

  it('is tried on a host whose log has what people said', () => {
    for (const sentence of [SENTENCES.message, SENTENCES.name, SENTENCES.argument, SENTENCES.cause, SENTENCES.master])
      expect(running.out).to.contain(sentence)
  })

  it('shows a running host without secrets and what people said', async () => {
    const { json } = await report()
    expect(json.host).to.include({ state: 'running', version: json.versions.mynah })
    expect(json.versions).to.have.property('node', process.versions.node)
    expect(json.versions.npm).to.match(/^\d+\./)
    expect(json.versions.packages).to.have.property('@mynah/plugin-chat')
    expect(json.configuration.values).to.have.property('http')
    expect(json.configuration.values.endpoints).to.deep.equal([{ adapter: 'sandbox', id: '…', master: '…' }])
    expect(json.configuration.values.careless).to.deep.equal({ note: '…', ids: ['…', '…'] })
    expect(json.configuration.values.ai?.providers).to.have.keys('(name 1)')
    expect(json.figures.metrics).to.have.property('mynah_messages_total{kind=received}').that.is.at.least(2)
    const lines = json.log.lines.map(({ plugin, message }) => `${plugin}: ${message}`)
    expect(lines).to.include('(own plugin): failed to send an answer: …').and.include('(own plugin): …')
    expect(
      lines.filter((line) => line.startsWith('agent: turn failed')),
      lines.join('\n'),
    ).to.have.length(1)
    const uncaught = json.log.lines.filter(({ code }) => code === 'ECONNRESET' || code === 'plugin/failed-later')
    expect(uncaught, lines.join('\n')).to.have.length.above(0)
    const places = json.log.lines.flatMap(({ stack = [] }) => stack)
    expect(
      places.some((place) => /^@mynah\/plugin-chat\/dist\/.+\.js:\d+:\d+$/.test(place)),
      places.join(),
    ).to.equal(true)
    expect(places).to.include('(own plugin)')
  })

  it('writes a file for its owner only, once that is confirmed', async () => {
    const before = await readdir(bench.folder)
    const refused = await bench.run('support')
    expect(refused.code).to.equal(4)
    expect(refused.out).to.contain('"versions"')
    expect(refused.err).to.contain('nothing was written').and.to.contain('--yes')
    expect(await readdir(bench.folder)).to.deep.equal(before)

    const { code, out, err } = await bench.run('support --yes --output=report.json')
    expect(code, err).to.equal(0)
    expect(out).to.contain('"versions"').and.to.contain('report.json is written')
    const file = join(bench.folder, 'report.json')
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    const text = await readFile(file, 'utf8')
    expect(out.startsWith(text), 'the file is what was shown').to.equal(true)
    for (const [what, canary] of CANARIES) expect(text, what).to.not.contain(canary)
  })

  it('replaces a file only where that is confirmed', async () => {
    const file = join(bench.folder, 'report.json')
    await writeFile(file, 'another')
    await chmod(file, 0o644)
    const again = await bench.run('support --json --output=report.json')
    expect(again.code).to.equal(4)
    expect(again.err).to.contain('report.json is there already')
    expect(await readFile(file, 'utf8')).to.equal('another')
    const replaced = await bench.run('support --json --yes --output=report.json')
    expect(JSON.parse(replaced.out)).to.have.property('file').that.contains('report.json')
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    expect((await bench.run('support --output=')).code).to.equal(64)
  })

  it('shows a killed host with a broken configuration from its database', async () => {
    const { pid } = JSON.parse((await bench.run('status --json')).out) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await running.ended
    const file = join(bench.folder, 'mynah.config.yml')
    const valid = await readFile(file, 'utf8')
    await writeFile(file, `${valid}\ncareless: [ "${SECRETS.option}\n`)
    const { json } = await report()
    expect(json.host.state).to.equal('stopped')
    expect(json.configuration.problems.map(({ code }) => code)).to.include('config/syntax')
    const lines = json.log.lines.map(({ message }) => message)
    expect(lines).to.include('failed to send an answer: …')
    await writeFile(file, valid.replace('adapter-sandbox', `adapter-${SECRETS.option}`))
    const unknown = await report()
    expect(unknown.json.configuration.problems.map(({ code }) => code)).to.include('plugin/unknown')
  })
})

interface Report {
  readonly versions: { readonly mynah: string; readonly npm: string; readonly packages: object }
  readonly host: { readonly state: string }
  readonly configuration: {
    readonly problems: readonly { readonly code: string }[]
    readonly values: {
      readonly endpoints?: unknown
      readonly careless?: unknown
      readonly ai?: { readonly providers: unknown }
    }
  }
  readonly figures: { readonly metrics: object }
  readonly log: {
    readonly lines: readonly {
      readonly plugin: string
      readonly message: string
      readonly code?: string
      readonly stack?: readonly string[]
    }[]
  }
}
