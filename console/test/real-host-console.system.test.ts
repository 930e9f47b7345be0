import { expect } from 'chai'
import { useBench } from './bench.js'
import { open } from './browser.js'
import { startHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('a real host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let url: string

  before(async () => {
    const host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, chat, adapter-sandbox, introspection]',
      `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
      'endpoints: [{ adapter: sandbox, id: sandbox }]',
    ])
    bench.atEnd(() => host.stop())
    ;({ url } = host)
  })

  it('accepts the sign-in and shows its figures, endpoints and plugins', async () => {
    const { page, context, problems } = await open(bench.browser)
    await page.goto(`${bench.site.url}/?apiBaseUrl=${encodeURIComponent(url)}`)
    await page.getByText('Reachable').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.locator('.dash .lines', { hasText: '9 active' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('row', { name: /sandbox.*online/ }).waitFor()
    await page.getByText('Nothing needs you').waitFor()
    await page.locator('.rail').getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('link', { name: 'http-core' }).click()
    await page.getByRole('heading', { level: 1, name: 'http-core' }).waitFor()
    await page.getByRole('tab', { name: 'Features' }).click()
    await page.getByText('GET /pub/health').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.locator('[data-setting="http.corsOrigins"]').waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('refuses a wrong token in its own words', async () => {
    const { page, context } = await open(bench.browser)
    await page.goto(bench.site.url)
    await page.getByLabel('Address of the host').fill(url)
    await page.getByLabel('Token', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The host refused the token').waitFor()
    await context.close()
  })

  it('restarts, and the console reconnects', async () => {
    const { page, context } = await signedIn(bench.browser, bench.site, { url, token })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Restart host' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart host' }).click()
    await page.getByText('The host is restarting').waitFor()
    await page.getByText('The host is back').waitFor()
    await page.locator('.bar').getByText('Live', { exact: true }).waitFor()
    await page.locator('.dash .lines', { hasText: '9 active' }).waitFor()
    await context.close()
  })
})
