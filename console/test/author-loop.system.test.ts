// The loop of an author in a browser: `mynah dev --open`, mistakes of each kind, and a page that is built again.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { open } from './browser.js'
import { consoleRoot } from './site.js'

const workspace = join(consoleRoot, '..')

const plugin = (setup = ''): string => `import { consoleEntries, definePlugin } from 'mynah'

export default definePlugin({
  name: 'greeter',
  setup(ctx) {
    ctx.contribute(consoleEntries, { id: 'greeter', module: new URL('../client/dist/index.js', import.meta.url) })
    ${setup}
  },
})
`
const page = (title: string): string => `import type { Register } from '@mynah/console/entry'
import { PageHead } from '@mynah/console/ui'

export const register: Register = (host) => {
  host.addRoute({ path: '/greeter', name: 'Greeter', element: () => <PageHead title="${title}" /> })
}
`
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
}
const filesFor = (port: number): Readonly<Record<string, string>> => ({
  'package.json': '{ "name": "mynah-plugin-greeter", "type": "module" }',
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  'src/index.ts': plugin(),
  'client/tsconfig.json': JSON.stringify({ extends: '@mynah/console/tsconfig.entry.json', include: ['src'] }),
  'client/vite.config.js': `import { entryPreset } from '@mynah/console/entry-preset'
const manifest = { routes: [{ path: '/greeter', name: 'Greeter' }] }
export default entryPreset({ root: import.meta.dirname, manifest })
`,
  'client/src/index.tsx': page('Welcome'),
  'mynah.config.yml': `http: { port: ${port}, token: token-of-an-author }
plugins: [http-core, console-rpc, events, entries, management, ./src/index.ts]
`,
  'browser.mjs': `#!${process.execPath}
import { renameSync, writeFileSync } from 'node:fs'
writeFileSync('opened.part', process.argv[2])
renameSync('opened.part', 'opened.txt')
`,
})

/** Gives a project the packages of this repository, with the console as it is published: built, without its sources. */
async function install(folder: string): Promise<void> {
  const from = join(workspace, 'node_modules')
  const to = join(folder, 'node_modules')
  await mkdir(join(to, '@mynah/console'), { recursive: true })
  for (const name of await readdir(from)) if (name !== '@mynah') await symlink(join(from, name), join(to, name))
  for (const name of await readdir(join(from, '@mynah')))
    if (name !== 'console') await symlink(join(from, '@mynah', name), join(to, '@mynah', name))
  for (const name of ['dist', 'preset', 'server', 'types'])
    await symlink(join(consoleRoot, name), join(to, '@mynah/console', name))
  await cp(join(consoleRoot, 'package.json'), join(to, '@mynah/console/package.json'))
}

describe('the loop of an author in a browser', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let folder: string
  let dev: ChildProcess
  let said = ''
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-author-'))
    // Processes that the loop has started may still write for a moment.
    bench.atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
    await install(folder)
    for (const [name, text] of Object.entries(filesFor(await freePort()))) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await write(name, text)
    }
    await chmod(join(folder, 'browser.mjs'), 0o755)
    dev = spawn(process.execPath, [join(workspace, 'plugins/mynah/dist/cli/main.js'), 'dev', '--console=0', '--open'], {
      cwd: folder,
      env: { ...process.env, BROWSER: './browser.mjs' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    bench.atEnd(async () => {
      if (dev.exitCode !== null || dev.signalCode !== null) return
      const ended = once(dev, 'exit')
      dev.kill('SIGTERM')
      await ended
    })
    for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (data: Buffer) => (said += data.toString()))
    const opened = join(folder, 'opened.txt')
    await until(() => existsSync(opened) || dev.exitCode !== null, 'the browser')
    expect(dev.exitCode, said).to.equal(null)
  })

  for (const { locale, types, pages, code } of [
    { locale: 'en', types: 'Mistake in the types', pages: 'The page cannot be built', code: 'greeter does not run' },
    { locale: 'zh-CN', types: '类型错误', pages: '页面无法构建', code: 'greeter 没有运行新代码' },
  ])
    it(`shows a mistake with its place until it is fixed (${locale})`, async () => {
      const { page: shown, context } = await open(bench.browser, { locale })
      await shown.goto(await readFile(join(folder, 'opened.txt'), 'utf8'))
      await shown.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
      expect(new URL(shown.url()).pathname).to.equal('/greeter')
      const strip = shown.locator('.banner[role=status]')

      await write('src/index.ts', plugin("const count: number = 'one'; void count"))
      await strip.getByText(types).waitFor()
      await strip.getByText('src/index.ts:7:11').waitFor()
      await shown.evaluate(await axeSource())
      expect(await findings(shown)).to.deep.equal([])

      await write('src/index.ts', plugin("throw new Error('no such word')"))
      await strip.getByText(code).waitFor()
      await strip.getByText('src/index.ts:7:11').waitFor()
      await strip.getByText('no such word').waitFor()
      await write('src/index.ts', plugin())
      await strip.waitFor({ state: 'detached' })

      await write('client/src/index.tsx', `${page('Good day')}const broken = (\n`)
      await strip.getByText(pages).waitFor()
      await strip.getByText(/client\/src\/index\.tsx:\d+:\d+/).waitFor()
      await write('client/src/index.tsx', page('Good day'))
      // The page is that of the new code, without a reload by hand.
      await shown.getByRole('heading', { level: 1, name: 'Good day' }).waitFor()
      await strip.waitFor({ state: 'detached' })
      await context.close()

      await write('client/src/index.tsx', page('Welcome'))
    })
})
