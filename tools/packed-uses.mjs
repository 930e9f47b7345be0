// How each packed plugin is used once: with which others, and what shows that it works.
import { createHmac } from 'node:crypto'
import {
  botApi,
  dingtalkApi,
  discordApi,
  homeserver,
  ircServer,
  larkApi,
  mailServer,
  oneBotServer,
  registry,
  slackApi,
} from './packed-servers.mjs'
import { freePort, until } from './trial.mjs'

const WEB = ['http-core', 'console-rpc', 'events']
const CHAT = [...WEB, 'management', 'chat', 'adapter-sandbox']
const SANDBOX = 'endpoints: [{ adapter: sandbox, id: sandbox, master: visitor }]\n'
const SDK = ['@ai-sdk/openai-compatible@2.0.87']
const SECRET = 'a secret of at least 16 characters'

const BOT = `import { commands, defineCommand, definePlugin, param } from 'mynah'
export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'hello', description: 'Greets', args: { name: param.rest({ default: 'world' }) }, run: ({ args }) => \`Hello, \${args.name}!\` }))
  },
})
`
const LEDGER = `import { commands, defineCommand, definePlugin } from 'mynah'
import { Database, entities, entity, newId } from '@mynah/plugin-database/api'
const Paid = entity({ name: 'paid', columns: { id: { type: 'text', primary: true } } })
export default definePlugin({
  name: 'ledger',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Paid)
    ctx.contribute(commands, defineCommand({ name: 'pay', description: 'Pays', run: async () => {
      await ctx.database.tx((db) => db.insert(Paid, { id: newId() }))
      return \`\${(await ctx.database.read((db) => db.find(Paid))).length} paid\`
    } }))
  },
})
`
const ONE_TOOL_SERVER = `import { createInterface } from 'node:readline'
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'one', version: '1.0.0' } })
  else if (method === 'tools/list') answer(id, { tools: [{ name: 'roll', description: 'Rolls', inputSchema: { type: 'object' } }] })
  else if (id !== undefined) answer(id, {})
})
`

const unusedPort = async () => ({ port: await freePort(), stop: () => {} })
const expectThat = (value, what) => {
  if (!value) throw new Error(what)
}

/** Requests a path of the API as the owner. */
async function get(host, path) {
  const response = await fetch(`${host.origin}${path}`, { headers: { authorization: `Bearer ${host.token}` } })
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  return response
}

const online = (host, id) =>
  until(`the endpoint ${id} online`, async () =>
    (await host.rpc('endpoint:list')).endpoints.some((endpoint) => endpoint.name === id && endpoint.connected),
  )

/** An agent with the practice model; `plugins` join it. */
const agent = (plugins, { files, run, more = '' }) => ({
  packages: SDK,
  plugins: [...CHAT, 'ai', 'agent', 'practice-model', ...plugins],
  config: `${SANDBOX}${more}`,
  files,
  run,
})

const says = (said, answer) => (host) => host.chat(said, answer)

/**
 * Uses by the name of the package: which plugins run with it, what they read, and what shows that it works.
 * `packages` are further packages of the registry, `needs` further ones of Mynah. `absent` are packages that must not
 * be installed, `types` is TypeScript that must compile against what is installed.
 */
export const USES = {
  '@mynah/plugin-http-core': { plugins: ['http-core'], run: (host) => get(host, '/pub/health') },
  '@mynah/plugin-console-rpc': {
    plugins: ['http-core', 'console-rpc'],
    run: async (host) => expectThat((await host.rpc('ping')).type === 'pong', 'no pong'),
  },
  '@mynah/plugin-events': {
    plugins: ['http-core', 'events'],
    run: async (host) => {
      const { body } = await get(host, '/api/events')
      const { value } = await body.getReader().read()
      expectThat(value.length > 0, 'the stream is empty')
    },
  },
  '@mynah/plugin-entries': {
    plugins: [...WEB, 'entries', 'chat', 'adapter-sandbox'],
    config: SANDBOX,
    run: async (host) => {
      const [entry] = await until('an entry', async () => (await host.rpc('entries:get')).filter(({ id }) => id))
      expectThat((await get(host, entry.resolvedModule)).status === 200, 'the page is not served')
    },
  },
  '@mynah/plugin-management': { plugins: [...WEB, 'management'], run: (host) => get(host, '/api/stats') },
  '@mynah/plugin-workspace': {
    plugins: [...WEB, 'workspace'],
    run: async (host) => expectThat((await host.rpc('config:get-yaml')).yaml.includes('workspace'), 'no text'),
  },
  '@mynah/plugin-introspection': {
    plugins: [...CHAT, 'introspection', './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': BOT },
    run: async (host) =>
      expectThat((await (await get(host, '/api/introspection/commands')).text()).includes('hello'), 'no command'),
  },
  '@mynah/plugin-logs': {
    plugins: ['http-core', 'logs'],
    run: (host) => until('a line', async () => (await (await get(host, '/api/logs')).text()).includes('listening')),
  },
  '@mynah/plugin-marketplace': {
    plugins: ['http-core', 'marketplace'],
    before: registry,
    config: ({ origin }) => `marketplace: { registry: "${origin}" }\n`,
    run: async (host) =>
      expectThat((await (await get(host, '/pub/marketplace/search?q=dice')).text()).includes('dice'), 'no package'),
  },
  '@mynah/plugin-chat': {
    plugins: [...CHAT, './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': BOT },
    run: says('/hello chat', 'Hello, chat!'),
  },
  '@mynah/plugin-adapter-sandbox': {
    plugins: [...CHAT, './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': BOT },
    run: says('/hello sandbox', 'Hello, sandbox!'),
  },
  '@mynah/plugin-adapter-irc': {
    plugins: [...WEB, 'management', 'chat', 'adapter-irc'],
    before: ircServer,
    config: ({ port }) =>
      `endpoints: [{ adapter: irc, id: net, host: 127.0.0.1, port: ${port}, tls: false, nick: mynah }]\n`,
    run: (host) => online(host, 'net'),
  },
  '@mynah/plugin-adapter-dingtalk': {
    plugins: [...WEB, 'management', 'chat', 'adapter-dingtalk'],
    before: dingtalkApi,
    config: ({ origin }) => {
      const account = 'clientId: bot, clientSecret: secret-that-is-refused'
      return `endpoints: [{ adapter: dingtalk, id: dt, apiRoot: "${origin}", ${account} }]\n`
    },
    // The server refuses the account, so that the client of the package is seen to speak with it.
    run: (host) =>
      until('the refused account', async () =>
        (await host.rpc('endpoint:info', { adapter: 'dingtalk', endpointId: 'dt' })).lastError?.includes(
          '`clientSecret`',
        ),
      ),
  },
  '@mynah/plugin-adapter-discord': {
    plugins: [...WEB, 'management', 'chat', 'adapter-discord'],
    before: discordApi,
    config: ({ origin }) =>
      `endpoints: [{ adapter: discord, id: dc, apiRoot: "${origin}", token: a-token-that-is-refused }]\n`,
    // The server refuses the token, so that the client of the package is seen to speak with it.
    run: (host) =>
      until('the refused token', async () =>
        (await host.rpc('endpoint:info', { adapter: 'discord', endpointId: 'dc' })).lastError?.includes(
          'check `token`',
        ),
      ),
  },
  '@mynah/plugin-adapter-lark': {
    plugins: [...WEB, 'management', 'chat', 'adapter-lark'],
    before: larkApi,
    config: ({ origin }) => {
      const account = 'appId: cli_0123456789abcdef, appSecret: secret-that-is-refused'
      return `endpoints: [{ adapter: lark, id: lk, domain: "${origin}", ${account} }]\n`
    },
    // The server refuses the account, so that the client of the package is seen to speak with it.
    run: (host) =>
      until('the refused account', async () =>
        (await host.rpc('endpoint:info', { adapter: 'lark', endpointId: 'lk' })).lastError?.includes('`appSecret`'),
      ),
  },
  '@mynah/plugin-adapter-matrix': {
    plugins: [...WEB, 'management', 'chat', 'adapter-matrix'],
    before: homeserver,
    config: ({ origin }) => `endpoints: [{ adapter: matrix, id: mx, homeserver: "${origin}", token: secret }]\n`,
    run: (host) => online(host, 'mx'),
  },
  '@mynah/plugin-adapter-mail': {
    plugins: [...WEB, 'management', 'chat', 'adapter-mail'],
    before: mailServer,
    config: ({ port }) => {
      const servers = `imap: "imap://127.0.0.1:${port}", smtp: "smtp://127.0.0.1:${port}"`
      const account = 'user: bot@example.org, password: secret, allow: ["*"]'
      return `endpoints: [{ adapter: mail, id: box, ${servers}, ${account} }]\n`
    },
    // The server refuses the login, so that the client of the package is seen to speak with it.
    run: (host) =>
      until('the refused login', async () =>
        (await host.rpc('endpoint:info', { adapter: 'mail', endpointId: 'box' })).lastError?.includes(
          'check `password`',
        ),
      ),
  },
  '@mynah/plugin-adapter-onebot': {
    plugins: [...WEB, 'management', 'chat', 'adapter-onebot'],
    before: oneBotServer,
    config: ({ origin }) =>
      `endpoints: [{ adapter: onebot, id: qq, mode: http, url: "${origin}", secret: "${SECRET.replaceAll(' ', '-')}" }]\n`,
    run: (host) => online(host, 'qq'),
  },
  '@mynah/plugin-adapter-slack': {
    plugins: [...WEB, 'management', 'chat', 'adapter-slack'],
    before: slackApi,
    config: ({ origin }) => {
      const tokens = 'botToken: xoxb-refused-token, appToken: xapp-refused-token'
      return `endpoints: [{ adapter: slack, id: sl, apiRoot: "${origin}", ${tokens} }]\n`
    },
    // The server refuses the token, so that the client of the package is seen to speak with it.
    run: (host) =>
      until('the refused token', async () =>
        (await host.rpc('endpoint:info', { adapter: 'slack', endpointId: 'sl' })).lastError?.includes(
          'check `botToken`',
        ),
      ),
  },
  '@mynah/plugin-adapter-telegram': {
    plugins: [...WEB, 'management', 'chat', 'adapter-telegram'],
    before: botApi,
    config: ({ origin }) => `endpoints: [{ adapter: telegram, id: tg, token: "1:secret", apiRoot: "${origin}" }]\n`,
    run: (host) => online(host, 'tg'),
  },
  '@mynah/plugin-adapter-webhook': {
    plugins: [...WEB, 'management', 'chat', 'adapter-webhook'],
    config: `endpoints: [{ adapter: webhook, id: peer, secret: "${SECRET}" }]\n`,
    run: async (host) => {
      await online(host, 'peer')
      const body = JSON.stringify({
        id: '1',
        channel: { type: 'private', id: 'alice' },
        sender: { id: 'alice', name: 'Alice' },
        content: 'hello',
      })
      const time = String(Math.floor(Date.now() / 1000))
      const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex')
      const { status } = await fetch(`${host.origin}/webhook/chat/peer`, {
        method: 'POST',
        headers: { 'x-mynah-timestamp': time, 'x-mynah-signature': `sha256=${signature}` },
        body,
      })
      expectThat(status === 202, `a signed message is answered with ${status}`)
    },
  },
  '@mynah/plugin-adapter-xmpp': {
    plugins: [...WEB, 'management', 'chat', 'adapter-xmpp'],
    before: unusedPort,
    config: ({ port }) =>
      `endpoints: [{ adapter: xmpp, id: x, jid: a@localhost, password: b, service: "xmpp://127.0.0.1:${port}" }]\n`,
    // Nothing listens there: that is noticed by the library that was installed with it.
    run: (host) =>
      until('the refusal', async () =>
        (await host.rpc('endpoint:info', { adapter: 'xmpp', endpointId: 'x' })).lastError?.includes('ECONNREFUSED'),
      ),
  },
  '@mynah/plugin-database': {
    plugins: [...CHAT, 'database', './ledger.js'],
    config: SANDBOX,
    files: { 'ledger.js': LEDGER },
    run: says('/pay', '1 paid'),
  },
  '@mynah/plugin-inbox': {
    plugins: [...CHAT, 'database', 'inbox', './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': BOT },
    run: async (host) => {
      await host.chat('/hello inbox', 'Hello, inbox!')
      const found = await host.rpc('endpoint:inboxMessages', {
        adapter: 'sandbox',
        endpointId: 'sandbox',
        channel: { type: 'private', id: 'visitor' },
      })
      expectThat(JSON.stringify(found).includes('Hello, inbox!'), 'the message is not kept')
    },
  },
  '@mynah/plugin-cluster': {
    // Without PostgreSQL it says so, which needs its driver no less.
    plugins: [...CHAT, 'database', './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': `import '@mynah/plugin-cluster'\n${BOT}` },
    run: says('/hello cluster', 'Hello, cluster!'),
  },
  '@mynah/plugin-renderer': {
    packages: ['satori@0.63.2', '@resvg/resvg-js@2.6.2'],
    plugins: [...CHAT, 'renderer', './bot.js'],
    config: SANDBOX,
    files: { 'bot.js': BOT },
    run: says('/hello renderer', 'Hello, renderer!'),
  },
  '@mynah/plugin-exec-security': {
    plugins: [...WEB, 'exec-security'],
    run: async (host) =>
      expectThat(
        (await host.rpc('exec:check', undefined, { command: 'sudo id' })).verdict === 'deny',
        'sudo is not refused',
      ),
  },
  '@mynah/plugin-cron': {
    plugins: [...WEB, 'cron'],
    run: async (host) => {
      await host.rpc('cron:add', undefined, { cronExpression: '0 8 * * *', prompt: 'Good morning' })
      expectThat(JSON.stringify(await host.rpc('cron:list')).includes('Good morning'), 'the task is not kept')
    },
  },
  '@mynah/plugin-ai': {
    packages: SDK,
    plugins: [...WEB, 'ai', 'practice-model'],
    run: (host) =>
      until('the model', async () => JSON.stringify(await host.rpc('models:refresh')).includes('practice-model')),
  },
  '@mynah/plugin-agent': {
    ...agent([], { run: says('plain words', 'You said: plain words') }),
    // The compiler names typebox in declarations that infer a type; projects get it by hoisting.
    packages: [...SDK, 'typebox@1.4.3'],
    types: `import type { AnyPlugin } from '@mynah/kernel'
import agent from '@mynah/plugin-agent'
import { Agent } from '@mynah/plugin-agent/api'
import { ChatHost } from '@mynah/plugin-agent/testing'
export const plugin: AnyPlugin = agent
export const start = async () => (await ChatHost.start({ plugins: [], chat: plugin })).host.get(Agent)
`,
  },
  '@mynah/plugin-memory': agent(['memory'], { run: says('remember that plums are blue', 'The tool says') }),
  '@mynah/plugin-skills': agent(['skills'], {
    files: { 'skills/plums/SKILL.md': '---\nname: plums\ndescription: About plums\n---\nPlums are blue.\n' },
    run: says('plain words', 'You said: plain words'),
  }),
  '@mynah/plugin-knowledge': {
    packages: SDK,
    plugins: [...CHAT, 'database', 'ai', 'agent', 'knowledge'],
    files: { 'docs/plums.md': '# Garden\n\nPrune plums in summer.\n' },
    config: `${SANDBOX}ai: { knowledge: { house: { paths: [docs] } } }\n`,
    run: (host) =>
      until('a passage of a document', async () => {
        const { found } = await host.rpc('knowledge:search', undefined, { query: 'pruning a plum' })
        return found[0]?.path === 'docs/plums.md'
      }),
  },
  '@mynah/plugin-tasks': agent(['tasks'], { run: says('do it in the background', 'The tool says') }),
  '@mynah/plugin-toolbox': agent(['exec-security', 'toolbox'], {
    more: 'ai: { agent: { execSecurity: allowlist, execPreset: readonly } }\n',
    run: says('run echo plums', 'The tool says'),
  }),
  '@mynah/plugin-practice-model': agent([], { run: says('hello', 'I am a practice model') }),
  '@mynah/plugin-speech': agent(['speech'], { run: says('plain words', 'You said: plain words') }),
  '@mynah/plugin-assistant': agent(['cron', 'assistant'], {
    more: 'assistant: { enabled: true }\n',
    run: (host) => get(host, '/api/assistant/jobs'),
  }),
  '@mynah/plugin-mcp': {
    plugins: [...WEB, 'ai', 'mcp'],
    files: { 'server.mjs': ONE_TOOL_SERVER },
    config: 'ai: { mcpServers: { one: { command: node, args: [server.mjs], cwd: . } } }\n',
    run: (host) =>
      until('an MCP server that is connected', async () => {
        const [server] = (await host.rpc('mcp:list')).servers
        return server.connected && server.tools[0].name === 'roll'
      }),
  },
}

/** Returns the names of packages that the project of a plugin must not install: a database, unless it runs there. */
export const absentWith = ({ plugins }) => (plugins.includes('database') ? [] : ['sqlite3', 'typeorm'])

/** Returns the packages of Mynah in the project of a plugin: itself, those that run with it, the command line. */
export function packagesOf(name, { plugins }) {
  const others = plugins.filter((plugin) => !plugin.startsWith('.')).map((plugin) => `@mynah/plugin-${plugin}`)
  return Array.from(new Set(['mynah', name, ...others]))
}
