// The project of a bot: a host with a plugin in one file.
import type { Answers, Platform } from '../answers.js'
import { COMPILER_OPTIONS, GITIGNORE, json, ours, TOOLS, type Files, type Packages } from './shared.js'

/** What a bot of a platform needs in addition to the sandbox. */
interface Platforming {
  readonly packages: readonly string[]
  /** Sections of the configuration before `endpoints`. */
  readonly sections?: string
  readonly endpoint: string
  readonly env: (name: string) => string
  /** Before the name of a command. */
  readonly prefix: string
  readonly note: string
}

const PLATFORMS: Readonly<Record<Platform, Platforming>> = {
  sandbox: { packages: [], endpoint: '', env: () => '', prefix: '/', note: '' },
  irc: {
    packages: ['@mynah/plugin-adapter-irc'],
    sections: `# IRC clients keep lines that begin with a slash to themselves.
commands:
  prefix: "!"

`,
    endpoint: `  - adapter: irc
    id: irc
    host: \${IRC_HOST:-irc.libera.chat}
    port: \${IRC_PORT:-6697}
    tls: \${IRC_TLS:-true}
    nick: "\${IRC_NICK:-mynah-bot}"
    channels: ["\${IRC_CHANNEL:-#mynah-bots}"]
`,
    env: (name) => `IRC_HOST=irc.libera.chat
IRC_PORT=6697
IRC_TLS=true
IRC_NICK=${nickOf(name)}
IRC_CHANNEL=#mynah-bots
`,
    prefix: '!',
    note: 'On IRC: write the server, the nick and the channel into `.env`, start the bot, join the channel and send `!hello`.',
  },
  telegram: {
    packages: ['@mynah/plugin-adapter-telegram'],
    endpoint: '  - { adapter: telegram, id: telegram, token: "${TELEGRAM_TOKEN:-}" }\n',
    env: () => 'TELEGRAM_TOKEN=\n',
    prefix: '/',
    note: 'On Telegram: write the token from @BotFather into `.env`. Until then the endpoint stays offline and reports the reason.',
  },
}

/** Returns a nick that every server takes: it begins with a letter and has at most nine characters. */
const nickOf = (name: string): string => name.slice(0, 9)

export function botFiles({ name, platform, database }: Answers, packages: Packages): Files {
  const chosen = PLATFORMS[platform]
  const names = [
    'mynah',
    '@mynah/console',
    '@mynah/plugin-introspection',
    '@mynah/plugin-workspace',
    ...chosen.packages,
    ...(database ? ['@mynah/plugin-database', '@mynah/plugin-inbox', '@mynah/plugin-logs'] : []),
  ]
  const env = chosen.env(name)
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
    'mynah.config.yml': configuration(platform, database),
    'plugins/bot.ts': BOT,
    'test/bot.test.ts': TEST,
    'tsconfig.json': json({
      compilerOptions: { ...COMPILER_OPTIONS, noEmit: true, allowImportingTsExtensions: true },
      include: ['plugins', 'test'],
    }),
    '.gitignore': GITIGNORE,
    ...(env ? { '.env': env } : {}),
    'README.md': readme(name, chosen),
  }
}

/** The plugins that store data, for the list of plugins. */
const STORES = `  # Stored data.
  - database
  - inbox
  - logs
`

const adapterOf = (platform: Platform): string => (platform === 'sandbox' ? '' : `  - adapter-${platform}\n`)

function configuration(platform: Platform, database: boolean): string {
  const { sections = '', endpoint } = PLATFORMS[platform]
  return `# Which plugins run, in any order, and their sections. "npm run doctor" checks it.
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

${sections}endpoints:
  - { adapter: sandbox, id: sandbox }
${endpoint}`
}

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

const readme = (name: string, { note, prefix }: Platforming): string => `# ${name}

\`\`\`sh
npm start         # the host, with its console in the browser
npm run dev       # the same, restarting when a file changes
npm test
npm run doctor    # finds problems and their remedies
\`\`\`

In the console: sign in with the token that was printed, open *Sandbox*, send \`${prefix}hello\`.${note ? `\n\n${note}` : ''}

| file | |
|---|---|
| plugins/bot.ts | the bot; TypeScript needs no build |
| mynah.config.yml | which plugins run, and their options |
| data/ | data of the host, not for version control |
`
