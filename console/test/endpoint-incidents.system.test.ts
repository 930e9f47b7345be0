import { join } from 'node:path'
import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the incidents of an endpoint', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  const HOUR = 3_600_000

  for (const width of [390, 1440])
    for (const locale of ['en-GB', 'zh-CN'])
      it(`have their length and retries at ${width} px in ${locale}`, async () => {
        const now = Date.now()
        const answers = exampleAnswers()
        const given = answers['endpoint:info'] as (params: object) => { readonly data: object }
        bench.host.answers = {
          ...healthy(),
          ...answers,
          'endpoint:info': {
            data: {
              ...given({ endpointId: 'libera' }).data,
              changes: [
                { at: now - 22 * HOUR, status: 'online' },
                { at: now - 23 * HOUR, status: 'offline', reason: 'refused again' },
                { at: now - 24 * HOUR, status: 'offline', reason: 'the server closed the connection' },
                { at: now - 200 * HOUR, status: 'online' },
              ],
            },
          },
        }
        const { page, context } = await bench.signedIn('/endpoints/irc/libera', {
          viewport: { width, height: 844 },
          locale,
          colorScheme: width === 390 ? 'dark' : 'light',
        })
        const list = page.locator('.incidents')
        await list.getByText('the server closed the connection').waitFor()
        expect(await list.locator('li').count()).to.equal(1)
        expect(await list.locator('b').innerText()).to.match(locale === 'en-GB' ? /lasted 2.*1 retry/ : /持续 .*1 次/)
        expect(await page.locator('main').innerText())
          .to.match(/91\.6\s%/)
          .and.to.match(/98\.8\s%/)
        await list.scrollIntoViewIfNeeded()
        if (process.env['SHOTS'])
          await page.screenshot({ path: join(process.env['SHOTS'], `incidents-${width}-${locale}.png`) })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0)
        await context.close()
      })
})
