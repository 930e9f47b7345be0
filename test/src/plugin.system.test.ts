import { expect } from 'chai'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { findings } from './axe.js'
import { startExample, type ExampleHost } from './example-host.js'

describe('page of the example plugin', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost

  before(async () => {
    host = await startExample('plugin-with-page', bench.site.url)
    bench.atEnd(() => host.stop())
  })

  it('greets by RPC and lists by REST', async () => {
    const { page, context, problems } = await signedIn(bench.browser, bench.site, host)
    await page.locator('.rail').getByRole('link', { name: 'Greeter' }).click()
    await page.getByText('No greetings yet').waitFor()
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('button', { name: 'Greet', exact: true }).click()
    await page.getByText('Welcome, Ada!').waitFor()
    await page.getByRole('row', { name: 'Ada 1' }).waitFor()
    expect(problems).to.deep.equal([])
    expect(await findings(page)).to.deep.equal([])
    await context.close()
  })

  it('shows the error message of the host', async () => {
    const { page, context } = await signedIn(bench.browser, bench.site, host, '/greeter')
    await page.getByLabel('Name').fill('x'.repeat(65))
    await page.getByRole('button', { name: 'Greet', exact: true }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'The host refused' })
    await notice.waitFor()
    expect(await notice.textContent()).to.match(/name.*64/)
    await context.close()
  })
})
