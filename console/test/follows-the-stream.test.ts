// The console and the event stream: refreshing, one connection for all tabs, losing it, restarts.
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { launch } from './browser.js'
import { signedIn } from './signed-in.js'
import { serve, type Site } from './site.js'
import { healthy, standIn, type StandIn } from './stand-in.js'

/** Waits for a condition on this side, checked at each turn of the loop. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => { setTimeout(resolve, 5) })
}

describe('the event stream', function () {
  this.timeout(240_000)
  let browser: Browser
  let site: Site
  let host: StandIn

  before(async () => { [browser, site] = [await launch(), await serve()] })
  beforeEach(async () => { host = await standIn() })
  afterEach(() => host.close())
  after(async () => { await browser.close(); await site.close() })

  const commands = (count: number): void => {
    const { data } = healthy()['GET /stats'] as { data: object }
    host.answers['GET /stats'] = { data: { ...data, commands: count } }
  }

  it('refreshes the dashboard on data-update, and only what it concerns', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.locator('.dash .lines', { hasText: '87' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    commands(88)
    host.push('data-update', { timestamp: Date.now() })
    await page.locator('.dash .lines', { hasText: '88' }).waitFor()
    await context.close()
  })

  it('refreshes by hand and on a timer', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.clock.install()
    await page.locator('.dash .lines', { hasText: '87' }).waitFor()
    commands(90)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.locator('.dash .lines', { hasText: '90' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitemradio', { name: 'Refresh every 10 s' }).click()
    commands(91)
    await page.clock.runFor(10_500)
    await page.locator('.dash .lines', { hasText: '91' }).waitFor()
    await context.close()
  })

  it('is one for eight tabs, and every tab hears it', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.getByText('Live', { exact: true }).waitFor()
    const tabs = [page]
    for (let count = 1; count < 8; count += 1) {
      const tab = await context.newPage()
      await tab.goto(`${site.url}/dashboard`)
      tabs.push(tab)
    }
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor()
    expect(host.streams).to.equal(1)
    commands(99)
    host.push('data-update', { timestamp: Date.now() })
    for (const tab of tabs) {
      await tab.bringToFront()
      await tab.locator('.dash .lines', { hasText: '99' }).waitFor()
    }
    await page.close()
    await until(() => host.streams === 1)
    await tabs[1]?.getByText('Live', { exact: true }).waitFor()
    await context.close()
  })

  it('says when it is lost, keeps the page, and comes back', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.getByText('Live', { exact: true }).waitFor()
    host.answers['GET /stats'] = 'silence'
    host.dropStreams()
    await page.getByText(/Reconnecting/).waitFor()
    expect(await page.locator('.dash .lines').first().textContent()).to.contain('87')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.locator('.toast', { hasText: 'Not connected' }).waitFor()
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await page.getByText('Live', { exact: true }).waitFor()
    await context.close()
  })

  it('waits for a host that restarts, says so, and loads again', async () => {
    const { page, context } = await signedIn(browser, site, host)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(host.calls).to.not.include('system:restart')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart host' }).click()
    await until(() => host.calls.includes('system:restart'))
    commands(5)
    host.push('system:restarting', null)
    await page.getByText('The host is restarting').waitFor()
    await page.getByText('The host is back').waitFor()
    await page.locator('.dash .lines', { hasText: /Commands5/ }).waitFor()
    expect(await page.getByText('The host is restarting').count()).to.equal(0)
    await context.close()
  })
})
