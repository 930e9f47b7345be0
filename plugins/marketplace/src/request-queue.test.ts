import { expect } from 'chai'
import type { ServerResponse } from 'node:http'
import { TestClock } from '@mynah/kernel/testing'
import { ByteCache } from './byte-cache.js'
import { RequestQueue } from './request-queue.js'
import { answer, open, until, type Market } from './test/support.js'

const DETAIL = '/pub/marketplace/detail'

describe('public marketplace under load', () => {
  let market: Market
  beforeEach(async () => {
    market = await open()
  })
  afterEach(() => market.stop())

  it('queues 64 requests and rejects others', async () => {
    const waiting: ServerResponse[] = []
    market.registry.instead = (_, response) => waiting.push(response)
    const asked = Array.from({ length: 70 }, (_, index) => market.call(`${DETAIL}/mynah-plugin-${index}`))
    const refused = await Promise.race(asked)
    expect(refused).to.include({ status: 503, code: 'not_ready' })
    let done = 0
    void Promise.all(asked).then(() => {
      done = 1
    })
    await until(() => {
      for (const response of waiting.splice(0)) answer(response, 404, {})
      return done === 1
    })
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).to.have.length(2)
    expect(statuses.filter((status) => status === 404)).to.have.length(68)
  })

  it('cancels a request when all of its callers have disconnected', async () => {
    const waiting: { url: string | undefined; response: ServerResponse }[] = []
    market.registry.instead = ({ url }, response) => waiting.push({ url, response })
    const gone = new AbortController()
    const leave = (path: string) =>
      market.call(path, { signal: gone.signal }).then(
        () => 'answered',
        () => 'left',
      )
    const left = [
      ...Array.from({ length: 4 }, (_, index) => leave(`${DETAIL}/mynah-plugin-${index}`)),
      leave(`${DETAIL}/mynah-plugin-in-line`),
    ]
    const stays = market.call(`${DETAIL}/mynah-plugin-0`)
    await until(() => waiting.length === 4)
    gone.abort()
    expect(await Promise.all(left)).to.deep.equal(Array(5).fill('left'))
    await until(() => market.registry.open === 1)
    expect(market.registry.asked).to.have.length(4)
    for (const { response } of waiting) if (!response.destroyed) answer(response, 404, {})
    expect((await stays).status).to.equal(404)
    market.registry.instead = undefined
    expect((await market.call(`${DETAIL}/mynah-plugin-in-line`)).status).to.equal(404)
  })

  it('rejects pages of other sites', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await market.call(`${DETAIL}/mynah-plugin-a`, { headers })).status
    expect(await ask({ origin: 'https://evil.example' })).to.equal(403)
    expect(await ask({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).to.equal(403)
    expect(await ask({ 'sec-fetch-site': 'same-site' })).to.equal(403)
    expect(market.registry.asked).to.deep.equal([])
    expect(await ask({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' })).to.equal(404)
    expect(await ask({ 'sec-fetch-site': 'none' })).to.equal(404)
    expect(await ask({})).to.equal(404)
  })

  it('reads a large document without blocking', async () => {
    const versions = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, index) => [
        `1.0.${index}`,
        {
          name: 'mynah-plugin-big',
          version: `1.0.${index}`,
          description: 'x'.repeat(500),
          dependencies: Object.fromEntries(
            Array.from({ length: 60 }, (_unused, other) => [`dependency-${other}`, '^1.0.0']),
          ),
        },
      ]),
    )
    const body = Buffer.from(
      JSON.stringify({
        versions,
        'dist-tags': { latest: '1.0.11999' },
        time: { '1.0.11999': '2026-02-03T04:05:06.789Z' },
        name: 'mynah-plugin-big',
        readme: 'r'.repeat(400_000),
      }),
    )
    expect(body.length).to.be.above(15_000_000)
    market.registry.instead = (_, response) => void response.end(body)
    // Parsed whole, it would hold up the process.
    const parse = JSON.parse
    let longest = 0
    JSON.parse = (text: string, ...more) => {
      longest = Math.max(longest, text.length)
      return parse(text, ...more) as unknown
    }
    const { status, data } = await market.call(`${DETAIL}/mynah-plugin-big`).finally(() => {
      JSON.parse = parse
    })
    expect(status).to.equal(200)
    expect((data as { versions: string[] }).versions).to.have.length(1_000)
    expect(data).to.include({ version: '1.0.11999', publishedAt: Date.parse('2026-02-03T04:05:06.789Z') })
    expect((data as { readme: string }).readme).to.have.length(262_144)
    expect(longest, 'the answer of this host').to.be.within(262_144, 1_000_000)
  }).timeout(30_000)

  it('rejects deep nesting before parsing', async () => {
    for (const text of [
      '['.repeat(5_000_000),
      '{"versions":'.repeat(100_000),
      `{"name":"${'\\\\"['.repeat(100_000)}`,
    ]) {
      market.registry.instead = (_, response) => void response.end(text)
      expect(await market.call(`${DETAIL}/mynah-plugin-a`)).to.include({
        status: 502,
        error: 'The plugin registry did not answer: its answer is not JSON',
      })
    }
  })
})

describe('RequestQueue', () => {
  it('drops requests after ten seconds and of disconnected callers', async () => {
    const clock = new TestClock()
    const queue = new RequestQueue(clock)
    const nobody = new AbortController()
    for (let count = 0; count < 4; count++) await queue.enter(new AbortController().signal)
    const outcome = (signal: AbortSignal): Promise<unknown> =>
      queue.enter(signal).then(
        () => 'in',
        (error: { code?: string; message?: string }) => error.code ?? error.message,
      )
    const [patient, gone, late] = [
      outcome(new AbortController().signal),
      outcome(nobody.signal),
      outcome(AbortSignal.abort(new Error('gone'))),
    ]
    expect(await late).to.equal('gone')
    nobody.abort(new Error('gone'))
    expect(await gone).to.equal('gone')
    expect(queue.waiting).to.equal(1)
    await clock.advance(10_000)
    expect(await patient).to.equal('not_ready')
    expect(queue.waiting).to.equal(0)
    expect(clock.pending).to.equal(0)
    const next = outcome(new AbortController().signal)
    queue.leave()
    expect(await next).to.equal('in')
    expect(clock.pending).to.equal(0)
  })
})

describe('ByteCache', () => {
  it('removes the oldest values above its limit', () => {
    const cache = new ByteCache(1_000)
    for (let index = 0; index < 100; index++) cache.set(`key-${index}`, 'x'.repeat(88), index)
    expect(cache.bytes).to.be.within(900, 1_000)
    expect(cache.get('key-99')?.value).to.equal('x'.repeat(88))
    expect(cache.get('key-80')).to.equal(undefined)
    cache.set('key-99', 'small', 100)
    expect(cache.get('key-99')).to.include({ value: 'small', at: 100 })
    const { bytes } = cache
    cache.set('large', 'x'.repeat(2_000), 101)
    expect(cache.get('large')).to.equal(undefined)
    expect(cache.bytes).to.equal(bytes)
  })
})
