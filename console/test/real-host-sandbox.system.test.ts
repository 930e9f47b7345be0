import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { scrolledSideways } from './scrolled-sideways.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'
const HEIGHT = 900

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

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
  const open = (width: number, locale: string, colorScheme: 'light' | 'dark' = 'light') =>
    signedIn(bench.browser, bench.site, { url: host.url, token }, '/sandbox', {
      viewport: { width, height: HEIGHT },
      locale,
      colorScheme,
      reducedMotion: 'reduce',
    })
  /** Whether the line below the composer is seen. */
  const hint = (page: Page) => page.locator('.sb-hint').isVisible()
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

  const message = (page: Page) => page.locator('.sb-body', { hasText: 'said for the layout' }).first()
  /** Returns the edges of a part of the page. */
  const boxOf = async (page: Page, part: string): Promise<Box> => {
    const { x, y, width, height } = (await page.locator(part).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { left: x, top: y, right: x + width, bottom: y + height }
  }

  for (const locale of ['en', 'zh-CN'])
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1024, 'dark'],
      [768, 'light'],
      [390, 'dark'],
      [390, 'light'],
    ] as const)
      it(`fills the window, and nothing scrolls sideways: ${width} px, ${colorScheme}, ${locale}`, async () => {
        const { page, context, problems } = await open(width, locale, colorScheme)
        await choose(page, /^me/).waitFor()
        await page.locator('.state.ok').waitFor()
        await page.locator('.sb-composer textarea').fill(`said for the layout ${'x'.repeat(300)}`)
        await page.keyboard.press('Enter')
        await message(page).waitFor()
        const [bar, side, chat, composer] = [
          await boxOf(page, '.bar'),
          await boxOf(page, '.sb-side'),
          await boxOf(page, '.sb-chat'),
          await boxOf(page, '.sb-composer'),
        ]
        expect(side.top, 'the list begins below the bar').to.be.closeTo(bar.bottom, 1)
        expect(chat.bottom, 'the messages end with the window').to.be.closeTo(HEIGHT, 1)
        expect(composer.bottom, 'the composer is at the foot').to.be.closeTo(HEIGHT, 1)
        expect([side.left, chat.right], 'no space is left at the sides').to.deep.equal([bar.left, width])
        if (width >= 1024) {
          expect(side.bottom, 'the list ends with the window').to.be.closeTo(HEIGHT, 1)
          expect(chat.left, 'the messages begin next to the list').to.be.closeTo(side.right, 1)
          expect(chat.top).to.be.closeTo(bar.bottom, 1)
        } else expect(chat.top, 'the messages begin below the list').to.be.closeTo(side.bottom, 1)
        const events = page.locator('.sb-side section').last().getByRole('button')
        expect(await events.count(), 'what can happen is in the list').to.equal(3)
        expect(await scrolledSideways(page)).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).to.equal(HEIGHT)
        expect(problems).to.deep.equal([])
        await context.close()
      })

  it('names keys only where there are some', async () => {
    for (const [width, shown] of [
      [1440, true],
      [390, false],
    ] as const) {
      const { page, context } = await open(width, 'en')
      await page.locator('.sb-composer textarea').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await hint(page), String(width)).to.equal(shown)
      await context.close()
    }
  })
})
