// Rules for all pages: one form of times, grouped numbers, messages that cover no bar.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers, pageAddresses } from './example-data.js'
import { healthy } from './stand-in.js'

/** Words of people and programs, settings and identifiers, which pages show as they are. */
const QUOTED =
  'code, pre, kbd, textarea, input, .mono, .said, .quote, .comment, .vrow, .cm-editor, .grid, .crumbs, dl dd, .config-field'

describe('on every page', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  /** Returns the texts of a page that are the console's own. */
  const ownTexts = (page: Page): Promise<string[]> =>
    page.evaluate((quoted) => {
      const found: string[] = []
      const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement?.closest(quoted)) found.push(node.textContent?.trim() ?? '')
      return found.filter((text) => text !== '')
    }, QUOTED)

  for (const locale of ['en-US', 'zh-CN'])
    it(`times have one form and numbers are grouped (${locale})`, async () => {
      const { page, context } = await bench.signedIn('/dashboard', { locale })
      await page.locator('.state.ok').waitFor()
      const found: string[] = []
      for (const { path, ready } of pageAddresses) {
        await go(page, path, ready)
        for (const text of await ownTexts(page)) {
          // 2026-11-23T09:00Z, 9:00 AM, 11/23/2026, 9:05 as a time of day.
          if (/\d{4}-\d\d-\d\dT|\d\s?[AP]M\b|\d{1,2}\/\d{1,2}\/\d{4}/.test(text)) found.push(`${path}: time ${text}`)
          if (/(?<![\d.,:#\w-])(?!20\d\d(?!\d))\d{4,}(?![\d.:\w-])/.test(text)) found.push(`${path}: number ${text}`)
        }
      }
      expect(found).to.deep.equal([])
      await context.close()
    })

  for (const width of [390, 768, 1_440])
    it(`messages cover no bar at the lower edge (${width} px)`, async () => {
      const { page, context } = await bench.signedIn('/logs', { viewport: { width, height: 844 } })
      await page.locator('.vrow').first().waitFor()
      // A refusal stays until it is dismissed.
      await page.evaluate(() =>
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } }),
      )
      await page.getByRole('button', { name: 'Copy shown' }).click()
      await page.locator('.toast').waitFor()
      const found: string[] = []
      for (const { path, ready } of pageAddresses) {
        await go(page, path, ready)
        if (path === '/database?table=quotes') {
          await page.locator('.grid .remove').first().click()
          await page.locator('.draft-bar').waitFor()
        }
        // The place follows the page in the next frame.
        await eventually(async () => {
          const covered = await coveredBars(page)
          expect(covered, path).to.deep.equal([])
        })
        if ((await page.locator('[data-dock]').count()) > 0) found.push(path)
      }
      expect(found).to.include('/database?table=quotes').and.to.have.length.above(1)
      await context.close()
    })
})

/** Goes to a page by the console's own router, so that what is shown above pages stays. */
async function go(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator(`main ${ready}`).first().waitFor()
}

/** Returns the bars at the lower edge that a message lies on. */
const coveredBars = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const toast = document.querySelector('.toast')?.getBoundingClientRect()
    if (!toast) return ['there is no message']
    return [...document.querySelectorAll('[data-dock], .draft-bar, .db-bar, form.answer')].flatMap((bar) => {
      const box = bar.getBoundingClientRect()
      const isCovered =
        box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top
      return isCovered && box.height > 0 ? [bar.className] : []
    })
  })
