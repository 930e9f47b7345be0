// What was said in the sandbox is there after the host began anew, with a rule where it did.
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { createClient } from '@mynah/sdk'
import { launch } from '../../console/test/dist/test/browser.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { serve, type Site } from '../../console/test/dist/test/site.js'
import { startExample, type ExampleHost } from './example-host.js'

describe('the transcript of the sandbox', function () {
  this.timeout(240_000)
  let browser: Browser
  let site: Site
  let host: ExampleHost

  before(async () => {
    site = await serve()
    ;[browser, host] = [await launch(), await startExample('starter', site.url)]
  })
  after(async () => {
    await browser?.close()
    await host?.close()
    await site?.close()
  })

  it('outlives a restart of the host', async () => {
    const client = createClient({ base: host.url, token: host.token })
    const { page, context } = await signedIn(browser, site, host, '/sandbox')
    try {
      const input = page.getByRole('textbox', { name: 'Message', exact: true })
      await page.locator('.state.ok').waitFor()
      await input.fill('/help before')
      await input.press('Enter')
      await page.locator('.sb-message.out').first().waitFor()
      const { startedAt } = await client.rpc('sandbox:history', { endpointId: 'sandbox', channel: { type: 'private', id: 'alice' } })
      await client.rpc('system:restart')
      await page.getByText('The host is back').waitFor()
      await page.locator('.state.ok').waitFor()
      const after = await client.rpc('sandbox:history', { endpointId: 'sandbox', channel: { type: 'private', id: 'alice' } })
      expect(after.startedAt).to.be.greaterThan(startedAt ?? Infinity)
      expect(after.messages.map(({ direction }) => direction).slice(0, 2)).to.deep.equal(['in', 'out'])
      await input.fill('/help afterwards')
      await input.press('Enter')
      await page.locator('.sb-rule.restart').waitFor()
      expect(await page.locator('.sb-message', { hasText: '/help before' }).count()).to.be.greaterThan(0)
      await page.reload()
      await page.locator('.sb-rule.restart').waitFor()
    } finally {
      client.close()
      await context.close()
    }
  })
})
