import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the history strip of an endpoint', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  it('has every minute with a sample, even without a change', async () => {
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'chat:activity': { status: 500, error: 'No activity is kept' },
    }
    const { page, context } = await bench.signedIn('/dashboard')
    const seen = async (): Promise<string | null> =>
      page
        .getByRole('row', { name: /sandbox/ })
        .locator('.ticks')
        .first()
        .getAttribute('aria-label')
    await page.clock.install({ time: new Date('2026-11-20T12:00:10Z') })
    await page.goto(`${bench.site.url}/endpoints`)
    await page
      .getByRole('row', { name: /sandbox/ })
      .first()
      .waitFor()
    const first = await seen()
    await page.clock.setSystemTime(new Date('2026-11-20T12:01:10Z'))
    const asked = bench.host.calls.filter((call) => call === 'endpoint:list').length
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.waitForFunction(
      (label) =>
        [...document.querySelectorAll('.endpoints-table .ticks')].every(
          (strip) => strip.getAttribute('aria-label') !== label,
        ),
      first,
    )
    expect(bench.host.calls.filter((call) => call === 'endpoint:list').length).to.be.greaterThan(asked)
    expect(await seen()).to.not.equal(first)
    await context.close()
  })
})
