// No finding of axe on any page, in any state, theme and width.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { launch, open } from './browser.js'
import { signedIn } from './signed-in.js'
import { serve, type Site } from './site.js'
import { healthy, standIn, type Answer, type StandIn } from './stand-in.js'

interface Violation { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] }
interface Axe { run(context: Document, options: object): Promise<{ violations: Violation[] }> }

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const failing = (answer: Answer): Record<string, Answer> => Object.fromEntries(Object.keys(healthy()).map((call) => [call, answer]))
const empty: Record<string, Answer> = {
  ...healthy(),
  'GET /plugins': { data: [] }, 'endpoint:list': { data: { endpoints: [] } }, 'GET /ready': { data: { status: 'ok', checks: {} } }, 'schema:get': { data: null },
  'GET /plugins/chat': { data: { ...(healthy()['GET /plugins/chat'] as { data: object }).data, features: [], contexts: [] } },
}

/** States of a host, and what a page shows in each once it has settled. */
const states: Record<string, { readonly answers: Record<string, Answer>; readonly shown: Record<string, string> }> = {
  loading: { answers: failing('silence'), shown: { '/dashboard': '.skeleton', '/plugins': '.skeleton', '/plugins/chat': '.skeleton' } },
  empty: { answers: empty, shown: { '/dashboard': '.empty', '/plugins': '.empty', '/plugins/chat': '.tabs .section' } },
  data: { answers: healthy(), shown: { '/dashboard': '.wrongs', '/plugins': 'tbody tr', '/plugins/chat': '.tabs .section' } },
  error: { answers: failing({ status: 500, error: 'The host failed; the cause is in its log' }), shown: { '/dashboard': '.notice.err', '/plugins': '.notice.err', '/plugins/chat': '.notice.err' } },
  503: { answers: failing({ status: 503, error: 'AI service is still starting', code: 'not_ready' }), shown: { '/dashboard': '.notice.warn', '/plugins': '.notice.warn', '/plugins/chat': '.notice.warn' } },
}

describe('accessibility', function () {
  this.timeout(240_000)
  let browser: Browser
  let site: Site
  let host: StandIn
  let source: string

  before(async () => {
    source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    ;[browser, site, host] = [await launch(), await serve(), await standIn()]
  })
  after(async () => { await browser.close(); await site.close(); await host.close() })

  async function findings(page: Page): Promise<string[]> {
    await page.evaluate(source)
    const violations = await page.evaluate(async (values) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      return (await axe.run(document, { runOnly: { type: 'tag', values } })).violations
    }, tags)
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390, 320]) {
      const options = { colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' as const }

      for (const [name, { answers, shown }] of Object.entries(states)) {
        // The narrowest screens differ from narrow ones in what has room, not in colours or states.
        if (width === 320 && (name !== 'data' || colorScheme === 'dark')) continue
        it(`of every page: ${name}, ${colorScheme}, ${width} px`, async () => {
          host.answers = answers
          for (const [path, selector] of Object.entries(shown)) {
            const { page, context } = await signedIn(browser, site, host, path, options)
            await page.locator(`main ${selector}`).first().waitFor()
            await page.getByText('Live').waitFor()
            expect(await findings(page), path).to.deep.equal([])
            expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
            expect(await page.locator('*').count(), path).to.be.at.most(1500)
            await context.close()
          }
        })
      }

      if (width === 320) continue
      it(`of the login page and what lies over pages: ${colorScheme}, ${width} px`, async () => {
        host.answers = healthy()
        const login = await open(browser, options)
        await login.page.goto(site.url)
        await login.page.getByLabel('Address of the host').fill(host.url)
        await login.page.getByText('Reachable').waitFor()
        await login.page.getByLabel('Token', { exact: true }).fill('wrong')
        await login.page.getByRole('button', { name: 'Connect', exact: true }).click()
        await login.page.getByText('The host refused the token').waitFor()
        expect(await findings(login.page), 'login').to.deep.equal([])
        await login.context.close()

        const { page, context } = await signedIn(browser, site, host, '/plugins/chat?tab=settings', options)
        await page.getByText('Live').waitFor()
        await page.getByRole('rowheader', { name: 'prefix' }).waitFor()
        expect(await findings(page), 'schema').to.deep.equal([])
        for (const [key, dialog] of [['Control+k', '.palette [role=option]'], ['?', '.dialog .keys']] as const) {
          await page.keyboard.press(key)
          await page.locator(dialog).first().waitFor()
          expect(await findings(page), key).to.deep.equal([])
          await page.keyboard.press('Escape')
          await page.locator(dialog).first().waitFor({ state: 'detached' })
        }
        if (width < 760) {
          await page.getByRole('button', { name: 'Open pages' }).click()
          await page.locator('.dialog.sheet').waitFor()
          expect(await findings(page), 'sheet of pages').to.deep.equal([])
          await page.keyboard.press('Escape')
          await page.locator('.dialog.sheet').waitFor({ state: 'detached' })
        }
        await page.getByRole('button', { name: 'Display' }).click()
        expect(await findings(page), 'menu').to.deep.equal([])
        await context.close()
      })
    }
  }
})
