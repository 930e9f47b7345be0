// `mynah dev` with a plugin of an author: types, and a page of the console.
import { chmod, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevStatus } from '@mynah/contract'
import { freePort, until } from '@mynah/kernel/testing'
import { Bench, type Running } from './cli.js'

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const TOKEN = 'full-token-of-author-tests'

/** The plugin, with more lines in `setup`. */
export const pluginSource = (word: string, setup = ''): string => `import { consoleEntries, definePlugin } from 'mynah'
import { greeting } from './greeting.js'

export default definePlugin({
  name: 'greeter',
  setup(ctx) {
    const module = new URL('../client/dist/index.js', import.meta.url)
    ctx.contribute(consoleEntries, { id: 'greeter', name: 'Greeter', module })
    ctx.log.info(greeting('${word}'))
    ${setup}
  },
})
`

/** A page that shows a word. */
export const pageSource = (word: string): string => `import type { Register } from '@mynah/console/entry'
import { PageHead } from '@mynah/console/ui'

export const register: Register = (host) => {
  host.addRoute({ path: '/greeter', name: 'Greeter', element: () => <PageHead title="${word}" /> })
}
`

export const VITE_CONFIG = `import { entryPreset } from '@mynah/console/entry-preset'
const manifest = { routes: [{ path: '/greeter', name: 'Greeter' }] }
export default entryPreset({ root: import.meta.dirname, manifest })
`

const FILES = {
  'package.json': '{ "name": "mynah-plugin-greeter", "type": "module" }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023'],
      module: 'NodeNext',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
  }),
  'src/greeting.ts': 'export const greeting = (word: string): string => `it says ${word}`\n',
  'src/index.ts': pluginSource('hello'),
  'client/tsconfig.json': JSON.stringify({ extends: '@mynah/console/tsconfig.entry.json', include: ['src'] }),
  'client/vite.config.js': VITE_CONFIG,
  'client/src/index.tsx': pageSource('Welcome'),
}

interface AuthorFiles {
  readonly files?: Readonly<Record<string, string>>
  /** One of the files. */
  readonly executable?: string
  readonly env?: Readonly<Record<string, string>>
}

export class AuthorBench {
  readonly bench: Bench
  readonly running: Running
  readonly #base: string

  private constructor(bench: Bench, running: Running, base: string) {
    this.bench = bench
    this.running = running
    this.#base = base
  }

  static async start(options = '', { files = {}, env = {}, executable }: AuthorFiles = {}): Promise<AuthorBench> {
    const port = await freePort()
    const bench = await Bench.of({
      ...FILES,
      'mynah.config.yml': [
        `http: { port: ${port}, token: ${TOKEN} }`,
        'plugins: [http-core, events, console-rpc, entries, management, ./src/index.ts]',
        '',
      ].join('\n'),
      ...files,
    })
    await symlink(MODULES, join(bench.folder, 'node_modules'), 'junction')
    if (executable !== undefined) await chmod(join(bench.folder, executable), 0o755)
    const running = bench.start(`dev ${options}`, env)
    await running.shows(/plugins are up/)
    return new AuthorBench(bench, running, `http://127.0.0.1:${port}`)
  }

  async status(): Promise<DevStatus> {
    const response = await fetch(`${this.#base}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'dev:status' }),
    })
    const { success, data } = (await response.json()) as { success: boolean; data?: DevStatus }
    if (!success || !data) throw new Error(`dev:status was answered with ${response.status}`)
    return data
  }

  /** Resolves when the status meets a condition. */
  async statusWhere(meets: (status: DevStatus) => boolean, what: string): Promise<DevStatus> {
    let last: DevStatus | undefined
    await until(async () => meets((last = await this.status())), what)
    return last as DevStatus
  }

  /** Returns the address of the built page, which has the hash of its content. */
  async pageModule(): Promise<string | undefined> {
    const response = await fetch(`${this.#base}/entries`)
    const { entries } = (await response.json()) as { entries: { resolvedModule: string }[] }
    return entries[0]?.resolvedModule
  }

  /** Returns the page that the host serves, as JavaScript. */
  async servedPage(): Promise<string> {
    const response = await fetch(new URL((await this.pageModule()) ?? '/no-page', this.#base))
    if (!response.ok) throw new Error(`the page is answered with ${response.status}`)
    return response.text()
  }

  read(name: string): Promise<string> {
    return readFile(join(this.bench.folder, name), 'utf8')
  }

  stop(): Promise<void> {
    return this.bench.remove()
  }
}
