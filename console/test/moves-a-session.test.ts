// The session tree: one point is active, another is chosen after a question, a missing session and an agent that is not ready are told.
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { launch } from './browser.js'
import { exampleAnswers, SESSION, tree } from './example-data.js'
import { signedIn } from './signed-in.js'
import { serve, type Site } from './site.js'
import { healthy, standIn, type StandIn } from './stand-in.js'

const path = `/agent/sessions?key=${encodeURIComponent(SESSION)}`
const treeCall = `GET /agent/sessions/${SESSION}/tree`

describe('a session', function () {
  this.timeout(240_000)
  let browser: Browser
  let site: Site
  let host: StandIn

  before(async () => { [browser, site] = [await launch(), await serve()] })
  beforeEach(async () => {
    host = await standIn()
    host.answers = { ...healthy(), ...exampleAnswers() }
  })
  afterEach(() => host.close())
  after(async () => { await browser.close(); await site.close() })

  it('continues from the point that is chosen by keys and confirmed, and asks for the tree again', async () => {
    let active: number | null = null
    host.answers[treeCall] = () => ({ data: { ...tree, activeLeafMessageId: active } })
    host.answers[`POST /agent/sessions/${SESSION}/leaf`] = () => {
      active = 9
      return { data: { sessionKey: SESSION, sessionId: 's-1', activeLeafMessageId: 9 } }
    }
    const { page, context } = await signedIn(browser, site, host, path)
    const current = page.locator('.points [aria-current=true]')
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await current.textContent()).to.contain('then fix it')
    await current.focus()
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
    const dialog = page.getByRole('dialog', { name: 'Continue from #3?' })
    await dialog.getByText('who touched the sidebar config last').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Cancel')
    expect(host.calls.filter((call) => call.startsWith('POST'))).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Continue from #3' }).click()
    await page.locator('.strip-line', { hasText: 'The conversation continues from #3' }).waitFor()
    await page.locator('.points [aria-current=true]', { hasText: 'who touched' }).waitFor()
    expect(host.calls.filter((call) => call === treeCall).length).to.be.greaterThan(1)
    await context.close()
  })

  it('that is not there is told, with near keys; one whose agent is not ready is waited for', async () => {
    host.answers[treeCall] = { status: 404, error: 'No active session has this key', code: 'not_found' }
    const { page, context } = await signedIn(browser, site, host, path)
    await page.getByText('No active session has this key').waitFor()
    await page.getByText('Keys like it').waitFor()
    host.answers[treeCall] = { status: 503, error: 'The agent is starting', code: 'not_ready', headers: { 'retry-after': '1' } }
    await page.keyboard.press('r')
    await page.getByText('The agent is not ready').waitFor()
    host.answers[treeCall] = { data: tree }
    await page.locator('.points li').first().waitFor()
    await context.close()
  })

  it('answers a question of the agent in place', async () => {
    host.answers['agent:turns'] = { data: { turns: [{ id: 't', sessionKey: SESSION, state: 'waiting', startedAt: 1, waitingFor: { kind: 'question', id: 'q1', text: 'Which branch?', choices: ['main', 'next'] } }] } }
    const answered = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      host.answers['agent:answer'] = (params) => {
        resolve(params)
        return { data: { success: true } }
      }
    })
    const { page, context } = await signedIn(browser, site, host, path)
    await page.getByText('Which branch?').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'next', exact: true }).click()
    expect(await answered).to.include({ id: 'q1', text: 'next' })
    await context.close()
  })
})

describe('the log', function () {
  this.timeout(240_000)

  it('follows a thousand lines a second without moving what is read, and without a long task', async () => {
    const [browser, site, host] = [await launch(), await serve(), await standIn()]
    host.answers = { ...healthy(), ...exampleAnswers() }
    const began = Date.now()
    const lines = (count: number, before: number) => Array.from({ length: count }, (_, index) => ({ id: String(1_000_000 + before - index), level: 'info', name: `p${index % 7}`, message: `line ${before - index}`, source: 'p', timestamp: new Date(began + before - index).toISOString() }))
    let newest = 500
    host.answers['GET /logs'] = (params) => ({ data: lines(Number(params['limit'] ?? 100), params['before'] === undefined ? newest : Number(params['before']) - 1_000_001) })
    const { page, context } = await signedIn(browser, site, host, '/logs')
    await page.locator('.vrow').first().waitFor()
    await page.evaluate(() => {
      const tasks: number[] = []
      Object.assign(globalThis, { tasks })
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] })
    })
    newest += 2000
    await page.locator('.vrow', { hasText: 'line 2500' }).waitFor()
    expect(await page.locator('.vrow').count()).to.be.at.most(60)
    // Scrolled away, what is read stays and what comes is counted.
    await page.locator('.virtual').evaluate((element) => { element.scrollTop = 2800 })
    await page.getByText('Paused').waitFor()
    const read = await page.locator('.vrow').nth(10).textContent()
    newest += 2000
    await page.getByText('Paused, 2,000 new').waitFor()
    expect(await page.locator('.vrow').nth(10).textContent()).to.equal(read)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.locator('.vrow', { hasText: 'line 4500' }).waitFor()
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)
    expect(Math.max(0, ...tasks), 'longest task in ms').to.be.below(200)
    await context.close()
    await browser.close()
    await site.close()
    await host.close()
  })
})
