import { expect } from 'chai'
import fc from 'fast-check'
import { json, sample, serve, stopAll, type Served } from './test/support.js'

const RUNS = 150
const path = fc
  .oneof(
    fc
      .constantFrom(...Object.keys(sample.rest).map((key) => key.split(' ')[1] as string))
      .map((declared) =>
        declared.startsWith('/pub') || declared.startsWith('/hooks') || declared.startsWith('/api')
          ? declared
          : `/api${declared}`,
      ),
    fc.webPath(),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `/api/things/${encodeURIComponent(text)}`),
  )
  .filter((target) => !target.includes('/open') && !target.includes('/broken'))
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc
    .tuple(fc.constantFrom('page', 'flag', 'text', '__proto__'), fc.string({ maxLength: 20 }))
    .map(([name, text]) => `?${name}=${encodeURIComponent(text)}`),
)
const body = fc.oneof(
  fc.json(),
  fc.json().map((text) => `{"value":${text}}`),
  fc.string(),
  fc.json().map((text) => text.slice(0, -1)),
)
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS')
const type = fc.oneof(
  fc.constant('application/json'),
  fc.constantFrom('text/plain', 'application/json; charset=utf-8', 'application/json;', 'x'),
  fc.stringMatching(/^[a-z/;= -]{0,20}$/),
)

describe('HTTP server with generated requests', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(stopAll)

  it('answers any wrong input with a client error', async () => {
    await fc.assert(
      fc.asyncProperty(method, path, query, body, type, async (how, where, what, text, contentType) => {
        const bodied = how !== 'GET' && how !== 'HEAD'
        const response = await served.fetch(where + what, {
          method: how,
          ...(bodied ? { body: text, headers: { 'content-type': contentType } } : {}),
        })
        expect(response.status).to.be.lessThan(500)
        const answer = await response.text()
        if (response.status >= 400 && how !== 'HEAD')
          expect(JSON.parse(answer))
            .to.include({ success: false })
            .and.to.have.all.keys(...Object.keys(JSON.parse(answer) as object))
        expect(answer).not.to.match(/node_modules|\bat file:|\.js:\d+/)
      }),
      { numRuns: RUNS },
    )
    expect(served.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  }).timeout(60_000)

  it('returns any valid JSON unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 10 }), async (value) => {
        const sent = JSON.stringify({ value })
        fc.pre(!sent.includes('__proto__'))
        const response = await served.fetch('/api/echo', { method: 'POST', body: sent })
        expect(response.status).to.equal(200)
        expect((await json(response)).data).to.deep.equal((JSON.parse(sent) as { value: unknown }).value)
      }),
      { numRuns: RUNS },
    )
  }).timeout(60_000)
})
