import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { ModelServer, type Asked, type Play } from './model-server.js'
import { DEMO, FULL, WholeHost } from './whole-host.js'

const SECRETS = {
  model: 'canary-model-key-1b77e0',
  mcp: 'canary-mcp-secret-92af',
  bot: '424242:canary_bot_token_77',
  search: 'canary-search-key-5dd1',
  env: 'canary-env-value-aa31',
  local: 'canary-local-value-0c9e',
  file: 'canary-http-token-file-e4',
  variable: 'canary-process-variable-3f',
}
const ALL = [...Object.values(SECRETS), FULL, DEMO]

const run = (command: string) => ({ name: 'bash', input: { command } })
const read = (path: string) => ({ name: 'read_file', input: { path } })
/** Attempts to read the host's secrets. */
const TRIES = [
  run('echo seen by everyone'),
  ...[
    '.env',
    '../.env',
    '../.env.local',
    '../mynah.config.yml',
    '../mynah.config.yml.bak',
    '../data/http-token',
    '/proc/self/environ',
  ].flatMap((path) => [read(path), run(`cat ${path}`)]),
  ...[
    'env',
    'printenv',
    'set',
    'export -p',
    'cat /proc/*/environ',
    'find .. -name "*env*" -exec cat {} +',
    'grep -r canary ..',
    'ls -la .. && head -c 9999 ../data/*',
    'tr "\\0" "\\n" < /proc/1/environ',
    'cp ../.env here.txt; cat here.txt',
    'ln -s ../.env link; cat link',
  ].map(run),
  { name: 'search_files', input: { text: 'canary', path: '..' } },
  { name: 'search_files', input: { text: 'canary' } },
  { name: 'list_files', input: { path: '..' } },
  { name: 'web_fetch', input: { url: 'http://127.0.0.1:1/api/config' } },
  { name: 'web_fetch', input: { url: 'file:///etc/passwd' } },
  { name: 'recall', input: { query: 'canary' } },
  { name: 'chat_history', input: { keyword: 'canary' } },
]

describe('requests to a model server', () => {
  let host: WholeHost | undefined
  let server: ModelServer | undefined
  afterEach(async () => {
    await host?.close()
    await server?.stop()
    host = server = undefined
  })

  async function start(play: Play, agent = ''): Promise<{ host: WholeHost; server: ModelServer }> {
    server = await ModelServer.start(play)
    host = await WholeHost.start(
      `ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: ${SECRETS.model}, models: [player] } }
  agents: { main: { provider: play, model: player } }
  mcpServers: { away: { command: "false", env: { KEY: ${SECRETS.mcp} } } }
  toolbox: { search: { provider: brave, key: ${SECRETS.search} } }
  agent: { ${agent} }
`,
      { endpoint: `{ adapter: telegram, id: tg, token: "${SECRETS.bot}", apiRoot: "http://127.0.0.1:9" }` },
    )
    return { host, server }
  }

  /** Says something as the owner; resolves when all of it has ended. */
  async function say(to: WholeHost, content: string): Promise<void> {
    const { json } = await to.rpc('sandbox:send', {
      data: {
        endpointId: 'sandbox',
        channel: { type: 'private', id: 'alice' },
        sender: { id: 'alice', name: 'Alice' },
        content,
      },
    })
    const { messageId } = json['data'] as { messageId: string }
    for (;;) {
      const { json: traced } = await to.rpc('chat:traces', { messageId })
      if ((traced['data'] as { traces: { endedAt?: number }[] }).traces[0]?.endedAt !== undefined) return
      await setTimeout(10)
    }
  }

  it('contain no secret, whatever a model asks the tools for', async function () {
    this.timeout(120_000)
    const { host: running, server: peer } = await start((asked, index) => {
      if (index < 1) return { failure: { status: 400, message: `Bad request with the key ${SECRETS.model}` } }
      const at = asked.messages.filter(({ role }) => role === 'tool').length
      return asked.messages.at(-1)?.role === 'user' || at % 6 !== 0 || at < TRIES.length
        ? { calls: TRIES.slice(at, at + 6) }
        : 'I have tried everything.'
    }, 'maxIterations: 40, execSecurity: full')
    process.env['MYNAH_TEST_CANARY'] = SECRETS.variable
    await writeFile(join(running.folder, '.env'), `SOMETHING=${SECRETS.env}\n`)
    await writeFile(join(running.folder, '.env.local'), `SOMETHING=${SECRETS.local}\n`)
    await mkdir(join(running.folder, 'data'), { recursive: true })
    await writeFile(join(running.folder, 'data', 'http-token'), SECRETS.file)
    try {
      await say(running, 'hello')
      await running.rpc('models:refresh')
      await say(running, 'what went wrong before?')
    } finally {
      delete process.env['MYNAH_TEST_CANARY']
    }
    const results =
      peer.asked
        .at(-1)
        ?.messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => String(content)) ?? []
    expect(results, 'tries that were answered').to.have.length.at.least(TRIES.length)
    expect(results.filter((result) => result.includes('There is no tool'))).to.deep.equal([])
    // The tools work: text that is no secret is in the results.
    expect(results.join('\n')).to.include('seen by everyone')
    for (const secret of ALL)
      for (const [index, sent] of [...peer.bodies, ...peer.heads].entries()) {
        const at = sent.indexOf(secret)
        expect(at, `${secret} in request ${index}: ${sent.slice(Math.max(0, at - 300), at + 40)}`).to.equal(-1)
      }
  })

  it('extend the previous request over turns and tools', async function () {
    this.timeout(60_000)
    const { host: running, server: peer } = await start((asked) => {
      const last = asked.messages.at(-1)
      if (last?.role !== 'user') return 'done'
      const text = JSON.stringify(last.content)
      if (text.includes('list'))
        return {
          text: 'I look.',
          calls: [
            { name: 'list_files', input: {} },
            { name: 'remember', input: { text: 'Alice likes lists' } },
          ],
        }
      return text.includes('history') ? { calls: [{ name: 'chat_history', input: {} }] } : 'fine'
    })
    for (const text of ['hello', 'list my files', 'and the history?', 'urgent!!!', 'list them again', 'thanks'])
      await say(running, text)
    const messages = (asked: Asked | undefined): string => JSON.stringify(asked?.messages).slice(0, -1)
    const { asked } = peer
    expect(asked.length).to.be.at.least(9)
    for (let index = 1; index < asked.length; index++) {
      expect(
        JSON.stringify(asked[index]?.messages).startsWith(messages(asked[index - 1])),
        `request ${index} extends the one before`,
      ).to.equal(true)
      expect(JSON.stringify(asked[index]?.tools)).to.equal(JSON.stringify(asked[0]?.tools))
    }
  })
})
