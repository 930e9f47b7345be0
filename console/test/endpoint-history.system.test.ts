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

  for (const { locale, ended, open } of [
    { locale: 'en-GB', ended: /^offline at .* for 6 min, the server/, open: /^offline since .*, for 12 h \d+ min now/ },
    { locale: 'zh-CN', ended: / 离线 6 分钟, the server/, open: /^自 .* 起离线，已持续 12 小时/ },
  ])
    it(`says of an outage when it began and how long it was, each in words: ${locale}`, async () => {
      bench.host.answers = { ...healthy(), ...exampleAnswers() }
      const { page, context } = await bench.signedIn('/endpoints/irc/libera', { locale })
      await page.locator('.outs').getByText(ended).waitFor()
      await page.goto(`${bench.site.url}/endpoints/irc/oftc`)
      await page.locator('.outs').getByText(open).waitFor()
      await context.close()
    })
})
