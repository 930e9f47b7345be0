import { expect } from 'chai'
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { marketplace as contract } from '@mynah/contract'
import { mistakesIn } from '@mynah/contract/validate'
import { Registry } from './registry.js'
import { answer, documentOf, open, until, type Market } from './test/support.js'

const SEARCH = '/pub/marketplace/search'
const DETAIL = '/pub/marketplace/detail'
const MINUTE = 60_000

describe('Registry', () => {
  let market: Market
  afterEach(() => market.stop())

  it('caches for five minutes and shares concurrent requests', async () => {
    market = await open()
    market.registry.add({ name: 'mynah-plugin-a', version: '1.0.0', keywords: ['mynah-plugin'] })
    await Promise.all(Array.from({ length: 5 }, () => market.call(`${DETAIL}/mynah-plugin-a`)))
    await market.clock.advance(5 * MINUTE - 1)
    await market.call(`${DETAIL}/mynah-plugin-a`)
    expect(market.registry.asked).to.have.length(1)
    market.registry.add({ name: 'mynah-plugin-a', version: '1.1.0' })
    await market.clock.advance(1)
    expect((await market.call(`${DETAIL}/mynah-plugin-a`)).data).to.include({ version: '1.1.0' })
    expect(market.registry.asked).to.have.length(2)
  })

  it('answers 502 or the last answer marked stale while the registry is unavailable', async () => {
    market = await open({ 'mynah-plugin-a': '0.1.0' })
    market.registry.add({ name: 'mynah-plugin-a', version: '1.0.0', keywords: ['mynah-plugin'] })
    await market.call(`${DETAIL}/mynah-plugin-a`)
    await market.call(SEARCH)
    await market.registry.close()
    expect(await market.call(`${DETAIL}/mynah-plugin-a`))
      .to.include({ status: 200 })
      .and.not.to.have.property('stale')
    await market.clock.advance(5 * MINUTE)
    expect(await market.call(`${DETAIL}/mynah-plugin-a`)).to.include({ status: 200, stale: true })
    expect(await market.call(SEARCH)).to.include({ status: 200, stale: true, total: 1 })
    expect((await market.call('/api/marketplace/updates')).data).to.have.length(1)
    const failed = await market.call(`${SEARCH}?q=other`)
    expect(failed).to.include({
      status: 502,
      code: 'upstream_unavailable',
      error: 'The plugin registry did not answer: ECONNREFUSED',
    })
    expect(await market.call(`${DETAIL}/mynah-plugin-b`)).to.include({ status: 502, code: 'upstream_unavailable' })
    expect(market.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it('times out after ten seconds', async () => {
    market = await open()
    market.registry.instead = () => {}
    const before = market.clock.pending
    const asked = market.call(SEARCH)
    await until(() => market.registry.open === 1 && market.clock.pending > before)
    await market.clock.advance(10_000)
    expect(await asked).to.include({
      status: 502,
      code: 'upstream_unavailable',
      error: 'The plugin registry did not answer: no answer within 10 s',
    })
    await until(() => market.registry.open === 0)
    market.registry.instead = undefined
    expect((await market.call(SEARCH)).status).to.equal(200)
    expect(market.clock.pending).to.equal(before)
  })

  it('runs at most four requests at once', async () => {
    market = await open()
    const waiting: ServerResponse[] = []
    market.registry.instead = (_, response) => waiting.push(response)
    const asked = Array.from({ length: 12 }, (_, index) => market.call(`${DETAIL}/mynah-plugin-${index}`))
    await until(() => waiting.length === 4)
    for (let done = 0; done < 12; done++) {
      await until(() => waiting.length > 0)
      answer(waiting.shift() as ServerResponse, 404, {})
    }
    for (const { status } of await Promise.all(asked)) expect(status).to.equal(404)
    expect(market.registry.most).to.equal(4)
  })

  it('answers 502 for invalid answers without logging', async () => {
    market = await open()
    const { registry } = market
    for (const [nonsense, why] of [
      [(response: ServerResponse) => response.end('<html>'), /not JSON/],
      [(response: ServerResponse) => answer(response, 500, {}), /status 500/],
      [(response: ServerResponse) => answer(response, 401, {}), /status 401/],
      [(response: ServerResponse) => response.end('{"name"'), /not JSON/],
      [(response: ServerResponse) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'), /./],
      [(response: ServerResponse) => response.end('null'), /not/],
      [(response: ServerResponse) => response.end('[]'), /not/],
      [(response: ServerResponse) => response.end('[['.repeat(100_000)), /not JSON/],
      [(response: ServerResponse) => answer(response, 200, { name: 'another', objects: 'x' }), /not/],
      [(response: ServerResponse) => response.destroy(), /./],
      [
        (response: ServerResponse) =>
          response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy()),
        /./,
      ],
    ] as const) {
      registry.instead = (_, response) => void nonsense(response)
      for (const path of [SEARCH, `${DETAIL}/mynah-plugin-a`]) {
        const { status, code, error } = await market.call(path)
        expect({ status, code }).to.deep.equal({ status: 502, code: 'upstream_unavailable' })
        expect(error)
          .to.match(why)
          .and.not.to.match(/node_modules|127\.0\.0\.1/)
      }
    }
    expect(market.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it('limits the size of answers', async () => {
    market = await open()
    const chunk = Buffer.alloc(1 << 20, 32)
    let sent = 0
    market.registry.instead = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && sent++ < 256) if (!response.write(chunk)) return void response.once('drain', more)
      }
      more()
    }
    expect(await market.call(SEARCH)).to.include({
      status: 502,
      error: 'The plugin registry did not answer: its answer is too large',
    })
    expect(sent).to.be.lessThan(128)
  })

  it('passes on only valid fields and http addresses of any document', async () => {
    market = await open()
    const json = fc.jsonValue({ maxDepth: 3 })
    const hostile = fc.oneof(
      json,
      fc.constantFrom(
        'javascript:alert(1)',
        'JaVaScRiPt:1',
        'data:text/html,x',
        'file:///etc/passwd',
        '\nhttps://x',
        '__proto__',
        'constructor',
      ),
    )
    const fields = [
      'version',
      'keywords',
      'description',
      'author',
      'license',
      'homepage',
      'repository',
      'engines',
      'peerDependencies',
      'mynah',
      'links',
      'publisher',
      'dist-tags',
      'versions',
      'time',
      'readme',
      'downloads',
    ]
    const manifest = fc.record(Object.fromEntries(fields.map((field) => [field, hostile])), { requiredKeys: [] })
    const { rest } = contract
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        manifest,
        manifest,
        fc.oneof(json, fc.constantFrom('mynah-plugin-x', '@a/b')),
        async (outer, inner, name) => {
          const own = `mynah-plugin-n${count++}`
          market.registry.instead = (request, response) =>
            answer(
              response,
              200,
              request.url?.startsWith('/-/')
                ? {
                    total: outer.version,
                    objects: [inner, { package: { ...inner, name }, downloads: outer }, outer.keywords],
                  }
                : { ...documentOf({ ...inner, name: own, version: '1.0.0' }), ...outer, name: own },
            )
          for (const [path, operation] of [
            [`${SEARCH}?q=${own}`, rest['GET /pub/marketplace/search']],
            [`${DETAIL}/${own}`, rest['GET /pub/marketplace/detail/*name']],
          ] as const) {
            const { status, text } = await market.call(path)
            expect(status, text).to.equal(200)
            expect(mistakesIn(operation.reply, JSON.parse(text))).to.deep.equal([])
            for (const [, address] of text.matchAll(/"(?:homepage|repository|npm)":"([^"]*)"/g))
              expect(address).to.match(/^(https?:\/\/|$)/i)
          }
        },
      ),
      { numRuns: 150 },
    )
    expect(market.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  }).timeout(120_000)

  it('reports that no registry is configured', async () => {
    market = await open()
    const failure = await new Registry(undefined, market.clock, new AbortController().signal)
      .get(
        { path: '/x', limit: 1, reader: () => ({ paths: [], take: () => undefined, done: () => undefined }) },
        new AbortController().signal,
      )
      .catch((error: unknown) => error)
    expect(failure).to.include({
      code: 'upstream_unavailable',
      message: 'No plugin registry is configured: set marketplace.registry',
    })
  })
})
