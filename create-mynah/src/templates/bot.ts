// The project of a bot: a host with a plugin in one file.
import type { Answers, Platform } from '../answers.js'
import { COMPILER_OPTIONS, GITIGNORE, json, ours, TOOLS, type Files, type Packages } from './shared.js'

const PLUGINS: Readonly<
  Record<
    Platform,
    { readonly packages: readonly string[]; readonly endpoint: string; readonly env: string; readonly note: string }
  >
> = {
  sandbox: { packages: [], endpoint: '', env: '', note: '' },
  irc: {
    packages: ['@mynah/plugin-adapter-irc'],
    endpoint: `  - adapter: irc
    id: libera
    server: "\${IRC_SERVER:-irc.libera.chat}"
    nick: "\${IRC_NICK:-my-mynah}"
    channels: ["\${IRC_CHANNEL:-#mynah-bots}"]
`,
    env: 'IRC_SERVER=irc.libera.chat\nIRC_NICK=my-mynah\nIRC_CHANNEL=#mynah-bots\n',
    note: 'Name the server, the nick and the channel in `.env`.',
  },
  telegram: {
    packages: ['@mynah/plugin-adapter-telegram'],
    endpoint: '  - { adapter: telegram, id: telegram, token: "${TELEGRAM_TOKEN:-}" }\n',
    env: 'TELEGRAM_TOKEN=\n',
    note: 'Put the token that @BotFather gave you into `.env`; until then the endpoint stays offline and says so.',
  },
}

export function botFiles({ name, platform, database }: Answers, packages: Packages): Files {
  const chosen = PLUGINS[platform]
  const names = [
    'mynah',
    '@mynah/console',
    '@mynah/plugin-introspection',
    '@mynah/plugin-workspace',
    ...chosen.packages,
    ...(database ? ['@mynah/plugin-database', '@mynah/plugin-inbox', '@mynah/plugin-logs'] : []),
  ]
  return {
    'package.json': json({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      engines: { node: '>=20.19' },
      scripts: {
        start: 'mynah start --console',
        dev: 'mynah dev --console',
        test: 'node --import mynah/typescript --test test/bot.test.ts',
        doctor: 'mynah doctor',
      },
      dependencies: ours(packages, names),
      devDependencies: { '@types/node': TOOLS['@types/node'] },
      ...(database ? { allowScripts: { sqlite3: true } } : {}),
    }),
    'mynah.config.yml': configuration({ platform, database, endpoint: chosen.endpoint }),
    'plugins/bot.ts': BOT,
    'test/bot.test.ts': TEST,
    'tsconfig.json': json({
      compilerOptions: { ...COMPILER_OPTIONS, noEmit: true, allowImportingTsExtensions: true },
      include: ['plugins', 'test'],
    }),
    '.gitignore': GITIGNORE,
    ...(chosen.env ? { '.env': chosen.env } : {}),
    'README.md': readme(name, chosen.note),
  }
}

/** The plugins that store data, for the list of plugins. */
const STORES = `  # Stored data.
  - database
  - inbox
  - logs
`

const adapterOf = (platform: Platform): string => (platform === 'sandbox' ? '' : `  - adapter-${platform}\n`)

const configuration = ({
  platform,
  database,
  endpoint,
}: {
  platform: Platform
  database: boolean
  endpoint: string
}): string => `# Which plugins run, in any order, and their sections. "npm run doctor" checks it.
plugins:
  # The server, the API and the console.
  - http-core
  - console-rpc
  - events
  - entries
  - management
  - workspace
  - introspection
  # Chat.
  - chat
  - adapter-sandbox
${adapterOf(platform)}${database ? STORES : ''}  # The bot.
  - ./plugins/bot.ts

http:
  host: \${MYNAH_HOST:-127.0.0.1}
  port: \${PORT:-8086}

endpoints:
  - { adapter: sandbox, id: sandbox }
${endpoint}`

const BOT = `// The bot. Everything that it adds through \`ctx\` is removed when it stops.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(commands, defineCommand({
      name: 'hello',
      description: 'Greets someone',
      args: { name: param.rest({ default: 'world' }) },
      run: ({ args }) => \`Hello, \${args.name}!\`,
    }))
  },
})
`

const TEST = `// Talks to the bot in a real host, as in chat.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBot } from 'mynah/testing'
import bot from '../plugins/bot.ts'

test('greets by name', async () => {
  const { say, stop } = await startBot([bot])
  assert.equal(await say('/hello Ada'), 'Hello, Ada!')
  assert.equal(await say('/hello'), 'Hello, world!')
  await stop()
})
`

const readme = (name: string, note: string): string => `# ${name}

\`\`\`sh
npm start         # the host, with its console in the browser
npm run dev       # the same, restarting when a file changes
npm test
npm run doctor    # finds problems and their remedies
\`\`\`

In the console: sign in with the token that was printed, open *Sandbox*, send \`/hello\`.${note ? `\n\n${note}` : ''}

| file | |
|---|---|
| plugins/bot.ts | the bot; TypeScript needs no build |
| mynah.config.yml | which plugins run, and their options |
| data/ | data of the host, not for version control |
`
