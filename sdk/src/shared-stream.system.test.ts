import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type * as SDK from './index.js'
import { launch, openTab, pageServer } from './test/browser.js'
import { json, TestHost } from './test/test-host.js'
import { frame, TestStream } from './test/test-stream.js'

declare const sdk: typeof SDK
declare const seen: { frames: SDK.Frame[]; states: SDK.StreamState[]; required: number; client: SDK.Client }

describe('SharedStream', function () {
  this.timeout(60_000)
  let browser: Browser
  let context: BrowserContext
  let pages: TestHost
  let host: TestHost
  let stream: TestStream

  before(async () => {
    browser = await launch()
    pages = await pageServer()
  })
  after(async () => {
    await browser.close()
    await pages.stop()
  })
  beforeEach(async () => {
    host = await new TestHost().start()
    host.allowed = pages.base
    stream = new TestStream(host)
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context.close()
    await host.stop()
  })

  const listen = async (token = 't'): Promise<Page> => {
    const page = await openTab(context, pages)
    await page.evaluate(
      ({ base, token }) => {
        const client = sdk.createClient({ base, token })
        const own = { frames: [] as SDK.Frame[], states: [] as SDK.StreamState[], required: 0, client }
        Object.assign(globalThis, { seen: own })
        addEventListener('mynah:auth-required', () => {
          own.required++
        })
        client.events.onState((state) => own.states.push(state))
        client.events.on('*', (one) => own.frames.push(one))
      },
      { base: host.base, token },
    )
    return page
  }
  const ids = (page: Page) => page.evaluate(() => seen.frames.map(({ id }) => id).filter(Boolean))
  const types = (page: Page) => page.evaluate(() => seen.frames.map(({ type }) => type))
  const heard = (page: Page, id: string) =>
    page.waitForFunction((wanted) => seen.frames.some((one) => one.id === wanted), id)
  const live = (page: Page) => page.waitForFunction(() => seen.client.events.state.status === 'live')

  it('shares one connection between eight tabs, and leaves connections for calls', async () => {
    const tabs = [await listen()]
    const { response } = await stream.opened(1, { value: [{ id: 'sandbox' }] })
    for (let n = 1; n < 8; n++) tabs.push(await listen())
    for (const tab of tabs) await live(tab)
    response.write(frame('data-update', null, 'a.1'))
    for (const tab of tabs) await heard(tab, 'a.1')
    expect(stream.connections.items).to.have.length(1)
    // Late tabs received the current state.
    for (const tab of tabs) expect(await types(tab)).to.deep.equal(['sync', 'init-data', 'data-update'])
    host.on('GET /api/stats', json({ success: true, data: { commands: 4 } }))
    expect(await tabs[7]?.evaluate(() => seen.client.rest('GET /stats'))).to.deep.equal({ commands: 4 })
  })

  it('continues in another tab when the leader closes, without lost or repeated events', async () => {
    const leader = await listen()
    const first = await stream.opened(1)
    const others = [await listen(), await listen()]
    for (const tab of others) await live(tab)
    first.response.write(frame('data-update', null, 'a.1'))
    for (const tab of others) await heard(tab, 'a.1')
    await leader.close()
    const second = await stream.opened(2)
    expect(second.lastId).to.equal('a.1')
    second.response.write(frame('data-update', null, 'a.2'))
    for (const tab of others) await heard(tab, 'a.2')
    for (const tab of others) expect(await ids(tab)).to.deep.equal(['a.1', 'a.2'])
    expect(await types(others[0] as Page)).not.to.include('reset')
  })

  it('notifies all tabs that events were lost', async () => {
    const leader = await listen()
    const first = await stream.opened(1)
    const other = await listen()
    await live(other)
    first.response.write(frame('data-update', null, 'a.7'))
    await heard(other, 'a.7')
    first.response.destroy()
    const second = await stream.opened(2, { reset: true })
    second.response.write(frame('data-update', null, 'a.3'))
    for (const tab of [leader, other]) await heard(tab, 'a.3')
    for (const tab of [leader, other]) expect(await types(tab)).to.include('reset')
    const late = await listen()
    await live(late)
    expect(await late.evaluate(() => seen.frames)).to.deep.equal([
      { type: 'sync', data: { key: 'entries', value: [] }, timestamp: 5 },
      { type: 'init-data', data: { timestamp: 1 }, timestamp: 5 },
    ])
  })

  it('notifies all tabs when the token is refused', async () => {
    const leader = await listen()
    const first = await stream.opened(1)
    const other = await listen()
    await live(other)
    host.on('GET /api/events', json({ success: false, error: 'revoked', code: 'unauthorized' }, 401))
    first.response.destroy()
    for (const tab of [leader, other]) {
      await tab.waitForFunction(() => seen.required > 0)
      expect(await tab.evaluate(() => [seen.required, seen.client.token, seen.client.events.state])).to.deep.equal([
        1,
        undefined,
        { status: 'stopped', reason: 'auth-required', message: 'revoked' },
      ])
    }
  })

  it('opens one stream for each token', async () => {
    await listen('one')
    await stream.opened(1)
    await listen('two')
    await stream.opened(2)
    expect(host.to('/api/events').map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer one',
      'Bearer two',
    ])
  })

  it('passes an event to other listeners after one threw', async () => {
    const tab = await listen()
    const thrown = tab.waitForEvent('pageerror')
    await tab.evaluate(() => {
      seen.client.events.on('data-update', () => {
        throw new Error('mine')
      })
      seen.client.events.on('data-update', () => document.body.append('heard'))
    })
    const { response } = await stream.opened(1)
    response.write(frame('data-update', null, 'a.1'))
    await tab.waitForFunction(() => document.body.textContent === 'heard')
    expect((await thrown).message).to.equal('mine')
  })

  it('reconnects when another tab asks for it', async () => {
    const leader = await listen()
    const first = await stream.opened(1)
    const other = await listen()
    await live(other)
    host.on('GET /api/events', json({ success: false, error: 'no', code: 'forbidden' }, 403))
    first.response.destroy()
    await other.waitForFunction(() => seen.client.events.state.status === 'stopped')
    host.on('GET /api/events', stream.answer)
    await other.evaluate(() => seen.client.events.start())
    await stream.opened(2)
    for (const tab of [leader, other]) await live(tab)
  })
})
