import { expect } from 'chai'
import { ModelServer } from './model-server.js'
import { say } from './sandbox-talk.js'
import { WholeHost } from './whole-host.js'

/** At least two English words in a row, outside of what is quoted from the log in brackets, and of commands. */
const ENGLISH = /[A-Za-z]{2,}[,;]? [a-z]{2,}/
/** Returns whether a line is data: names and texts of people, models and tools. */
const isData = (line: string): boolean => /^\s*(>|●|○|-? ?\/|[→ ]? ?\d+\. )/.test(line)

/** Each command as a person would use it, rightly and wrongly. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  help: ['/help', '/help nothing', '/help tree'],
  cmd: ['/cmd', '/cmd zzz'],
  endpoints: ['/endpoints', '/endpoints zzz'],
  bindings: ['/bindings', '/bindings zzz'],
  tools: ['/tools zzz'],
  mcp: ['/mcp', '/mcp zzz'],
  uptime: ['/uptime'],
  'mcp accept': ['/mcp accept unknown', '/mcp accept away'],
  'job run': ['/job run nothing', '/job run heartbeat'],
  approve: ['/approve nothing'],
  'approve deny': ['/approve deny nothing'],
  'approve always': ['/approve always'],
  'approve always bash': ['/approve always bash'],
  'approve rule': ['/approve rule (', '/approve rule whoami'],
  'approve list': ['/approve list'],
  'approve revoke rule': ['/approve revoke rule 1234'],
  'approve revoke': ['/approve revoke', '/approve list'],
  status: ['/status'],
  usage: ['/usage'],
  context: ['/context', '/context clear', '/context'],
  pairing: ['/pairing'],
  'pairing accept': ['/pairing accept bob', '/pairing'],
  'pairing remove': ['/pairing remove bob', '/pairing remove bob'],
  model: ['/model', '/model zzz', '/model player', '/model default'],
  think: ['/think', '/think high', '/think default'],
  models: ['/models', '/models zzz'],
  health: ['/health'],
  stop: ['/stop'],
  tree: ['/tree', '/tree 9', '/tree 1 summary', '/tree 1'],
  compact: ['/compact', '/compact 数字'],
  answer: ['/answer nothing 1'],
  reset: ['/reset', '/reset', '/compact', '/tree', '/context', '/status', '/usage'],
}

describe('bot with the language Chinese', () => {
  let host: WholeHost
  let server: ModelServer
  before(async function () {
    this.timeout(60_000)
    server = await ModelServer.start(() => '一、二、三。')
    host = await WholeHost.start(`commands: { locale: zh-CN }
ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [player] } }
  agents: { main: { provider: play, model: player } }
  mcpServers: { away: { command: "false" } }
`)
  })
  after(async () => {
    await host.close()
    await server.stop()
  })

  const english = (answers: readonly string[]): string[] =>
    answers
      .flatMap((answer) => answer.split('\n'))
      .filter((line) => !isData(line) && ENGLISH.test(line.replaceAll(/（[^）]*）|\/[a-z ]+/g, '')))
  const commands = async (): Promise<{ readonly pattern: string; readonly plugin: string }[]> =>
    (
      (await host.call('/api/introspection/commands?pageSize=200')).json['data'] as {
        items: { pattern: string; plugin: string }[]
      }
    ).items
  const nameOf = (pattern: string): string => pattern.slice(1).replace(/ [[<-].*$/, '')
  /** Those of the framework: a host's own plugin says what it likes. */
  const own = async (): Promise<string[]> =>
    (await commands()).filter(({ plugin }) => plugin !== 'notes').map(({ pattern }) => nameOf(pattern))

  it('describes each command and each of its arguments in Chinese', async function () {
    this.timeout(60_000)
    for (const name of await own()) {
      const [told = ''] = await say(host, `/help ${name}`)
      const lines = told.split('\n').filter((line) => line.includes(' – '))
      expect(lines, name).to.not.be.empty
      for (const line of lines) expect(line.split(' – ')[1], `${name}: ${line}`).to.match(/\p{Script=Han}/u)
    }
  })

  it('answers each command in Chinese', async function () {
    this.timeout(120_000)
    const names = await own()
    expect(
      names.filter((name) => LINES[name] === undefined),
      'commands that this test does not use',
    ).to.be.empty
    expect(await say(host, '数到三')).to.deep.equal(['一、二、三。'])
    for (const line of Object.values(LINES).flat()) {
      const answers = await say(host, line)
      if (!line.startsWith('/answer')) expect(answers, line).to.not.be.empty
      expect(english(answers), line).to.be.empty
    }
  })

  it('rejects unauthorized users in Chinese', async () => {
    for (const line of [
      '/compact',
      '/approve list',
      '/status',
      '/usage',
      '/context',
      '/stop',
      '/model x',
      '/think low',
      '/models',
      '/uptime',
    ]) {
      const answers = await say(host, line, { user: 'bob', channel: { type: 'group', id: 'g' } })
      expect(answers.join(), line).to.match(/\p{Script=Han}/u)
      expect(english(answers), line).to.be.empty
    }
  })
})
