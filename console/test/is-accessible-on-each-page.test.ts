// Every page in every state: no finding of axe, nothing wider than the window, few nodes, no error in the browser.
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { launch } from './browser.js'
import { emptyAnswers, exampleAnswers, pageAddresses } from './example-data.js'
import { signedIn } from './signed-in.js'
import { serve, type Site } from './site.js'
import { healthy, standIn, type Answer, type StandIn } from './stand-in.js'

const all = { ...healthy(), ...exampleAnswers() }
/** What the rail needs is there in any state; only the page is in trouble. */
const failing = (answer: Answer): Record<string, Answer> => Object.fromEntries(Object.keys(all).map((call) => [call, call === 'GET /stats' || call === 'GET /plugins' ? all[call] as Answer : answer]))

const runs: readonly { readonly name: string; readonly answers: Record<string, Answer>; readonly width: number; readonly colorScheme: 'light' | 'dark'; readonly locale?: string }[] = [
  { name: 'data', answers: all, width: 1280, colorScheme: 'light' },
  { name: 'data', answers: all, width: 390, colorScheme: 'dark' },
  { name: 'data', answers: all, width: 320, colorScheme: 'light', locale: 'zh-CN' },
  { name: 'empty', answers: { ...all, ...emptyAnswers() }, width: 390, colorScheme: 'light' },
  { name: 'error', answers: failing({ status: 500, error: 'The host failed; the cause is in its log' }), width: 1280, colorScheme: 'dark' },
  { name: '503', answers: failing({ status: 503, error: 'AI service is still starting', code: 'not_ready' }), width: 390, colorScheme: 'light' },
  { name: 'loading', answers: failing('silence'), width: 390, colorScheme: 'dark' },
]

describe('each page', function () {
  this.timeout(240_000)
  let browser: Browser
  let site: Site
  let host: StandIn
  let source: string

  before(async () => {
    source = await axeSource()
    ;[browser, site, host] = [await launch(), await serve(), await standIn()]
  })
  after(async () => { await browser.close(); await site.close(); await host.close() })

  for (const { name, answers, width, colorScheme, locale } of runs) {
    it(`is accessible and fits: ${name}, ${colorScheme}, ${width} px${locale ? `, ${locale}` : ''}`, async () => {
      host.answers = answers
      const { page, context, problems } = await signedIn(browser, site, host, '/plugins', { colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce', ...(locale ? { locale } : {}) })
      await page.locator('.state.ok').waitFor()
      await page.evaluate(source)
      for (const { path, ready } of pageAddresses) {
        // By the console's own router, so that nothing is loaded twice.
        await page.evaluate((to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')) }, path)
        if (name === 'data') await page.locator(ready).first().waitFor()
        else {
          await page.locator('main h1').first().waitFor()
          if (name !== 'loading') await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
        }
        expect(await findings(page), path).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
        expect(await page.locator('*').count(), path).to.be.at.most(1500)
      }
      // What the host refuses is told by the browser too; anything else is a mistake of the page.
      expect(problems.filter((problem) => !/status of (?:404|500|503)/.test(problem))).to.deep.equal([])
      await context.close()
    })
  }
})
