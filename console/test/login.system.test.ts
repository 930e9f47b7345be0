import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { open } from './browser.js'
import { standIn, TOKEN } from './stand-in.js'

describe('signing in', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('probes the address, shows the rejection of a wrong token, and returns to the requested page', async () => {
    const { page, context } = await open(bench.browser)
    await page.goto(`${bench.site.url}/plugins?filter=chat`)
    await page.getByRole('heading', { name: 'Connect to a host' }).waitFor()
    await page.getByLabel('Address of the host').fill(bench.host.url)
    await page.getByText('Reachable').waitFor()
    await page.getByLabel('Token', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The host refused the token. The token is not valid').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(null)
    await page.getByLabel('Token', { exact: true }).fill(TOKEN)
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await eventually(async () => expect(page.url()).to.equal(`${bench.site.url}/plugins?filter=chat`))
    await eventually(async () =>
      expect(
        await page.evaluate(() => [localStorage.getItem('mynah_api_base'), localStorage.getItem('mynah_api_token')]),
      ).to.deep.equal([bench.host.url, TOKEN]),
    )
    await page.reload()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await context.close()
  })

  it('says why a host is unreachable', async () => {
    const { page, context } = await open(bench.browser)
    await page.goto(bench.site.url)
    const address = page.getByLabel('Address of the host')
    await address.fill('http://127.0.0.1:9')
    await page.getByText('Nothing answers at 127.0.0.1:9').waitFor()
    await eventually(async () =>
      expect(
        await page.getByRole('list', { name: 'Checked steps' }).getByRole('listitem').allInnerTexts(),
      ).to.deep.equal([
        'The address is complete\ndone',
        'This page may call it\ndone',
        'Something answers there\nnot so',
        'It is a Mynah host that allows this console\ncomes after',
      ]),
    )
    await page.getByRole('button', { name: 'Try the usual port: http://127.0.0.1:8086' }).waitFor()
    bench.host.origins = []
    await address.fill(bench.host.url)
    await page.getByText('Not allowed').waitFor()
    await page.getByText(`Add ${bench.site.url} to http.corsOrigins`).waitFor()
    // The page checks again by itself, so that a fixed host needs no typing.
    bench.host.origins = '*'
    await page.getByText('Reachable').waitFor()
    await address.fill('ftp://example.org')
    await address.press('Tab')
    await page.getByText('Not an address').waitFor()
    await eventually(async () => expect(await address.getAttribute('aria-invalid')).to.equal('true'))
    // Surrounding text of a copied address is removed, and a host is found.
    bench.host.origins = '*'
    await address.fill(`${bench.host.url}/api/`)
    await page.getByText('Reachable').waitFor()
    await address.press('Tab')
    await eventually(async () => expect(await address.inputValue()).to.equal(bench.host.url))
    await eventually(async () => expect(await address.getAttribute('aria-invalid')).to.equal(null))
    bench.host.origins = '*'
    await address.fill(`${bench.host.url}/@dev`)
    await page.getByText('Another server').waitFor()
    await context.close()
  })

  it('takes only the address from a link, removes it from the address bar, and does not send the stored token there', async () => {
    const { page, context } = await bench.signedIn()
    await page.getByText('Live', { exact: true }).waitFor()
    const other = await standIn()
    try {
      other.token = 'another'
      await page.goto(`${bench.site.url}/?apiBaseUrl=${encodeURIComponent(other.url)}`)
      await page.getByText('Your stored token is not sent to it').waitFor()
      await eventually(async () =>
        expect(await page.getByLabel('Address of the host').inputValue()).to.equal(other.url),
      )
      await eventually(async () => expect(page.url()).to.not.contain('apiBaseUrl'))
      await page.getByText('Reachable').waitFor()
      expect(other.calls).to.deep.equal([])
      expect(await page.getByLabel('Token', { exact: true }).inputValue()).to.equal('')
      await page.goto(bench.site.url)
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('mynah_api_base'))).to.equal(bench.host.url)
    } finally {
      await other.close()
      await context.close()
    }
  })

  it('signs in by the link that a host prints, and keeps the stored token where that of a link is refused', async () => {
    const { page, context } = await open(bench.browser)
    const link = (token: string): string =>
      `${bench.site.url}/?apiBaseUrl=${encodeURIComponent(bench.host.url)}#token=${token}`
    const stored = (): Promise<string | null> => page.evaluate(() => localStorage.getItem('mynah_api_token'))
    await page.goto(link('wrong'))
    await page.getByRole('heading', { name: 'Connect to a host' }).waitFor()
    expect(await stored()).to.equal(null)
    await page.goto('about:blank')
    await page.goto(link(TOKEN))
    await page.getByText('Live', { exact: true }).waitFor()
    expect(page.url()).to.equal(`${bench.site.url}/dashboard`)
    expect(await stored()).to.equal(TOKEN)
    await page.goto('about:blank')
    await page.goto(link('wrong'))
    await page.getByText('Live', { exact: true }).waitFor()
    expect(page.url()).to.not.contain('wrong')
    expect(await stored()).to.equal(TOKEN)
    await context.close()
  })

  it('goes to the login page on 401, forgets the token, keeps the address, and comes back', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    bench.host.token = 'replaced'
    // Whatever is asked first is refused; that may be before anybody gets to press it.
    await page.evaluate(() => document.querySelector<HTMLElement>('main [aria-keyshortcuts=r]')?.click())
    await page.getByText('Sign in again').waitFor()
    await eventually(async () =>
      expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(null),
    )
    await eventually(async () =>
      expect(await page.getByLabel('Address of the host').inputValue()).to.equal(bench.host.url),
    )
    await page.getByLabel('Token', { exact: true }).fill('replaced')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await context.close()
  })

  it('changes the host or signs out from the host dialog', async () => {
    const { page, context } = await bench.signedIn()
    await page.locator('.brand').click()
    await page.getByLabel('Label').fill('prod-bot')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.brand', { hasText: 'prod-bot' }).waitFor()
    await page.locator('.brand').click()
    await page.getByRole('button', { name: 'Change address or token' }).click()
    await page.getByRole('button', { name: 'prod-bot' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(TOKEN)
    await page.reload()
    await page.locator('.brand').click()
    const other = await context.newPage()
    await other.goto(`${bench.site.url}/plugins`)
    await other.getByRole('rowheader', { name: 'chat' }).waitFor()
    await page.bringToFront()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Connect to a host' }).waitFor()
    await page.getByRole('heading', { name: 'Connect to a host' }).waitFor()
    await eventually(async () =>
      expect(await page.evaluate(() => localStorage.getItem('mynah_api_token'))).to.equal(null),
    )
    await context.close()
  })

  it('uses the API prefix of the host', async () => {
    bench.host.prefix = '/manage/v1'
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await context.close()
  })
})
