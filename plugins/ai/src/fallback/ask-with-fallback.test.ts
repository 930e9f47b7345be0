import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { isModelError, type ModelError } from '../api/errors.js'
import type { ModelPart, ModelRequest } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { chunk, partsAfterWaits, partsOf, PlayedServer, refused, serviceOf, streamed, textIn } from '../test/support.js'

const A = { provider: 'a', model: 'one' }
const B = { provider: 'b', model: 'two' }
const A2 = { provider: 'a', model: 'other' }

describe('askWithFallback', () => {
  let first: PlayedServer
  let second: PlayedServer
  let clock: TestClock
  const start = (more: Partial<ProviderConfig> = {}) =>
    serviceOf(
      {
        a: { sdk: 'openai-compatible', apiKey: 'key-a', baseUrl: first.url, models: ['one', 'other'], ...more },
        b: { sdk: 'openai-compatible', apiKey: 'key-b', baseUrl: second.url, models: ['two'] },
      },
      { clock },
    )
  const caught = async (promise: Promise<unknown>): Promise<ModelError> => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!isModelError(error)) throw new Error(`no model error: ${String(error)}`)
    return error
  }
  const kinds = (parts: readonly ModelPart[]) => parts.map(({ type }) => type).filter((type) => type !== 'text')

  beforeEach(async () => {
    clock = new TestClock()
    first = await PlayedServer.start()
    second = await PlayedServer.start((response) => streamed(response, 'from the second'))
  })
  afterEach(() => Promise.all([first.stop(), second.stop()]))

  for (const [status, error, headers] of [
    [429, { message: 'slow down' }, { 'retry-after': '20' }],
    [529, { message: 'overloaded' }, {}],
    [503, { message: 'busy' }, {}],
    [500, { message: 'oops' }, {}],
    [404, { message: 'no such model' }, {}],
    [401, { message: 'bad key' }, {}],
    [402, { message: 'pay' }, {}],
    [504, { message: 'late' }, {}],
  ] as const) {
    it(`asks the next model at once after a ${status}`, async () => {
      first.play((response) => refused(response, status, error, headers))
      const { models, log, changes } = start()
      const parts = await partsOf(models, 'hi', { candidates: [A, B] })
      expect(textIn(parts)).to.equal('from the second')
      expect(kinds(parts)).to.deep.equal(['start', 'fallback', 'start', 'finish'])
      expect(first.asked).to.have.length(1)
      expect(log.lines.filter(({ level }) => level === 'warn')).to.have.length(1)
      expect(changes.length).to.equal(status === 504 ? 0 : 1)
    })
  }

  it('asks the next model when the first is unreachable', async () => {
    const { models } = start({ baseUrl: 'http://127.0.0.1:9/v1' })
    const parts = await partsOf(models, 'hi', { candidates: [A, B] })
    expect(textIn(parts)).to.equal('from the second')
    expect(parts[1]).to.deep.include({ type: 'fallback' })
    expect((parts[1] as { error: ModelError }).error.class).to.equal('network')
  })

  it('pauses a model for the time of its provider, and reports it once', async () => {
    first.play((response) => refused(response, 429, { message: 'slow down' }, { 'retry-after': '20' }))
    const { models, log, changes } = start()
    await partsOf(models, 'hi', { candidates: [A, B] })
    expect(models.model(A)).to.deep.include({ cooldownUntil: clock.now() + 20_000, cooldownReason: 'rate-limit' })
    expect(models.model(A2)).not.to.have.property('cooldownUntil')
    await partsOf(models, 'hi', { candidates: [A, B] })
    await partsOf(models, 'hi', { candidates: [A, B] })
    expect(first.asked).to.have.length(1)
    expect(changes.map(({ state }) => state)).to.deep.equal(['cooling'])
    expect(log.lines.filter(({ level }) => level === 'warn')).to.have.length(1)
    await clock.advance(20_000)
    first.play((response) => streamed(response, 'from the first'))
    expect(textIn(await partsOf(models, 'hi', { candidates: [A, B] }))).to.equal('from the first')
    expect(changes.map(({ state }) => state)).to.deep.equal(['cooling', 'free'])
    expect(log.lines.filter(({ level }) => level === 'info')).to.have.length(1)
  })

  it('waits longer after each failure in a row', async () => {
    first.play((response) => refused(response, 429, { message: 'slow down' }))
    const { models } = start()
    for (const pause of [30_000, 60_000, 300_000, 300_000]) {
      await partsOf(models, 'hi', { candidates: [A, B] })
      expect(models.model(A)?.cooldownUntil).to.equal(clock.now() + pause)
      await clock.advance(pause)
    }
    expect(first.asked).to.have.length(4)
  })

  it('counts simultaneous failures as one', async () => {
    first.play((response) => refused(response, 429, { message: 'slow down' }))
    const { models, changes } = start()
    await Promise.all(Array.from({ length: 10 }, () => partsOf(models, 'hi', { candidates: [A, B] })))
    expect(models.model(A)?.cooldownUntil).to.equal(clock.now() + 30_000)
    expect(changes).to.have.length(1)
  })

  it('asks no model of a provider that refuses the key', async () => {
    first.play((response) => refused(response, 401, { message: 'Incorrect API key provided: key-a' }))
    const { models } = start()
    const parts = await partsOf(models, 'hi', { candidates: [A, A2, B] })
    expect(textIn(parts)).to.equal('from the second')
    expect(first.asked).to.have.length(1)
    expect(models.model(A2)?.cooldownReason).to.equal('auth')
    await clock.advance(600_000)
    expect(models.model(A2)).not.to.have.property('cooldownReason')
  })

  it('ends the cooldowns of a provider whose configuration changes', async () => {
    first.play((response) => refused(response, 401, { message: 'no' }))
    const { models } = start()
    await partsOf(models, 'hi', { candidates: [A, B] })
    models.configure({
      providers: {
        a: { sdk: 'openai-compatible', apiKey: 'better', baseUrl: first.url, models: ['one'] },
        b: { sdk: 'openai-compatible', baseUrl: second.url, models: ['two'] },
      },
    })
    first.play((response) => streamed(response, 'from the first'))
    expect(textIn(await partsOf(models, 'hi', { candidates: [A, B] }))).to.equal('from the first')
    expect(first.asked[0]?.headers.authorization).to.equal('Bearer better')
  })

  it('asks the same model once more when there is no other', async () => {
    first.play((response, _asked, index) =>
      index === 0 ? refused(response, 529, { message: 'busy' }) : streamed(response, 'after all'),
    )
    const { models } = start()
    const parts = await partsOf(models, 'hi', { candidates: [A] })
    expect(textIn(parts)).to.equal('after all')
  })

  it('waits for a retry-after that ends in time, and reports a longer one', async () => {
    first.play((response, _asked, index) =>
      index === 0
        ? refused(response, 429, { message: 'slow' }, { 'retry-after': '2' })
        : streamed(response, 'after two seconds'),
    )
    const { models } = start()
    const began = clock.now()
    expect(textIn(await partsAfterWaits(models, 'hi', { candidates: [A] }, clock))).to.equal('after two seconds')
    expect(clock.now() - began).to.equal(2_000)

    first.play((response) => refused(response, 429, { message: 'slow' }, { 'retry-after': '90' }))
    const error = await caught(partsOf(models, 'hi', { candidates: [A] }))
    expect([error.class, error.retryAfterMs]).to.deep.equal(['rate-limit', 90_000])
    expect(first.asked).to.have.length(1)
    const told = await caught(partsOf(models, 'hi', { candidates: [A] }))
    expect(told.class).to.equal('rate-limit')
    expect(told.message).to.contain('90 s')
    expect(first.asked).to.have.length(1)
  })

  it('stops after a request that any model would refuse', async () => {
    first.play((response) => refused(response, 400, { message: 'unknown field', type: 'invalid_request_error' }))
    const { models } = start()
    expect((await caught(partsOf(models, 'hi', { candidates: [A, B] }))).class).to.equal('format')
    expect([first.asked.length, second.asked.length]).to.deep.equal([1, 0])
  })

  it('simplifies a refused request once, on the same model', async () => {
    first.play((response, _asked, index) =>
      index === 0
        ? refused(response, 400, { message: 'image not supported' })
        : streamed(response, 'without the picture'),
    )
    const { models } = start()
    const request: ModelRequest = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', mediaType: 'image/png', data: 'aGk=' },
          ],
        },
      ],
    }
    expect(textIn(await partsOf(models, request, { candidates: [A, B] }))).to.equal('without the picture')
    expect(JSON.stringify(first.asked[0]?.body)).to.contain('image_url')
    expect(JSON.stringify(first.asked[1]?.body)).not.to.contain('image_url')
    expect(second.asked).to.have.length(0)
  })

  it('offers an overflow only to a larger window', async () => {
    const overflow = { message: 'maximum context length is 100 tokens', code: 'context_length_exceeded' }
    first.play((response) => refused(response, 400, overflow))
    const { models } = serviceOf(
      {
        a: { sdk: 'openai-compatible', baseUrl: first.url, models: ['one', 'other'], contextWindow: 1_000 },
        b: { sdk: 'openai-compatible', baseUrl: second.url, models: ['two'], contextWindow: 2_000 },
      },
      { clock },
    )
    expect(textIn(await partsOf(models, 'hi', { candidates: [A, A2, B] }))).to.equal('from the second')
    expect(first.asked).to.have.length(1)
    expect((await caught(partsOf(models, 'hi', { candidates: [A, A2] }))).class).to.equal('overflow')
    expect(models.model(A)).not.to.have.property('cooldownUntil')
  })

  it('asks the next model after only reasoning and half a call', async () => {
    first.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk({ reasoning_content: 'let me think' }))
      response.write(
        chunk({ tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '{"a":' } }] }),
      )
      setImmediate(() => response.destroy())
    })
    const { models } = start()
    expect(textIn(await partsOf(models, 'hi', { candidates: [A, B] }))).to.equal('from the second')
  })

  it('asks the next model after the timeout of a silent one', async () => {
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    first.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': still here\n\n')
      reached()
    })
    const { models, changes } = start()
    const answer = partsOf(models, 'hi', { candidates: [A, B], firstChunkTimeout: 30_000 })
    await there
    await clock.advance(20_000)
    expect(textIn(await answer)).to.equal('from the second')
    expect(changes).to.deep.equal([])
  })

  it('reports all failures, asks each model once, and then those again that were only busy', async () => {
    first.play((response) => refused(response, 503, { message: 'busy' }))
    second.play((response) => refused(response, 401, { message: 'bad key' }))
    const { models } = start()
    const error = await caught(partsAfterWaits(models, 'hi', { candidates: [A, B, A2, A, B] }, clock))
    expect(error.class).to.equal('overloaded')
    expect(error.message).to.contain('a:one').and.contain('b:two').and.contain('a:other')
    expect(first.asked.slice(0, 2).map(({ body }) => body.model)).to.deep.equal(['one', 'other'])
    expect(first.asked.length).to.be.greaterThan(4)
    expect(second.asked).to.have.length(1)
  })

  it('stops with its caller, and asks no other model', async () => {
    const abort = new AbortController()
    first.play((response) => {
      abort.abort()
      refused(response, 503, { message: 'busy' })
    })
    const { models } = start()
    expect((await caught(partsOf(models, 'hi', { candidates: [A, B], signal: abort.signal }))).class).to.equal(
      'aborted',
    )
    expect(second.asked).to.have.length(0)
  })

  it('refuses a model that is not on the list, with the nearest name', async () => {
    const { models } = start()
    const error = await caught(partsOf(models, 'hi', { candidates: [{ provider: 'a', model: 'othr' }] }))
    expect(error.class).to.equal('not-allowed')
    expect(error.message).to.contain('did you mean "other"')
    expect((await caught(partsOf(models, 'hi', { candidates: [] }))).class).to.equal('unconfigured')
  })
})
