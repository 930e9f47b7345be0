// A console is a page of another origin: what browsers forbid must come out as a reason, and modules load from the
// host.
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import type * as SDK from '../index.js'
import { launch, openTab, pageServer } from './browser.js'
import { deadBase, json, TestHost, text } from './test-host.js'

declare const sdk: typeof SDK

describe('a page of another origin', function () {
  this.timeout(60_000)
  let browser: Browser
  let pages: TestHost
  let host: TestHost
  let page: Page

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
    page = await openTab(await browser.newContext(), pages)
  })
  afterEach(async () => {
    await page.context().close()
    await host.stop()
  })

  const probe = (base: string) => page.evaluate((to) => sdk.probe(to), base)

  it('distinguishes a host, a host that does not allow the page, and no host', async () => {
    expect(await probe(host.base)).to.include({ reachable: true, apiPrefix: '/api' })
    host.allowed = undefined
    expect(await probe(host.base)).to.include({ reachable: false, reason: 'cors' })
    expect(await probe(await deadBase())).to.include({ reachable: false, reason: 'refused' })
  })

  it('keeps its connection in local storage, and removes a refused token', async () => {
    host.on('GET /api/stats', json({ success: false, error: 'no', code: 'unauthorized' }, 401))
    const stored = await page.evaluate(async (base) => {
      sdk.saveConnection({ base, token: 'secret' })
      const before = { ...localStorage }
      const told: unknown[] = []
      addEventListener('mynah:auth-required', () => told.push(true))
      const failure = await sdk
        .createClient(sdk.loadConnection() as { base: string })
        .rest('GET /stats')
        .catch((error: SDK.HostError) => error.code)
      return { before, failure, told, after: { ...localStorage } }
    }, host.base)
    expect(stored).to.deep.equal({
      before: { mynah_api_base: host.base, mynah_api_token: 'secret', mynah_api_token_base: host.base },
      failure: 'unauthorized',
      told: [true],
      after: { mynah_api_base: host.base },
    })
  })

  it('imports entries from the host, and reports the error of each failed one', async () => {
    const one = (id: string, v = 1) => ({
      id,
      resolvedModule: `/@dev/${id}/client/index.js?v=${v}`,
      order: 1,
      enabled: true,
      meta: { name: id, version: '1' },
    })
    host.on(
      'GET /entries',
      json({ entries: ['good', 'missing', 'syntax', 'bare'].map((id) => one(id)), runtimeEnvHint: 'production' }),
    )
    host.on('GET /@dev/good/client/index.js', (response, { url }) =>
      text(
        `import { path } from './path.js'; export const register = (api) => { api.addRoute({ path: path + ` +
          `'${url.slice(-1)}', name: 'Good', element: () => null }) }`,
        'text/javascript',
      )(response, {} as never),
    )
    host.on('GET /@dev/good/client/path.js', text('export const path = "/good"', 'text/javascript'))
    host.on('GET /@dev/syntax/client/index.js', text('export const = 1', 'text/javascript'))
    host.on(
      'GET /@dev/bare/client/index.js',
      text('import "react"; export const register = () => {}', 'text/javascript'),
    )
    const result = await page.evaluate(
      async ({ base, next }) => {
        const view = (entries: readonly SDK.EntryState[]) =>
          entries.map(({ id, status, error, routes }) =>
            [id, status, error?.code ?? null, ...routes.map(({ path }) => path)].join(' '),
          )
        const loaded = await sdk.loadConsoleEntries({ hostApi: {}, assetOrigin: base })
        const first = view(loaded.entries)
        await loaded.update([next])
        return { first, second: view(loaded.entries) }
      },
      { base: host.base, next: one('good', 2) },
    )
    expect(result.first).to.deep.equal([
      'bare failed threw',
      'good loaded  /good1',
      'missing failed not-found',
      'syntax failed threw',
    ])
    expect(result.second).to.deep.equal(['good loaded  /good2'])
  })

  it('reports the entries of a host that does not allow it', async () => {
    host.on('GET /entries', (response) => {
      response.setHeader('access-control-allow-origin', pages.base)
      json({ entries: [{ id: 'a', resolvedModule: '/@dev/a/client/index.js', order: 1, enabled: true, meta: {} }] })(
        response,
        {} as never,
      )
    })
    host.on('GET /@dev/a/client/index.js', text('export const register = () => {}', 'text/javascript'))
    host.allowed = undefined
    expect(
      await page.evaluate(
        async (base) =>
          (await sdk.loadConsoleEntries({ hostApi: {}, assetOrigin: base })).entries.map(({ error }) => error?.code),
        host.base,
      ),
    ).to.deep.equal(['cors'])
    await host.stop()
    expect(
      await page.evaluate(
        async (base) => (await sdk.loadConsoleEntries({ hostApi: {}, assetOrigin: base })).error?.code,
        host.base,
      ),
    ).to.equal('refused')
  })
})
