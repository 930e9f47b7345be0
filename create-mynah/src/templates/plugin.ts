// The project of a plugin that other hosts install by name: a command, and optionally a page of the console.
import type { Answers } from '../answers.js'
import { COMPILER_OPTIONS, GITIGNORE, json, ours, TOOLS, type Files, type Packages } from './shared.js'

/** Returns the manifest of a plugin package. */
export function manifestOf(
  { name, page }: Pick<Answers, 'name' | 'page'>,
  packages: Packages,
  test: {
    readonly script: string
    readonly tools: Readonly<Record<string, string>>
    readonly ours?: readonly string[]
    /** The category of the marketplace. */
    readonly category: string
  },
): string {
  const development = ['mynah', '@mynah/console', ...(page ? ['@mynah/sdk'] : []), ...(test.ours ?? [])]
  const range = packages.range('mynah')
  return json({
    name: `mynah-plugin-${name}`,
    version: '0.1.0',
    description: 'A plugin for Mynah',
    license: 'MIT',
    type: 'module',
    keywords: ['mynah-plugin', test.category],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist', '!dist/**/*.test.*', ...(page ? ['client/dist'] : [])],
    engines: { node: '>=20.19' },
    scripts: {
      start: 'mynah start --console',
      dev: 'mynah dev --console',
      build: page ? 'tsc && tsc -p client && vite build client' : 'tsc',
      test: test.script,
      // Files whose source is gone are not published.
      prepublishOnly: 'mynah publish-check',
      prepack: `node -e "require('fs').rmSync('dist', { recursive: true, force: true })" && npm run build`,
    },
    // A plugin uses the copy of its host.
    peerDependencies: { mynah: range.startsWith('file:') ? '*' : range },
    devDependencies: {
      ...ours(packages, development),
      '@types/node': TOOLS['@types/node'],
      ...test.tools,
      typescript: TOOLS.typescript,
      ...(page ? { vite: TOOLS.vite } : {}),
    },
  })
}

export const PLUGIN_TSCONFIG = json({
  compilerOptions: { ...COMPILER_OPTIONS, rootDir: 'src', outDir: 'dist', declaration: true, sourceMap: true },
  include: ['src'],
})

export function pluginFiles(answers: Answers, packages: Packages): Files {
  const { name, page } = answers
  return {
    'package.json': manifestOf(answers, packages, {
      script: 'node --import mynah/typescript --test src/index.test.ts',
      tools: {},
      category: 'feature',
    }),
    'src/index.ts': page ? pluginWithPage(name) : plugin(name),
    ...(page
      ? {
          'src/contract.ts': contractOf(name),
          'client/src/index.tsx': pageOf(name),
          'client/vite.config.js': viteConfigOf(name),
          'client/tsconfig.json': CLIENT_TSCONFIG,
        }
      : {}),
    'src/index.test.ts': testOf(name),
    'tsconfig.json': PLUGIN_TSCONFIG,
    'mynah.config.yml': configuration(name),
    '.gitignore': GITIGNORE,
    'README.md': readme(name, page),
  }
}

const section = (name: string): string => `  config: {
    key: '${name}',
    schema: Type.Object({
      word: Type.String({ default: 'Hello', minLength: 1, maxLength: 64, description: 'The word before the name' }),
    }, { additionalProperties: false, default: {} }),
  },`

const command = (name: string): string => `    ctx.contribute(commands, defineCommand({
      name: '${name}',
      description: 'Greets someone',
      args: { name: param.rest({ default: 'world' }) },
      run: ({ args }) => \`\${ctx.config.word}, \${args.name}!\`,
    }))`

const plugin = (name: string): string => `// The plugin: its configuration, and its contributions to a host.
import { commands, defineCommand, definePlugin, param, Type } from 'mynah'

export default definePlugin({
  name: '${name}',
${section(name)}
  setup(ctx) {
${command(name)}
  },
})
`

const pluginWithPage = (name: string): string => `// The plugin: its configuration, and its contributions to a host.
import { commands, consoleEntries, defineCommand, definePlugin, method, param, rpcMethods, Type } from 'mynah'
import { wire } from './contract.js'

export default definePlugin({
  name: '${name}',
${section(name)}
  setup(ctx) {
${command(name)}
    const greet = method(wire.rpc, '${name}:greet', ({ name }) => ({ text: \`\${ctx.config.word}, \${name}!\` }))
    ctx.contribute(rpcMethods, greet)
    const module = new URL('../client/dist/index.js', import.meta.url)
    ctx.contribute(consoleEntries, { id: '${name}', name: '${title(name)}', module })
  },
})
`

const contractOf = (
  name: string,
): string => `// The interface between page and plugin: checked at run time, and typed on both sides.
import { contract, Type } from 'mynah'

export const wire = contract({
  rpc: {
    '${name}:greet': {
      summary: 'Greets someone',
      params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
      data: Type.Object({ text: Type.String() }),
    },
  },
})
`

const pageOf = (
  name: string,
): string => `// The page in the console. React comes from the console, and only types from the plugin.
import type { HostApi, Register } from '@mynah/console/entry'
import { Button, Field, PageHead, Panel } from '@mynah/console/ui'
import { useState, type FormEvent } from 'react'
import type { wire } from '../../dist/contract.js'

function Page({ host }: { readonly host: HostApi }) {
  const [client] = useState(() => host.client.with<typeof wire>())
  const [name, setName] = useState('')

  const greet = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    host.toast((await client.rpc('${name}:greet', { name })).text, 'ok')
  }

  return (
    <>
      <PageHead title="${title(name)}" />
      <Panel title="Greet">
        <form className="row" onSubmit={(event) => void greet(event)}>
          <Field compact label="Name" placeholder="Name" value={name} onInput={setName} required />
          <Button kind="primary" type="submit">Greet</Button>
        </form>
      </Panel>
    </>
  )
}

export const register: Register = (host) => {
  // Its name and its place are in client/vite.config.js.
  host.addRoute({ path: '/${name}', element: () => <Page host={host} /> })
}
`

const viteConfigOf = (name: string): string => `// Builds the page: client/dist/index.js.
import { entryPreset } from '@mynah/console/entry-preset'

// The console lists the page from here and loads its module when it is opened. "mynah dev --open" opens the first one.
const routes = [{ path: '/${name}', name: '${title(name)}', meta: { group: 'extensions' } }]

export default entryPreset({ root: import.meta.dirname, manifest: { routes } })
`

const CLIENT_TSCONFIG = json({ extends: '@mynah/console/tsconfig.entry.json', include: ['src'] })

const testOf = (name: string): string => `// Talks to the plugin in a real host, as in chat.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBot } from 'mynah/testing'
import plugin from './index.js'

test('greets by name, with the word of the configuration', async () => {
  const { say, stop } = await startBot([{ plugin, config: { word: 'Welcome' } }])
  assert.equal(await say('/${name} Ada'), 'Welcome, Ada!')
  await stop()
})
`

const configuration = (name: string, more = ''): string => `# A host to try the plugin in: npm start.
plugins: [http-core, console-rpc, events, entries, management, chat, adapter-sandbox, ./src/index.ts]

http:
  port: \${PORT:-8086}

${more || `${name}:\n  word: Hello\n\n`}endpoints:
  - { adapter: sandbox, id: sandbox }
`

export const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const BUILD = 'npm run build     # once, and after changes of the page\n'

const readme = (name: string, page: boolean): string => `# mynah-plugin-${name}

\`\`\`sh
${page ? BUILD : ''}npm start         # a host with the plugin in it, and its console
npm run dev${page ? ' -- --open   # the same, loads changes and opens the page' : '       # the same, loads changes'}
npm test
npm pack          # the tarball that is published
npx mynah publish-check   # what is missing before "npm publish"
\`\`\`

In another host: \`npm install mynah-plugin-${name}\`, then \`${name}\` in its list of \`plugins\`.

## Configuration

| option | default | |
|---|---|---|
| \`${name}.word\` | \`Hello\` | the word before the name |

## What it adds

\`/${name} [name]\` greets someone${page ? ', and so does a page of the console' : ''}.
`
