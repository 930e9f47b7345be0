// A configuration that breaks on disk, and its versions, in the browser on a real host.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('the configuration file of a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  before(async function () {
    this.timeout(240_000)
    host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, logs]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      'logs:',
      '  maxRecords: 5000 # our own',
    ])
    bench.atEnd(() => host.stop())
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/dashboard'))
  })
  before(() => {
    if (process.env['SHOTS']) page.setDefaultTimeout(10_000)
  })
  after(() => context?.close())

  const file = (): string => join(host.folder, 'mynah.config.yml')
  const text = (): Promise<string> => readFile(file(), 'utf8')
  const shot = async (name: string): Promise<void> => {
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `${name}.png`) })
  }

  it('is reported when it breaks on disk, shown as it is, and corrected there', async () => {
    const whole = await text()
    await writeFile(file(), whole.replace('logs:', 'logs'))
    await page.getByText('mynah.config.yml, line 3: a colon is missing').first().waitFor()
    await page.locator('.nav a[href="/config"] small.alert').waitFor()
    await shot('broken-dashboard')
    await page.getByRole('link', { name: 'Open Config' }).click()
    await page.locator('.strip-line.err', { hasText: 'line 3: a colon is missing' }).waitFor()
    const line = page.locator('.cm-line', { hasText: /^logs$/ })
    await line.waitFor()
    expect(await page.locator('.cm-content').textContent()).not.to.contain(token)
    await page.getByRole('button', { name: 'Go to the line' }).click()
    await shot('broken-config')
    await line.click()
    await page.keyboard.press('End')
    await page.keyboard.type(':')
    await page.locator('.draft-bar').waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.diff .add', { hasText: 'logs:' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Written', { exact: true }).waitFor()
    expect(await text()).to.equal(whole)
    await page.getByRole('button', { name: 'Back to the settings' }).click()
    await page.locator('.cm-content').waitFor()
    await page.locator('.strip-line.err').waitFor({ state: 'detached' })
    await page.locator('.nav a[href="/config"] small.alert').waitFor({ state: 'detached' })
  })

  it('goes back to an older version with a click, after its difference was seen', async () => {
    await page.goto(`${bench.site.url}/config?section=logs`)
    await page.getByLabel('maxRecords').fill('6000')
    await page.locator('.draft-bar').waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.diff .add').first().waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Reloaded').waitFor()
    expect(await text()).to.contain('maxRecords: 6000')
    await page.getByRole('button', { name: 'Back to the settings' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Versions' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.diff .del', { hasText: 'maxRecords: 6000' }).waitFor()
    await dialog.locator('.diff .add', { hasText: 'maxRecords: 5000' }).waitFor()
    expect(await dialog.getByRole('combobox').locator('option').allTextContents()).to.satisfy((names: string[]) =>
      names.some((name) => /by owner, from .*this is the file now$/.test(name)),
    )
    await shot('versions')
    await dialog.getByRole('button', { name: 'Go back to this version' }).click()
    await dialog.getByText('The file is this version again.').waitFor()
    expect(await text()).to.contain('maxRecords: 5000 # our own')
    await dialog.getByRole('button', { name: 'Apply now' }).click()
    await shot('versions-restored')
    await dialog.getByText(/^(?:Restarted|Took their settings while running): logs$/).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(await page.getByLabel('maxRecords').inputValue()).to.equal('5000')
  })
})
