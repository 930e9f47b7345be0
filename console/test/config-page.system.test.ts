import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('Config on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  before(async () => {
    host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, logs, ai, skills]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      'logs:',
      '  maxRecords: 5000',
      'marketplaec:',
      '  registry: https://registry.example.org # ours',
    ])
    bench.atEnd(() => host.stop())
  })
  const open = async (path = '/config', options = {}): Promise<void> => {
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, path, options))
    if (process.env['SHOTS']) page.setDefaultTimeout(10_000)
    await page.locator('.pane-list, .config-form, .cm-content').first().waitFor({ state: 'attached' })
  }
  afterEach(() => context.close())
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  const focused = (label: string) =>
    page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label)
  const shot = async (name: string): Promise<void> => {
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `${name}.png`) })
  }

  it('finds a setting by a word of its description and goes to it by the keyboard', async () => {
    await open()
    await page.getByRole('searchbox').fill('size body')
    await button(/^http\.bodyLimit/).focus()
    await page.keyboard.press('Enter')
    await focused('bodyLimit')
    await page.getByRole('searchbox').fill('nothing has this')
    await page.getByText('No setting matches').waitFor()
  })

  it('shows a section of one setting in the one above, and saves it there', async () => {
    await open('/config?section=ai.skills')
    await page.locator('.config-head h2', { hasText: /^ai$/ }).waitFor()
    expect(await page.locator('.pane-list').getByText('ai.skills').count()).to.equal(0)
    await page.locator('[data-setting="ai.skills.root"] input').fill('our-skills')
    await page.getByText('1 change in 1 section').waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.diff .add', { hasText: 'root: our-skills' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Reloaded').waitFor()
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).to.match(/skills:\n {4}root: our-skills/)
  })

  it('names all values that are not valid, and goes to each', async () => {
    await open('/config?section=logs')
    await page.getByLabel('maxRecords').fill('5')
    await page.locator('.pane-list button', { hasText: /^http/ }).click()
    await page.getByLabel('bodyLimit').fill('7')
    const bar = page.locator('.draft-bar')
    await bar.getByText('2 values are not valid:').waitFor()
    await bar.getByRole('button', { name: 'logs.maxRecords must be at least 100' }).press('Enter')
    await focused('maxRecords')
    await page.keyboard.press('F8')
    await focused('bodyLimit')
    await page.keyboard.press('Tab')
    await page.locator('.wrong-settings', { hasText: '1 value is not valid: bodyLimit' }).waitFor()
    await page.locator('.wrong-settings').getByRole('button', { name: 'bodyLimit' }).press('Enter')
    await focused('bodyLimit')
    await shot('config-two-invalid')
  })

  it('removes a key that is not known, or gives its value to the one that was meant', async () => {
    await open('/config?section=logs&mode=yaml')
    const replace = async (from: string, to: string): Promise<void> => {
      const file = join(host.folder, 'mynah.config.yml')
      await writeFile(file, (await readFile(file, 'utf8')).replace(from, to))
      await page.goto(`${bench.site.url}/config?section=logs`)
    }
    await replace('maxRecords: 5000', 'maxRecord: 5000')
    await page.getByText('is not a key here. Did you mean maxRecords?').waitFor()
    await shot('config-unknown')
    await button(/^Use maxRecords/).press('Enter')
    await eventually(async () => expect(await page.getByLabel('maxRecords').inputValue()).to.equal('5000'))
    await page.locator('[data-setting="logs.maxRecord"]').getByRole('button', { name: 'Undo' }).waitFor()
    await button('Discard').click()
    await button(/^Discard /).click()
    await button(/^Remove maxRecord/).press('Enter')
    await page.keyboard.press('Control+s')
    await page.locator('.diff .del', { hasText: 'maxRecord: 5000' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Discard').click()
    await button(/^Discard /).click()
    await replace('maxRecord: 5000', 'maxRecords: 5000')
  })

  it('marks the line of a value that is not valid in the file, before anything is edited', async () => {
    const file = join(host.folder, 'mynah.config.yml')
    const valid = await readFile(file, 'utf8')
    await writeFile(file, valid.replace('maxRecords: 5000', 'maxRecord: 5000'))
    try {
      await open('/config?mode=yaml')
      const marker = page.locator('.cm-lint-marker-error')
      await marker.waitFor()
      await marker.hover()
      await page.getByText('logs.maxRecord is not a key here. Did you mean maxRecords?').waitFor()
      const line = await page.locator('.cm-lintRange-error').textContent()
      expect(line).to.include('maxRecord: 5000')
      await shot('config-gutter')
    } finally {
      await writeFile(file, valid)
    }
  })

  it('removes a section that no plugin claims from the file', async () => {
    await open('/config?section=marketplaec')
    await button('Remove').press('Enter')
    // Until the text is parsed, the bar says that the file was edited as text.
    await page.getByText('1 change in 1 section').waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.diff .del', { hasText: 'registry.example.org' }).waitFor()
  })

  it('describes the options in Chinese, and finds them so', async () => {
    await open('/config?section=logs', { locale: 'zh-CN' })
    await page.locator('.config-label').getByText('最多保留的日志行数').waitFor()
    await page.getByRole('searchbox').fill('正文的最大')
    await page.locator('.pane-list button', { hasText: 'http.bodyLimit' }).click()
    await focused('bodyLimit')
    await shot('config-chinese')
  })

  for (const width of [390, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`fits a screen of ${width} px in ${locale}`, async () => {
        await open('/config', { viewport: { width, height: 844 }, locale, colorScheme: 'dark' })
        await page.getByRole('searchbox').fill('limit')
        await page.locator('.pane-list .below').first().waitFor()
        await shot(`config-search-${width}-${locale}`)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0)
        await page.locator('.pane-list button', { hasText: 'http.bodyLimit' }).click()
        await focused('bodyLimit')
      })
})
