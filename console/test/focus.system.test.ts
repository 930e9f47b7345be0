import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'

/** Waits until what has the focus is named so. */
const focusIs = async (page: Page, name: string): Promise<void> => {
  await page.waitForFunction((wanted) => {
    const element = document.activeElement
    if (element === null || element === document.body) return false
    // A button shows its key, which is not part of its name.
    const shown = element.cloneNode(true) as Element
    for (const hidden of shown.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
    return (element.getAttribute('aria-label') ?? shown.textContent) === wanted
  }, name)
}

describe('focus', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  it('stays on the colour control when a colour is chosen or removed', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.rail .brand').click()
    const dialog = page.locator('dialog[open]')
    const bar = dialog.getByLabel('Colour of the stripe')
    await dialog.getByText('none yet').waitFor()
    expect(await bar.count()).to.equal(0)
    await dialog.getByRole('button', { name: 'Choose a colour' }).press('Enter')
    await bar.waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'color')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await focusIs(page, 'Choose a colour')
    await context.close()
  })

  it('returns to the opener after each dialog, closed by key or button', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    const dialog = page.locator('dialog[open]')
    const closed = () => dialog.waitFor({ state: 'detached' })

    const brand = page.locator('.rail .brand')
    for (const how of ['Escape', 'Close', 'Save'] as const) {
      await brand.focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      if (how === 'Escape') await page.keyboard.press('Escape')
      else await dialog.getByRole('button', { name: how, exact: true }).click()
      await closed()
      await page.waitForFunction(() => document.activeElement?.classList.contains('brand'))
    }

    const refresh = page.getByRole('button', { name: 'Refresh' })
    await refresh.focus()
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key)
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await closed()
      await focusIs(page, 'Refresh')
    }

    const finder = page.locator('.finder')
    await finder.click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await closed()
    await page.waitForFunction(() => document.activeElement?.classList.contains('finder'))

    // By way of a menu: the menu's button is what is left of the way.
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await closed()
    await focusIs(page, 'Display')

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await closed()
    await focusIs(page, 'More')
    await context.close()
  })

  it('goes to the heading if the opener is gone, and to the page that the palette opens', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate(() => {
      const button = Object.assign(document.createElement('button'), { id: 'gone', textContent: 'gone' })
      document.querySelector('main')?.append(button)
      button.focus()
    })
    await page.keyboard.press('?')
    await page.locator('dialog[open]').waitFor()
    await page.evaluate(() => document.getElementById('gone')?.remove())
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Plugins')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Plugins')
    // A ring around a heading says that something can be done there.
    expect(await page.locator('main h1').evaluate((element) => getComputedStyle(element).outlineStyle)).to.equal('none')
    await context.close()
  })

  it('sends keys typed right after the palette key to the palette', async () => {
    const { page, context } = await bench.signedIn('/dashboard')
    await page.getByText('Live', { exact: true }).waitFor()
    // In one task, so that the code of the palette cannot be there yet: g and i would lead to the inbox.
    await page.evaluate(() => {
      const press = (key: string, ctrlKey = false): boolean =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }))
      press('k', true)
      for (const key of [...'Plgi']) press(key)
      for (const key of ['Backspace', 'Backspace', ...'ugins', 'Enter']) press(key)
    })
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/plugins')
    await context.close()
  })

  it('returns from the page sheet on a narrow screen', async () => {
    const { page, context } = await bench.signedIn('/dashboard', { viewport: { width: 390, height: 844 } })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open pages' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusIs(page, 'Open pages')
    await context.close()
  })

  it('enters a list with the arrow key, from the heading and the filter', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    const row = () => page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('th')?.textContent)
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await row()).to.be.a('string'))
    const first = await row()
    await page.keyboard.press('ArrowDown')
    await eventually(async () =>
      expect(await row())
        .to.be.a('string')
        .and.not.equal(first),
    )
    await page.keyboard.press('/')
    await eventually(async () => expect(await row()).to.equal(undefined))
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await row()).to.be.a('string'))
    await context.close()
  })

  it('clears announcements when the page changes', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    const said = page.locator('div.sr[role=status]').last()
    await page.waitForFunction(() => /of \d+ plugins/.test(document.body.textContent ?? ''))
    await eventually(async () => expect(await said.textContent()).to.match(/plugins/))
    await page.locator('.rail').getByRole('link', { name: 'Dashboard' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await eventually(async () => expect(await said.textContent()).to.equal(''))
    await context.close()
  })
})
