import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('the sandbox on a real host', function () {
  this.timeout(90_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  before(async () => {
    host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, chat, adapter-sandbox]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      'endpoints: [{ adapter: sandbox, id: sandbox, master: me, trusted: [bob] }]',
    ])
    bench.atEnd(() => host.stop())
  })
  const open = (width: number, locale: string) =>
    signedIn(bench.browser, bench.site, { url: host.url, token }, '/sandbox', {
      viewport: { width, height: 900 },
      locale,
    })
  const choose = (page: Page, name: RegExp) => page.locator('.sb-choice', { hasText: name })

  for (const [locale, master, trace] of [
    ['en', 'master', 'Trace'],
    ['zh-CN', '主人', '追踪'],
  ] as const)
    it(`shows people with their roles, the configured master among them, and leads to traces (${locale})`, async () => {
      const { page, context } = await open(1440, locale)
      const people = page.locator('.sb-side section').first()
      await choose(page, /^me/).getByText(master).waitFor()
      expect(await people.locator('.sb-choice b').allTextContents()).to.deep.equal(['me', 'Alice', 'Bob', 'Carol'])
      await choose(page, /^me/).focus()
      await page.keyboard.press('Enter')
      await page.reload()
      await page.locator('.sb-choice[aria-pressed=true]', { hasText: /^me/ }).waitFor()
      const text = `/help in ${locale}`
      await page.locator('.sb-composer textarea').fill(text)
      await page.keyboard.press('Enter')
      const said = page.locator('.sb-message.in', { hasText: text })
      await said.locator('.sb-tools a', { hasText: trace }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/traces\?message=sandbox/)
      await page.locator('.pane.main').getByText(text).first().waitFor()
      await context.close()
    })

  it('fits a narrow screen', async () => {
    const { page, context } = await open(390, 'en')
    await choose(page, /^me/).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
    await context.close()
  })
})
