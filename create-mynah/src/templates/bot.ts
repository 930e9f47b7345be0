// The project of a bot: a host with a plugin in one file.
import type { Answers } from '../answers.js'
import { familyOf, type Variable } from '../models.js'
import { variablesOf, type Platform } from '../platforms.js'
import { PLATFORMS, type Platforming } from './platforms.js'
import { COMPILER_OPTIONS, GITIGNORE, json, ours, TOOLS, type Files, type Packages } from './shared.js'

export function botFiles(answers: Answers, packages: Packages): Files {
  const { name, platform, database } = answers
  const chosen = PLATFORMS[platform]
  const family = familyOf(answers.model)
  const names = [
    'mynah',
    '@mynah/console',
    '@mynah/plugin-introspection',
    '@mynah/plugin-workspace',
    ...chosen.packages,
    ...(family ? ['@mynah/plugin-ai', '@mynah/plugin-agent'] : []),
    ...(database ? ['@mynah/plugin-database', '@mynah/plugin-inbox', '@mynah/plugin-logs'] : []),
  ]
  const env = environment([...variablesOf(platform, name), ...(family?.variables ?? [])], answers.values)
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
        ...chosen.scripts,
      },
      dependencies: { ...ours(packages, names), ...(family ? { [family.package[0]]: family.package[1] } : {}) },
      devDependencies: { '@types/node': TOOLS['@types/node'] },
      // A later database of SQLite is built without a warning of npm.
      allowScripts: { sqlite3: true },
    }),
    'mynah.config.yml': configuration(answers),
    ...chosen.files,
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

const AGENT = `  # Answers with a model.
  - ai
  - agent
`

const adapterOf = (platform: Platform): string => (platform === 'sandbox' ? '' : `  - adapter-${platform}\n`)

/** The text of `.env`: what was answered, or the defaults. */
const environment = (variables: readonly Variable[], values: Answers['values']): string =>
  variables
    .filter(({ name, isOptional }) => !isOptional || values[name])
    .map(({ name, fallback = '' }) => `${name}=${quoted(values[name] ?? fallback)}\n`)
    .join('')

/** Returns a value as `.env` holds it. A bare "#" begins a comment, so that the names of channels need quotes. */
const quoted = (value: string): string =>
  /^[\w.:/@+=-]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`

function configuration({ platform, model, database, values }: Answers): string {
  const { sections = '', endpoint } = PLATFORMS[platform]
  const family = familyOf(model)
  const ai = family
    ? `# The models that answer. More in the console, page Models.\nai:\n  providers:\n    main: ${family.provider}\n\n`
    : ''
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
${adapterOf(platform)}${database ? STORES : ''}${family ? AGENT : ''}  # The bot.
  - ./plugins/bot.ts

http:
  host: \${MYNAH_HOST:-127.0.0.1}
  port: \${PORT:-8086}

${sections}${ai}endpoints:
  - { adapter: sandbox, id: sandbox }
${typeof endpoint === 'string' ? endpoint : endpoint(values)}`
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

Open the console by the link that was printed, then *Sandbox*, and send \`${prefix}hello\`.${note ? `\n\n${note}` : ''}

| file | |
|---|---|
| plugins/bot.ts | the bot; TypeScript needs no build |
| mynah.config.yml | which plugins run, and their options |
| data/ | data of the host, not for version control |
`
