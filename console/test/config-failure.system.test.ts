// A plugin may refuse settings that its schema allows. Its section says so.
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('a section of the configuration whose plugin has failed', function () {
  this.timeout(240_000)
  const bench = useBench()

  for (const locale of ['en-GB', 'zh-CN'])
    it(`says why, also where the schema allows all values (${locale})`, async () => {
      const error = 'ai.providers.local.baseURL is not known here; did you mean "baseUrl"?'
      const plugin = { status: 'inactive', description: '', features: [] }
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'GET /plugins': { data: [{ ...plugin, name: 'http-core', state: 'failed', error }] },
      }
      const { page, context } = await bench.signedIn('/config?section=http', { locale })
      await page.locator('.config-form .quote', { hasText: error }).waitFor()
      await page.locator('.pane-list button', { hasText: /^weather/ }).click()
      await page.locator('.config-form h2', { hasText: 'weather' }).waitFor()
      await page.locator('.config-form .quote').waitFor({ state: 'detached' })
      await context.close()
    })
})
