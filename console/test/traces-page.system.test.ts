// The page of traces: the steps of a message as a tree with their times.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const PATH = '/traces?message=x-12'

describe('the page of traces', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  const rows = (page: Page) => page.getByRole('treegrid').locator('[role=row][aria-level]')
  /** Returns the row with the focus: its level, whether it is open, and what it says. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const row = document.activeElement
      const cells = [...(row?.querySelectorAll('[role=gridcell]') ?? [])].map((cell) => cell.textContent)
      return [row?.getAttribute('aria-level'), row?.getAttribute('aria-expanded') ?? '-', cells[1]].join(' ')
    })
  const expectFocused = (page: Page, wanted: string): Promise<void> =>
    eventually(async () => expect(await focused(page)).to.equal(wanted))

  it('shows the steps of a sub-task within its tool, with the time that each took', async () => {
    const { page, context } = await bench.signedIn(PATH)
    const tool = rows(page).filter({ hasText: 'spawn_task' }).first()
    await tool.waitFor()
    const level = await tool.getAttribute('aria-level')
    expect(level).to.equal('2')
    expect(await tool.locator('[role=gridcell]').last().innerText()).to.equal('810 ms')
    const search = rows(page).filter({ hasText: 'web_search' })
    expect(await search.getAttribute('aria-level')).to.equal('3')
    expect(await search.locator('[role=gridcell]').last().innerText()).to.equal('130 ms')
    await tool.click()
    await search.waitFor({ state: 'detached' })
    expect(await tool.getAttribute('aria-expanded')).to.equal('false')
    await context.close()
  })

  it('is one tab stop, in which arrow keys move, open and close', async () => {
    const { page, context } = await bench.signedIn(PATH)
    await rows(page).first().waitFor()
    expect(await page.getByRole('treegrid').locator('[tabindex="0"]').count()).to.equal(1)
    await rows(page).first().focus()
    await expectFocused(page, '1 true Accepted')
    await page.keyboard.press('ArrowLeft')
    await expectFocused(page, '1 false Accepted')
    await page.keyboard.press('ArrowDown')
    await expectFocused(page, '1 true Decided')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await expectFocused(page, '1 true Accepted')
    await page.keyboard.press('ArrowRight')
    await expectFocused(page, '2 - Message store')
    await page.keyboard.press('ArrowLeft')
    await expectFocused(page, '1 true Accepted')
    await page.keyboard.press('End')
    expect(await focused(page)).to.match(/^2 - Sending /)
    await page.keyboard.press('Home')
    await expectFocused(page, '1 true Accepted')
    await page.keyboard.press('Enter')
    await expectFocused(page, '1 false Accepted')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=treegrid]'))).to.equal(null)
    await context.close()
  })

  for (const width of [390, 768, 1_440])
    for (const [locale, group] of [
      ['en-US', 'Answered'],
      ['zh-CN', '回答'],
    ] as const)
      it(`fits and is accessible at ${width} px in ${locale}`, async () => {
        const { page, context } = await bench.signedIn(PATH, {
          locale,
          viewport: { width, height: 844 },
          reducedMotion: 'reduce',
        })
        await rows(page).filter({ hasText: group }).first().waitFor()
        await page.evaluate(await axeSource())
        expect(await findings(page)).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(width)
        // How long a step took is seen at every width.
        await rows(page)
          .filter({ hasText: 'web_search' })
          .getByText(locale === 'zh-CN' ? '130 毫秒' : '130 ms')
          .waitFor()
        await context.close()
      })
})
