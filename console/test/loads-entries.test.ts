// Entries of plugins on the shell's Preact: what works, and who is named when it does not.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPreset } from '@mynah/console/entry-preset'
import type { ConsoleEntry } from '@mynah/contract/types'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { launch } from './browser.js'
import { signedIn } from './signed-in.js'
import { consoleRoot, serve, type Site } from './site.js'
import { standIn, type StandIn } from './stand-in.js'

const fixtures = join(consoleRoot, 'test/fixtures')
const entry = (id: string, more: Partial<ConsoleEntry> = {}): ConsoleEntry => ({ id, resolvedModule: `/@dev/${id}/client/index.js?v=1`, order: 10, enabled: true, meta: { name: `plugin ${id}`, version: '1.0.0' }, ...more })

describe('entries', function () {
  this.timeout(60_000)
  let modules: string
  let browser: Browser
  let site: Site
  let host: StandIn

  const preset = (id: string, file: string) => build({ ...entryPreset({ root: join(fixtures, id), entry: file, outDir: join(modules, id, 'client') }), configFile: false, logLevel: 'silent' })

  before(async () => {
    modules = await mkdtemp(join(tmpdir(), 'mynah-entries-'))
    await preset('react', 'index.tsx')
    const bare = (id: string, file: string) => build({ root: join(fixtures, id), configFile: false, logLevel: 'silent', build: { outDir: join(modules, id, 'client'), lib: { entry: join(fixtures, id, file), formats: ['es'], fileName: () => 'index.js' } } })
    await bare('foreign', 'index.ts')
    await bare('own', 'index.tsx')
    await cp(join(modules, 'react'), join(modules, 'moved'), { recursive: true })
    await mkdir(join(modules, 'greedy/client'), { recursive: true })
    await writeFile(join(modules, 'greedy/client/index.js'), 'export const register = (host) => { host.addRoute({ path: "/plugins/chat", name: "Mine", element: () => null }) }')
    ;[browser, site] = [await launch(), await serve()]
  })
  beforeEach(async () => { host = await standIn({ modules }) })
  afterEach(() => host.close())
  after(async () => {
    await browser.close()
    await site.close()
    await rm(modules, { recursive: true })
  })

  it('run the React 18 API on the shell’s copy, with its styles and the UI kit, under the policy of the page', async () => {
    host.entries = [entry('react')]
    host.answers['ping'] = { data: { type: 'pong' } }
    const { page, context, problems } = await signedIn(browser, site, host, '/fixture')
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    expect(await page.locator('#state').textContent()).to.equal('0/0/1/provided/true/false')
    await page.getByRole('button', { name: 'Add' }).click()
    expect(await page.locator('#state').textContent()).to.equal('1/2/3/provided/true/false')
    await page.getByRole('button', { name: 'Focus' }).click()
    await page.keyboard.type('hello')
    await page.getByLabel('Name').fill('ada')
    await page.getByText('later').waitFor()
    for (const [id, text] of Object.entries({ memo: 'memo', class: '7', root: 'root', portal: 'portal', deferred: 'hello', language: 'English' })) expect(await page.locator(`#${id}`).textContent(), id).to.equal(text)
    expect(await page.locator('.fixture .badge').textContent()).to.equal('ada')
    const style = await page.locator('.fixture').evaluate((element) => [getComputedStyle(element).width, getComputedStyle(element).outlineColor])
    expect(style).to.deep.equal(['200px', 'rgb(1, 2, 3)'])
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

  it('stand in the rail by group, order and parent; hidden pages do not, tools do', async () => {
    host.entries = [entry('react')]
    const { page, context } = await signedIn(browser, site, host, '/fixture/component')
    await page.locator('#component').waitFor()
    const rail = page.locator('.rail nav')
    expect(await rail.locator('> div').first().locator('.name').allTextContents()).to.deep.equal(['Dashboard', 'Fixture', 'Component'])
    expect(await rail.locator('ul ul .name').allTextContents()).to.deep.equal(['Component'])
    expect(await rail.getByText('Hidden').count()).to.equal(0)
    expect(await page.locator('main').getAttribute('class')).to.equal('full')
    await rail.getByRole('link', { name: 'Documents' }).click()
    await page.locator('#hidden').waitFor()
    await context.close()
  })

  it('that bring their own copy are named as the culprit instead of rendering nothing', async () => {
    host.entries = [entry('foreign'), entry('own')]
    const { page, context } = await signedIn(browser, site, host, '/foreign/component')
    await page.getByRole('heading', { name: 'Dashboard' }).or(page.locator('.culprit')).first().waitFor()
    await page.locator('.culprit', { hasText: 'plugin foreign: was built with its own copy of React or Preact' }).waitFor()
    expect(await page.evaluate(() => (globalThis as { refusedBy?: string }).refusedBy)).to.match(/must not bundle a copy of react or preact/)
    await page.goto(`${site.url}/own`)
    await page.locator('.culprit', { hasText: 'plugin own: was built with its own copy of React or Preact' }).waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Dashboard' }).click()
    await page.getByText('Console page of plugin own did not load').waitFor()
    await context.close()
  })

  it('that are missing, throw or collide fail alone, and say why on the plugin’s page', async () => {
    host.entries = [entry('missing'), entry('react'), entry('moved', { order: 99 }), entry('greedy')]
    const { page, context } = await signedIn(browser, site, host, '/fixture')
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'plugin missing' }).waitFor()
    await page.getByRole('alert').filter({ hasText: /plugin (?:moved|react): addRoute \/fixture: the entry "(?:moved|react)" has this path/ }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'plugin greedy: route /plugins/chat belongs to the console' }).waitFor()
    host.answers['GET /plugins/missing'] = { data: { ...(host.answers['GET /plugins/chat'] as { data: object }).data, name: 'missing' } }
    await page.goto(`${site.url}/plugins/missing?tab=console`)
    await page.getByRole('tabpanel').getByRole('alert').waitFor()
    await context.close()
  })

  it('come and go with the stream, without a reload', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.getByText('Live').waitFor()
    host.push('sync', { key: 'entries', value: [entry('react')] })
    await page.locator('.rail').getByRole('link', { name: 'Fixture' }).click()
    await page.getByRole('heading', { name: 'Fixture' }).waitFor()
    host.push('sync', { key: 'entries', value: [] })
    await page.getByText('Nothing is at /fixture').waitFor()
    expect(await page.locator('.rail').getByRole('link', { name: 'Fixture' }).count()).to.equal(0)
    await context.close()
  })
})
