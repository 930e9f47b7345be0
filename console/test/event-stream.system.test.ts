import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { healthy } from './stand-in.js'

describe('the event stream', function () {
  this.timeout(240_000)
  const bench = useBench()

  const commands = (count: number): void => {
    const { data } = healthy()['GET /stats'] as { data: object }
    bench.host.answers['GET /stats'] = { data: { ...data, commands: count } }
  }

  it('refreshes the dashboard on data-update, and nothing else', async () => {
    const { page, context } = await bench.signedIn()
    await page.locator('.dash .lines', { hasText: '87' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    commands(88)
    bench.host.push('data-update', { timestamp: Date.now() })
    await page.locator('.dash .lines', { hasText: '88' }).waitFor()
    await context.close()
  })

  it('refreshes on a click and on a timer', async () => {
    const { page, context } = await bench.signedIn()
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

  it('is shared by eight tabs, and every tab receives events', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    const tabs = [page]
    for (let count = 1; count < 8; count += 1) {
      const tab = await context.newPage()
      await tab.goto(`${bench.site.url}/dashboard`)
      tabs.push(tab)
    }
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor()
    expect(bench.host.streams).to.equal(1)
    commands(99)
    bench.host.push('data-update', { timestamp: Date.now() })
    for (const tab of tabs) {
      await tab.bringToFront()
      await tab.locator('.dash .lines', { hasText: '99' }).waitFor()
    }
    await page.close()
    await until(() => bench.host.streams === 1)
    await tabs[1]?.getByText('Live', { exact: true }).waitFor()
    await context.close()
  })

  it('reports a lost connection, keeps the page, and reconnects', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.dash .lines', { hasText: '87' }).waitFor()
    // Away until the last click: on a busy machine it would be back before it.
    const back = bench.host.down()
    await page.getByText(/Reconnecting/).waitFor()
    expect(await page.locator('.dash .lines').first().textContent()).to.contain('87')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.locator('.toast', { hasText: 'Not connected' }).waitFor()
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await back()
    await page.getByText('Live', { exact: true }).waitFor()
    await context.close()
  })

  it('waits for a restarting host and loads again', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(bench.host.calls).to.not.include('system:restart')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart host' }).click()
    await until(() => bench.host.calls.includes('system:restart'))
    commands(5)
    bench.host.push('system:restarting', null)
    await page.getByText('The host is restarting').waitFor()
    const back = page.getByText('The host is back')
    await back.waitFor()
    // The notice has its own place and covers nothing.
    await eventually(async () =>
      expect(
        await back.evaluate(
          (notice) =>
            notice.getBoundingClientRect().bottom <= (document.querySelector('main')?.getBoundingClientRect().top ?? 0),
        ),
      ).to.equal(true),
    )
    await page.locator('.dash .lines', { hasText: /Commands5/ }).waitFor()
    await page.getByText('The host is restarting').waitFor({ state: 'detached' })
    await context.close()
  })
})
