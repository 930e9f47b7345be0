import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPreset } from '@mynah/console/entry-preset'
import type { ConsoleEntry } from '@mynah/contract/types'
import { expect } from 'chai'
import { build } from 'vite'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { consoleRoot } from './site.js'

const fixtures = join(consoleRoot, 'test/fixtures')
const entry = (id: string, more: Partial<ConsoleEntry> = {}): ConsoleEntry => ({
  id,
  resolvedModule: `/@dev/${id}/client/index.js?v=1`,
  order: 10,
  enabled: true,
  meta: { name: `plugin ${id}`, version: '1.0.0' },
  ...more,
})

describe('entries', function () {
  this.timeout(240_000)
  let modules: string

  const preset = (id: string, file: string) =>
    build({
      ...entryPreset({ root: join(fixtures, id), entry: file, outDir: join(modules, id, 'client') }),
      configFile: false,
      logLevel: 'silent',
    })

  before(async () => {
    modules = await mkdtemp(join(tmpdir(), 'mynah-entries-'))
    await preset('react', 'index.tsx')
    const bare = (id: string, file: string) =>
      build({
        root: join(fixtures, id),
        configFile: false,
        logLevel: 'silent',
        build: {
          outDir: join(modules, id, 'client'),
          lib: { entry: join(fixtures, id, file), formats: ['es'], fileName: () => 'index.js' },
        },
      })
    await bare('foreign', 'index.ts')
    await bare('own', 'index.tsx')
    await cp(join(modules, 'react'), join(modules, 'moved'), { recursive: true })
    await mkdir(join(modules, 'greedy/client'), { recursive: true })
    await writeFile(
      join(modules, 'greedy/client/index.js'),
      'export const register = (host) => { host.addRoute({ path: "/plugins/chat", name: "Mine", element: () => null }) }',
    )
  })
  const bench = useBench({ modules: () => modules })
  after(() => rm(modules, { recursive: true }))

  it('run the React 18 API on the shell’s copy, with its styles and the UI kit, under the policy of the page', async () => {
    bench.host.entries = [entry('react')]
    bench.host.answers['ping'] = { data: { type: 'pong' } }
    const { page, context, problems } = await bench.signedIn('/fixture')
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    await eventually(async () =>
      expect(await page.locator('#state').textContent()).to.equal('0/0/1/provided/true/false'),
    )
    await page.getByRole('button', { name: 'Add' }).click()
    await eventually(async () =>
      expect(await page.locator('#state').textContent()).to.equal('1/2/3/provided/true/false'),
    )
    await page.getByRole('button', { name: 'Focus' }).click()
    await page.keyboard.type('hello')
    await page.getByLabel('Name').fill('ada')
    await page.getByText('later').waitFor()
    for (const [id, text] of Object.entries({
      memo: 'memo',
      class: '7',
      root: 'root',
      portal: 'portal',
      deferred: 'hello',
      language: 'English',
    }))
      await eventually(async () => expect(await page.locator(`#${id}`).textContent(), id).to.equal(text))
    await eventually(async () => expect(await page.locator('.fixture .badge').textContent()).to.equal('ada'))
    const style = () =>
      page
        .locator('.fixture')
        .evaluate((element) => [getComputedStyle(element).width, getComputedStyle(element).outlineColor])
    await eventually(async () => expect(await style()).to.deep.equal(['200px', 'rgb(1, 2, 3)']))
    await page.getByRole('button', { name: 'Ping' }).click()
    await page.getByText('pong').waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await page.getByText('中文', { exact: true }).waitFor()
    await page.locator('.fixture').getByRole('button', { name: 'Plugins' }).click()
    await page.waitForURL('**/plugins')
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('appear in the rail by group, order and parent, tools included and hidden pages not', async () => {
    bench.host.entries = [entry('react')]
    const { page, context } = await bench.signedIn('/fixture/component')
    await page.locator('#component').waitFor()
    const rail = page.locator('.rail nav')
    await eventually(async () =>
      expect(await rail.locator('> div').first().locator('.name').allTextContents()).to.deep.equal([
        'Dashboard',
        'Endpoints',
        'Inbox',
        'Logs',
        'Traces',
        'Cron',
        'Hosts',
        'Fixture',
        'Component',
      ]),
    )
    await eventually(async () =>
      expect(await rail.locator('ul ul .name').allTextContents()).to.deep.equal(['Component']),
    )
    expect(await rail.getByText('Hidden').count()).to.equal(0)
    await eventually(async () => expect(await page.locator('main').getAttribute('class')).to.equal('full'))
    await rail.getByRole('link', { name: 'Documents' }).click()
    await page.locator('#hidden').waitFor()
    await context.close()
  })

  it('with a runtime of their own are reported instead of rendering nothing', async () => {
    bench.host.entries = [entry('foreign'), entry('own')]
    const { page, context } = await bench.signedIn('/foreign/component')
    await page.getByRole('heading', { name: 'Dashboard' }).or(page.locator('.culprit')).first().waitFor()
    await page
      .locator('.culprit', { hasText: 'plugin foreign: was built with its own copy of React or Preact' })
      .waitFor()
    await eventually(async () =>
      expect(await page.evaluate(() => (globalThis as { refusedBy?: string }).refusedBy)).to.match(
        /must not bundle a copy of react or preact/,
      ),
    )
    await page.goto(`${bench.site.url}/own`)
    await page.locator('.culprit', { hasText: 'plugin own: was built with its own copy of React or Preact' }).waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Dashboard' }).click()
    await page.locator('.wrongs li', { hasText: 'plugin own did not load its console page' }).waitFor()
    await context.close()
  })

  it('that are missing, throw or collide fail alone, with one mark and their reason', async () => {
    bench.host.entries = [
      entry('missing', { meta: { name: 'plugin missing', version: '1.0.0', plugin: 'absent' } }),
      entry('react'),
      entry('moved', { order: 99 }),
      entry('greedy'),
    ]
    const { page, context } = await bench.signedIn('/fixture')
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    // Three pages, and the plugin that has failed.
    await page.locator('.rail a[href="/plugins"]', { hasText: '4 failed' }).waitFor()
    expect(await page.locator('.toast').count()).to.equal(0)
    await page.goto(`${bench.site.url}/nowhere`)
    await page.getByText(/addRoute \/fixture: the entry "(?:moved|react)" has this path/).waitFor()
    await page.getByText('plugin greedy: route /plugins/chat belongs to the console').waitFor()
    bench.host.answers['GET /plugins/absent'] = {
      data: { ...(bench.host.answers['GET /plugins/chat'] as { data: object }).data, name: 'absent' },
    }
    await page.goto(`${bench.site.url}/plugins/absent?tab=console`)
    await page.getByRole('tabpanel').getByRole('alert').waitFor()
    await context.close()
  })

  it('that never load do not delay unknown pages or other entries', async () => {
    bench.host.entries = [entry('silent'), entry('react', { order: 20 })]
    const { page, context } = await bench.signedIn()
    // The module is asked for and nothing comes, as from a host that hangs.
    await page.route('**/@dev/silent/**', () => undefined)
    await page.goto(`${bench.site.url}/nowhere`)
    await page.getByText('Still loading, and may bring it: plugin silent').waitFor()
    await page.goto(`${bench.site.url}/fixture`)
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    await context.close()
  })

  it('with a manifest appear in the rail in the current language and load when opened', async () => {
    const manifest = {
      routes: [
        {
          path: '/fixture',
          name: { en: 'Declared', 'zh-CN': '声明' },
          icon: 'extension',
          meta: { group: 'operate', order: 90 },
        },
      ],
      tools: [],
    }
    bench.host.entries = [
      entry('react', { meta: { name: 'plugin react', version: '1', manifest } }),
      entry('missing', {
        meta: {
          name: 'plugin missing',
          version: '1',
          manifest: { routes: [{ path: '/missing', name: 'Missing' }], tools: [] },
        },
      }),
    ]
    const { page, context } = await bench.signedIn()
    const rail = page.locator('.rail nav')
    await rail.getByRole('link', { name: 'Declared' }).waitFor()
    expect(await rail.getByRole('link', { name: 'Component' }).count()).to.equal(0)
    await rail.getByRole('link', { name: 'Missing' }).click()
    await page.getByText('The page of plugin missing did not load').waitFor()
    await rail.getByRole('link', { name: 'Declared' }).click()
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    await rail.getByRole('link', { name: 'Component' }).waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await rail.getByRole('link', { name: '声明' }).waitFor()
    await context.close()
  })

  it('replace their style sheets when they change', async () => {
    bench.host.entries = [entry('react')]
    const { page, context } = await bench.signedIn('/fixture')
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    const sheets = () =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'), ({ href }) => href).filter(
          (href) => href.includes('/@dev/'),
        ),
      )
    await eventually(async () => expect((await sheets())[0]).to.match(/\/@dev\/react\/client\/index\.css\?v=/))
    bench.host.push('sync', { key: 'entries', value: [] })
    await page.getByText('Nothing is at /fixture').waitFor()
    await eventually(async () => expect(await sheets()).to.deep.equal([]))
    // The same module again: what a module does once when it is imported would not be done a second time.
    bench.host.push('sync', { key: 'entries', value: [entry('react')] })
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    await eventually(async () =>
      expect(await page.locator('.fixture').evaluate((element) => getComputedStyle(element).outlineColor)).to.equal(
        'rgb(1, 2, 3)',
      ),
    )
    const module = join(modules, 'react/client/index.js')
    const text = await readFile(module, 'utf8')
    await writeFile(module, text.replace(/index\.css\?v=\w+/, 'index.css?v=changed'))
    bench.host.push('sync', {
      key: 'entries',
      value: [entry('react', { resolvedModule: '/@dev/react/client/index.js?v=2' })],
    })
    await page.waitForFunction(() => document.querySelector('link[href*="v=changed"]') !== null)
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    // The former one goes once the new one is here.
    await page.waitForFunction(() => document.querySelectorAll('link[href*="/@dev/"]').length === 1)
    await writeFile(module, text)
    await context.close()
  })

  it('are added and removed by the stream without a reload', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    bench.host.push('sync', { key: 'entries', value: [entry('react')] })
    await page.locator('.rail').getByRole('link', { name: 'Fixture' }).click()
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    bench.host.push('sync', { key: 'entries', value: [] })
    await page.getByText('Nothing is at /fixture').waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Fixture' }).waitFor({ state: 'detached' })
    await context.close()
  })
})
