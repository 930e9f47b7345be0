import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import type { ModelPart } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { partsAfterWaits, partsOf, PlayedServer, refused, serviceOf, streamed, textIn } from '../test/support.js'

const A = { provider: 'a', model: 'one' }

describe('waiting for a provider', () => {
  let server: PlayedServer
  let clock: TestClock
  const start = (more: Partial<ProviderConfig> = {}) =>
    serviceOf(
      { a: { sdk: 'openai-compatible', apiKey: 'key-a', baseUrl: server.url, models: ['one', 'other'], ...more } },
      { clock },
    )
  const failed = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => expect.fail('it has answered'),
      (error: unknown) => error,
    )
  const waits = (parts: readonly ModelPart[]) => parts.flatMap((part) => (part.type === 'waiting' ? [part.ms] : []))

  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start()
  })
  afterEach(() => server.stop())

  for (const [what, refuse] of [
    ['a 429', (response) => refused(response, 429, { message: 'slow down' })],
    ['a 500', (response) => refused(response, 500, { message: 'oops' })],
    ['a 529', (response) => refused(response, 529, { message: 'overloaded' })],
    ['a dropped connection', (response) => void response.destroy()],
  ] as const satisfies readonly (readonly [string, (response: Parameters<typeof streamed>[0]) => void])[])
    it(`asks a single model again after ${what}, with longer pauses, until it answers`, async () => {
      server.play((response, _asked, index) => (index < 4 ? refuse(response) : streamed(response, 'after all')))
      const parts = await partsAfterWaits(start().models, 'hi', { candidates: [A] }, clock)
      expect(textIn(parts)).to.equal('after all')
      expect(server.asked).to.have.length(5)
      expect(waits(parts)).to.deep.equal([2_000, 4_000, 8_000])
    })

  it('gives up when the time for the first part is over', async () => {
    server.play((response) => refused(response, 529, { message: 'overloaded' }))
    const { models } = start()
    const began = clock.now()
    const error = await failed(partsAfterWaits(models, 'hi', { candidates: [A], firstChunkTimeout: 20_000 }, clock))
    expect(error).to.include({ class: 'overloaded' })
    expect(clock.now() - began).to.be.within(10_000, 20_000)
    expect(server.asked).to.have.length(5)
  })

  it('is shown with the reason and the address where it cannot be reached, until it answers', async () => {
    server.play((response) => void response.destroy())
    const { models, log } = start()
    const views = (): string => JSON.stringify(models.list())
    await failed(partsAfterWaits(models, 'hi', { candidates: [A], firstChunkTimeout: 5_000 }, clock))
    const address = new URL(server.url).origin
    expect(views()).to.contain('failed').and.contain('the connection broke').and.contain(address)
    const words = log.lines.map(({ message }) => message).join('\n')
    expect(words).to.contain(`the connection broke (${address})`)
    expect(words).not.to.contain('key-a')
    server.play((response) => streamed(response, 'here'))
    await partsAfterWaits(models, 'hi', { candidates: [A] }, clock)
    expect(views()).not.to.contain('failed')
  })

  it('waits exactly as long as the provider asks for', async () => {
    server.play((response, _asked, index) =>
      index === 0 ? refused(response, 429, { message: 'slow' }, { 'retry-after': '42' }) : streamed(response, 'yes'),
    )
    const parts = await partsAfterWaits(start().models, 'hi', { candidates: [A] }, clock)
    expect(textIn(parts)).to.equal('yes')
    expect(waits(parts)).to.deep.equal([42_000])
  })

  it('asks a model for the next message although it was busy for the one before', async () => {
    server.play((response) => refused(response, 503, { message: 'busy' }))
    const { models } = start()
    await failed(partsAfterWaits(models, 'hi', { candidates: [A], firstChunkTimeout: 5_000 }, clock))
    expect(models.model(A)).to.have.property('cooldownUntil')
    server.play((response) => streamed(response, 'at last'))
    const parts = await partsAfterWaits(models, 'hi', { candidates: [A] }, clock)
    expect(textIn(parts)).to.equal('at last')
    expect(waits(parts)[0]).to.be.at.most(5_000)
  })

  it('waits for a rest that the provider has named and that ends in time', async () => {
    server.play((response) => refused(response, 429, { message: 'slow' }, { 'retry-after': '30' }))
    const { models } = start()
    await failed(partsAfterWaits(models, 'hi', { candidates: [A], firstChunkTimeout: 5_000 }, clock))
    server.play((response) => streamed(response, 'at last'))
    const parts = await partsAfterWaits(models, 'hi', { candidates: [A] }, clock)
    expect(textIn(parts)).to.equal('at last')
    expect(waits(parts)).to.deep.equal([30_000])
  })

  it('stops waiting when the caller gives up', async () => {
    server.play((response) => refused(response, 429, { message: 'slow' }, { 'retry-after': '30' }))
    const abort = new AbortController()
    const { models } = start()
    const parts = models.stream(
      { messages: [{ role: 'user', content: 'hi' }] },
      { candidates: [A], signal: abort.signal },
    )
    const error = await failed(
      (async () => {
        for await (const part of parts) if (part.type === 'waiting') setImmediate(() => abort.abort())
      })(),
    )
    expect(error).to.include({ class: 'aborted' })
    expect(clock.pending).to.equal(0)
  })

  it('lifts a rest when the lists of models are refreshed', async () => {
    server.play((response) => refused(response, 429, { message: 'slow' }, { 'retry-after': '3600' }))
    const { models } = start()
    await failed(partsOf(models, 'hi', { candidates: [A] }))
    expect(await failed(partsOf(models, 'hi', { candidates: [A] }))).to.include({ class: 'rate-limit' })
    expect(server.asked).to.have.length(1)
    server.play((response) => streamed(response, 'free'))
    await models.refresh()
    expect(textIn(await partsOf(models, 'hi', { candidates: [A] }))).to.equal('free')
  })

  describe('with several keys', () => {
    const keys = () => server.asked.map(({ headers }) => headers.authorization?.replace('Bearer ', ''))

    it('uses them in turn', async () => {
      server.play((response) => streamed(response, 'yes'))
      const { models } = start({ apiKey: ['first-key', 'second-key', 'third-key'] })
      for (let call = 0; call < 4; call++) await partsOf(models, 'hi', { candidates: [A] })
      expect(keys()).to.deep.equal(['first-key', 'second-key', 'third-key', 'first-key'])
    })

    it('asks with another key at once when one is limited, and lets that one rest', async () => {
      server.play((response, { headers }) =>
        headers.authorization === 'Bearer first-key'
          ? refused(response, 429, { message: 'slow' }, { 'retry-after': '20' })
          : streamed(response, 'yes'),
      )
      const { models, log } = start({ apiKey: ['first-key', 'second-key'] })
      for (let call = 0; call < 3; call++)
        expect(textIn(await partsOf(models, 'hi', { candidates: [A] }))).to.equal('yes')
      expect(keys()).to.deep.equal(['first-key', 'second-key', 'second-key', 'second-key'])
      expect(models.model(A)).not.to.have.property('cooldownUntil')
      await clock.advance(20_000)
      await partsOf(models, 'hi', { candidates: [A] })
      expect(keys().at(-2)).to.equal('first-key')
      expect(JSON.stringify(log.lines)).not.to.contain('first-key')
    })

    it('waits for the key that is free first when all of them are limited', async () => {
      server.play((response, { headers }, index) => {
        if (index >= 2) return streamed(response, 'yes')
        const seconds = headers.authorization === 'Bearer first-key' ? '10' : '50'
        refused(response, 429, { message: 'slow' }, { 'retry-after': seconds })
      })
      const { models } = start({ apiKey: ['first-key', 'second-key'] })
      const parts = await partsAfterWaits(models, 'hi', { candidates: [A] }, clock)
      expect(waits(parts)).to.deep.equal([10_000])
      expect(keys()).to.deep.equal(['first-key', 'second-key', 'first-key'])
    })

    it('uses another key when one is refused', async () => {
      server.play((response, { headers }) =>
        headers.authorization === 'Bearer first-key'
          ? refused(response, 401, { message: 'no' })
          : streamed(response, 'yes'),
      )
      const { models } = start({ apiKey: ['first-key', 'second-key'] })
      expect(textIn(await partsOf(models, 'hi', { candidates: [A] }))).to.equal('yes')
      expect(textIn(await partsOf(models, 'hi', { candidates: [A] }))).to.equal('yes')
      expect(keys()).to.deep.equal(['first-key', 'second-key', 'second-key'])
    })
  })
})
