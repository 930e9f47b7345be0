import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('Env on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  before(async () => {
    host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, workspace]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      ],
      async (folder) => {
        await writeFile(join(folder, '.env'), '# kept\nOLD=1\n')
        const lines = Array.from({ length: 500 }, (_, index) => `NAME_${index}=value ${index}\n`)
        await writeFile(join(folder, '.env.large'), lines.join(''))
      },
    )
    bench.atEnd(() => host.stop())
  })
  const open = async (options = {}): Promise<void> => {
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/env', options))
    await page.getByLabel('OLD', { exact: true }).waitFor()
  }
  afterEach(() => context.close())
  /** The names that have a row. */
  const rows = (): Promise<string[]> => page.locator('.env-table tbody th').allInnerTexts()
  const paste = (text: string): Promise<void> =>
    page.locator('.env-new input').evaluate((input, pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  /** All that can be read on the page, in its fields, too. */
  const seen = (): Promise<string> =>
    page.evaluate(
      () =>
        document.body.innerText +
        [...document.querySelectorAll('input')]
          .filter((input) => input.type !== 'password')
          .map((input) => input.value)
          .join(' '),
    )

  it('takes a whole pasted file, shows none of its values, and saves it', async () => {
    await open()
    await paste('# of a friend\r\nOLD=2\r\nexport KEY="sk-canary-1"\r\nPEM="a\nb"\r\n')
    await page.getByText('3 variables changed').waitFor()
    expect(await page.getByLabel('KEY', { exact: true }).inputValue()).to.equal('sk-canary-1')
    expect(await seen()).to.not.contain('sk-canary')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').waitFor()
    expect(await seen()).to.not.contain('sk-canary')
    await page.keyboard.press('Control+s')
    await page
      .getByText(/\.env was saved/)
      .first()
      .waitFor()
    expect(await readFile(join(host.folder, '.env'), 'utf8')).to.equal('# kept\nOLD=2\nKEY=sk-canary-1\nPEM="a\\nb"\n')
  })

  it('goes from the name to its hidden value by Enter, and by =', async () => {
    await open()
    const name = page.locator('.env-new input')
    for (const [variable, key] of [
      ['FIRST', 'Enter'],
      ['SECOND', '='],
    ] as const) {
      await name.fill(variable)
      await name.press(key)
      await page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, variable)
      await page.keyboard.type('canary-typed')
      expect(await page.getByLabel(variable, { exact: true }).getAttribute('type')).to.equal('password')
    }
    expect(await seen()).to.not.contain('canary-typed')
  })

  it('refuses to paste what is neither a name nor a file into the field that is seen', async () => {
    await open()
    await paste('sk-canary-2')
    await page.getByRole('alert').getByText('it was not pasted').waitFor()
    expect(await seen()).to.not.contain('sk-canary')
    await paste(' API_KEY ')
    expect(await page.locator('.env-new input').inputValue()).to.equal('API_KEY')
  })

  it('shows the first of 500 variables, more by a click, and any by its name', async () => {
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/env?file=.env.large'))
    await page.getByLabel('NAME_0', { exact: true }).waitFor()
    expect(await rows()).to.have.length(40)
    await page.getByRole('button', { name: 'Show 20 of 460 more' }).click()
    await page.getByLabel('NAME_59', { exact: true }).waitFor()
    const search = page.getByRole('searchbox', { name: 'Find a variable by its name' })
    await search.fill('name_49')
    await page.getByLabel('NAME_499', { exact: true }).waitFor()
    expect(await rows()).to.have.length(11)
    await page.getByLabel('NAME_499', { exact: true }).fill('changed')
    await search.fill('value 1')
    await page.getByText('No variable has this in its name').waitFor()
    await search.fill('')
    await page.getByLabel('NAME_59', { exact: true }).waitFor()
    expect((await rows()).at(-1)).to.equal('NAME_499')
    // Typed back to what it was, the field stays, and so does the focus.
    const last = page.getByLabel('NAME_499', { exact: true })
    await last.fill('value 499')
    expect(await last.evaluate((field) => field === document.activeElement)).to.equal(true)
  })

  it('takes a new variable into view at the end of a large file, whatever was searched', async () => {
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, '/env?file=.env.large'))
    await page.getByRole('searchbox', { name: 'Find a variable by its name' }).fill('name_7')
    await page.locator('.env-new input').fill('ADDED')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'ADDED')
    expect(await rows())
      .to.have.length(41)
      .and.to.include('ADDED')
  })

  for (const width of [390, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`fits a screen of ${width} px in ${locale}`, async () => {
        await open({ viewport: { width, height: 844 }, locale })
        if (process.env['SHOTS'])
          await page.screenshot({ path: join(process.env['SHOTS'], `env-${width}-${locale}.png`) })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0)
        const value = await page.getByLabel('OLD', { exact: true }).boundingBox()
        expect(value?.width).to.be.greaterThan(140)
      })
})
