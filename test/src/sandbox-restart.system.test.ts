import { expect } from 'chai'
import { createClient } from '@mynah/sdk'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { startExample, type ExampleHost } from './example-host.js'

describe('transcript of the sandbox', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost

  before(async () => {
    host = await startExample('lean', bench.site.url)
    bench.atEnd(() => host.stop())
  })

  it('is kept over a restart of the host', async () => {
    const client = createClient({ base: host.url, token: host.token })
    const { page, context } = await signedIn(bench.browser, bench.site, host, '/sandbox')
    try {
      const input = page.getByRole('textbox', { name: 'Message', exact: true })
      await page.locator('.state.ok').waitFor()
      await input.fill('/help before')
      await input.press('Enter')
      await page.locator('.sb-message.out').first().waitFor()
      const { startedAt } = await client.rpc('sandbox:history', {
        endpointId: 'sandbox',
        channel: { type: 'private', id: 'alice' },
      })
      await client.rpc('system:restart')
      await page.getByText('The host is back').waitFor()
      await page.locator('.state.ok').waitFor()
      const after = await client.rpc('sandbox:history', {
        endpointId: 'sandbox',
        channel: { type: 'private', id: 'alice' },
      })
      expect(after.startedAt).to.be.greaterThan(startedAt ?? Infinity)
      expect(after.messages.map(({ direction }) => direction).slice(0, 2)).to.deep.equal(['in', 'out'])
      await input.fill('/help afterwards')
      await input.press('Enter')
      await page.locator('.sb-rule.restart').waitFor()
      // The page shows a message before the host has it.
      await page.locator('.sb-message.out').nth(1).waitFor()
      expect(await page.locator('.sb-message', { hasText: '/help before' }).count()).to.be.greaterThan(0)
      await page.reload()
      await page.locator('.sb-rule.restart').waitFor()
    } finally {
      client.close()
      await context.close()
    }
  })
})
