// Plugins are switched, and saved files are applied, in the browser on a real host.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('plugins that are switched in the browser', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  before(async function () {
    this.timeout(240_000)
    host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, introspection, logs, chat, adapter-sandbox]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      'endpoints: [{ adapter: sandbox, id: sandbox }] # in the browser',
    ])
    bench.atEnd(() => host.stop())
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/plugins'))
  })
  after(() => context?.close())

  const configuration = (): Promise<string> => readFile(join(host.folder, 'mynah.config.yml'), 'utf8')
  const choose = async (plugin: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${plugin}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const confirm = (name: string): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  it('are disabled and enabled in their row, and keep their place in the file', async () => {
    await choose('logs', 'Disable')
    await page.getByRole('dialog').getByText('stays in mynah.config.yml as disabled').waitFor()
    await confirm('Disable')
    await page.getByText('logs is disabled').waitFor()
    await page.getByText('9 running, 1 switched off').waitFor()
    expect(await configuration()).to.contain('# in the browser')
    await choose('logs', 'Enable')
    await confirm('Enable')
    await page.getByText('logs is enabled').waitFor()
    await page.goto(`${bench.site.url}/plugins`)
    await page.getByText('10 running').waitFor()
  })

  it('tell what stops with them', async () => {
    await choose('chat', 'Disable')
    await page.getByRole('dialog').getByText('Go on without it: introspection, management').waitFor()
    await confirm('Cancel')
    await choose('http-core', 'Disable')
    await page.getByRole('dialog').getByText('The console works only with it').waitFor()
    await confirm('Cancel')
  })

  it('are taken out of the list, and are below it with Enable', async () => {
    await choose('logs', 'Remove from the list')
    await confirm('Remove from the list')
    const installed = page.getByRole('button', { name: 'Enable logs', exact: true })
    await installed.waitFor()
    expect(await configuration()).not.to.contain('logs')
    await installed.click()
    await confirm('Enable')
    await page.getByText('logs is enabled').waitFor()
    expect(await configuration()).to.contain('logs')
  })

  it('take a saved file at once, where a click says so', async () => {
    await page.goto(`${bench.site.url}/config?mode=yaml`)
    const text = page.locator('.cm-content')
    await text.getByText('# in the browser').waitFor()
    await text.click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('\nlogs: { maxRecords: 4000 }\n')
    await page.keyboard.press('Control+s')
    await page.locator('.diff').waitFor()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('button', { name: 'Apply now' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    await page.getByText(/: logs$/).waitFor()
  })
})
