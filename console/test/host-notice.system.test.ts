import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { standIn, TOKEN } from './stand-in.js'

describe('the notice of a host', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('reports a host that is down once, and loads everything when it is back', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    const back = bench.host.down()
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('r')
    const notice = page.getByRole('alert')
    await notice.filter({ hasText: 'The host does not answer since' }).waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    await page.keyboard.press('r')
    expect(await notice.count()).to.equal(1)
    expect(await page.locator('.toast').count()).to.equal(0)
    await back()
    // It may have found out by itself in the same moment.
    await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>('[role=alert] button'))
        .find(({ textContent }) => textContent === 'Retry')
        ?.click(),
    )
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await context.close()
  })

  it('disappears when a host that was never reached starts', async () => {
    const back = bench.host.down()
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByText('The host does not answer since').waitFor()
    await page.getByText('Nothing known yet').waitFor()
    await back()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await page.getByText('The host does not answer since').waitFor({ state: 'detached' })
    await context.close()
  })

  it('keeps the token of a host while another one is used', async () => {
    const other = await standIn()
    other.token = 'token-of-the-other'
    const { page, context } = await bench.signedIn()
    try {
      await page.getByText('Live', { exact: true }).waitFor()
      await page.evaluate(
        ([one, two]) =>
          localStorage.setItem(
            'mynah_hosts',
            JSON.stringify([
              { base: one, label: 'first' },
              { base: two, label: 'second' },
            ]),
          ),
        [bench.host.url, other.url],
      )
      await page.reload()
      await page.locator('.brand', { hasText: 'first' }).click()
      // Nothing is stored for it yet, and nothing is claimed to be.
      await page.getByRole('button', { name: 'Switch: second' }).click()
      await page.getByRole('heading', { name: 'Connect to a host' }).waitFor()
      await eventually(async () =>
        expect(await page.getByLabel('Address of the host').inputValue()).to.equal(other.url),
      )
      await page.getByLabel('Token', { exact: true }).fill('token-of-the-other')
      await page.keyboard.press('Enter')
      await page.locator('.brand', { hasText: 'second' }).waitFor()
      for (const name of ['first', 'second', 'first']) {
        await page.locator('.brand').click()
        await page.getByRole('button', { name: `Switch: ${name}` }).click()
        await page.locator('.brand', { hasText: name }).waitFor()
        await page.getByText('Live', { exact: true }).waitFor()
      }
      await eventually(async () =>
        expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(TOKEN),
      )
      await page.locator('.brand').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Connect to a host' }).waitFor()
      await eventually(async () =>
        expect(
          await page.evaluate(() => [
            localStorage.getItem('mynah_api_token'),
            localStorage.getItem('mynah_api_tokens'),
          ]),
        ).to.deep.equal([null, JSON.stringify({ [other.url]: 'token-of-the-other' })]),
      )
    } finally {
      await other.close()
      await context.close()
    }
  })
})
