import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

/** The position of the mistake is 2:92, and a secret of the configuration is on the line before it. */
const BROKEN = [
  `const key = '${token}'`,
  `export default { name: 'broken', description: 'Is written wrongly, so that it cannot be loaded', setup(=) {} }`,
  '',
].join('\n')

const GREETER = `
import { Type } from '@mynah/contract/type'
const text = (description, options = {}) => Type.Optional(Type.String({ description, ...options }))
export default {
  name: 'greeter',
  description: 'Greets',
  config: {
    key: 'greeter',
    schema: Type.Object({
      hello: text('Said first'),
      bye: text('Said last'),
      times: Type.Optional(Type.Integer({ minimum: 1, maximum: 9, default: 1, description: 'How often' })),
      loud: Type.Optional(Type.Boolean({ description: 'In capitals' })),
      mark: text('At the end', { maxLength: 1 }),
      lang: text('Language', { pattern: '^[a-z]{2}$' }),
    }, { additionalProperties: false }),
  },
  setup() {},
}
`

describe('the page of a plugin on a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  let context: BrowserContext
  let page: Page

  const lines = (port: number, greeter: readonly string[]): readonly string[] => [
    'plugins: [http-core, console-rpc, events, entries, management, workspace, logs, chat, adapter-sandbox, ./broken.js, ./plugins/greeter.js]',
    `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
    'greeter:',
    ...greeter,
  ]
  before(async () => {
    host = await startHost(
      (port) => lines(port, ['  hello: Hi', '  times: 12', '  mark: "!!"']),
      async (folder) => {
        await mkdir(join(folder, 'plugins'))
        await writeFile(join(folder, 'plugins/greeter.js'), GREETER)
        await writeFile(join(folder, 'broken.js'), BROKEN)
      },
    )
    bench.atEnd(() => host.stop())
  })
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<void> => {
    ;({ context, page } = await signedIn(bench.browser, bench.site, { url: host.url, token }, path, {
      reducedMotion: 'reduce',
      ...options,
    }))
    page.setDefaultTimeout(20_000)
  }
  afterEach(() => context.close())
  const shot = async (name: string): Promise<void> => {
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `${name}.png`), fullPage: true })
  }
  const assertFits = async (): Promise<void> => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0)
    await page.evaluate(await axeSource())
    // The bar of the draft covers a part of a field at most other places.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    expect(await findings(page)).to.deep.equal([])
  }

  it('shows the place of a failure with the lines around it, without paths and secrets', async () => {
    await open('/plugins/broken')
    const place = page.locator('.failure-place')

    await place.getByText(/^broken\.js:2:\d+$/).waitFor()
    expect(await place.locator('.wrong code').innerText()).to.contain('setup(=)')
    expect(await place.locator('.wrong mark').innerText()).to.equal('=')
    expect(await place.innerText()).to.not.contain(token)
    expect(await page.locator('main').innerText()).to.not.contain(host.folder)
    await place.getByRole('link', { name: 'Open the file' }).press('Enter')
    await page.waitForURL(/\/files\?path=broken\.js/)
  })

  it('names all settings that are wrong, goes to each, and saves by the review of Config', async () => {
    await open('/plugins/greeter')
    await page.getByText('2 of 6 settings are wrong:').waitFor()
    await shot('plugin-wrong')
    await page.getByRole('button', { name: 'greeter.times must be at most 9' }).press('Enter')
    const focused = (label: string) =>
      page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label)
    await focused('times')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('3')
    await page.getByText('1 of 6 settings is wrong:').waitFor()
    // It cannot be reviewed yet: the draft still has a mistake.
    await page.keyboard.press('F8')
    await focused('mark')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('!')
    await page.locator('.draft-bar').getByText('2 changes in 1 section').waitFor()
    await shot('plugin-settings-changed')

    // The draft is the one of Config, and is kept over a reload.
    await page.goto(`${bench.site.url}/config?section=greeter`)
    await page.locator('.draft-bar').getByText('2 changes in 1 section').waitFor()
    await page.goto(`${bench.site.url}/plugins/greeter?tab=settings`)
    await page.locator('.draft-bar').getByText('2 changes in 1 section').waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.diff .add', { hasText: 'times: 3' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor()
    await page.locator('.draft-bar').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: /Save 1 section/ }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Reloaded').waitFor()
    await page.getByRole('button', { name: 'Back to the settings' }).press('Enter')
    await page.locator('.page-head').getByText('running').waitFor()
    expect(await page.locator('.trouble').count()).to.equal(0)
    expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).to.match(/times: 3\n {2}mark: "!"/)
  })

  it('shows who needs whom, with links', async () => {
    await open('/plugins/chat', { viewport: { width: 1440, height: 900 } })
    const sides = page.locator('.neighbours .side')
    const dependent = sides.nth(1).getByRole('link', { name: 'management' })
    await dependent.waitFor()
    expect(await page.locator('.neighbours .lines path').count()).to.be.at.least(1)
    await dependent.press('Enter')
    await page.waitForURL('**/plugins/management')
    await sides.nth(0).getByRole('link', { name: 'chat' }).waitFor()
    await page.getByText(/Not from a plugin: .*host/i).waitFor()
  })

  for (const width of [390, 768, 1024, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`fits a screen of ${width} px in ${locale}`, async () => {
        const colorScheme = locale === 'zh-CN' ? 'dark' : 'light'
        await open('/plugins/broken', { viewport: { width, height: 900 }, locale, colorScheme })
        await page.locator('.failure-place .wrong').waitFor()
        await assertFits()
        await shot(`plugin-broken-${width}-${locale}`)
        await page.goto(`${bench.site.url}/plugins/management`)
        await page.locator('.neighbours li').first().waitFor()
        await assertFits()
        await shot(`plugin-graph-${width}-${locale}`)
        await page.goto(`${bench.site.url}/plugins/greeter?tab=settings`)
        await page.getByLabel('bye', { exact: true }).fill('Bye')
        await page.locator('.draft-bar').waitFor()
        await assertFits()
        await shot(`plugin-settings-${width}-${locale}`)
      })
})
