import { expect } from 'chai'
import type { ModelMessage } from '../api/messages.js'
import { Corrections } from './correction.js'
import { estimate, tokensOf } from './estimate.js'
import { answerOf, PlayedServer, serviceOf, streamed } from '../test/support.js'

describe('token estimates', () => {
  it('are one for each CJK character and a quarter for any other', () => {
    expect([
      tokensOf(''),
      tokensOf('abcd'),
      tokensOf('hello world!'),
      tokensOf('你好世界'),
      tokensOf('안녕 こんにちは'),
      tokensOf('你好, world'),
    ]).to.deep.equal([0, 1, 3, 4, 8, 4])
  })

  it('count messages, calls, results, media and tools', () => {
    const message = (content: ModelMessage['content'], role = 'user') =>
      estimate({ messages: [{ role, content } as ModelMessage] })
    expect(message('abcd')).to.equal(5)
    expect(message([{ type: 'image', mediaType: 'image/png', data: 'x'.repeat(1_000_000) }])).to.be.within(1_000, 2_000)
    expect(message([{ type: 'tool-call', id: '1', name: 'look', input: { city: 'Oslo' } }], 'assistant')).to.be.within(
      10,
      20,
    )
    expect(message([{ type: 'tool-result', id: '1', name: 'look', output: 'x'.repeat(400) }], 'tool')).to.be.within(
      100,
      120,
    )
    const tools = [{ name: 'look', description: 'x'.repeat(400), parameters: { type: 'object' } }]
    expect(estimate({ messages: [], tools })).to.be.within(100, 120)
  })

  it('are counted once for each message', () => {
    let reads = 0
    const messages: ModelMessage[] = Array.from({ length: 100 }, () => ({
      role: 'user',
      get content() {
        reads++
        return 'x'.repeat(100)
      },
    }))
    const first = estimate({ messages })
    const once = reads
    for (let index = 0; index < 20; index++) expect(estimate({ messages })).to.equal(first)
    expect(reads).to.equal(once).and.to.be.above(0)
  })

  it('learn from the counts of the provider, within bounds', () => {
    const corrections = new Corrections()
    const who = { provider: 'it', model: 'm' }
    expect(corrections.factor(who)).to.equal(1)
    corrections.observe(who, 1_000, 1_500)
    expect(corrections.factor(who)).to.equal(1.5)
    corrections.observe(who, 1_000, 1_000)
    expect(corrections.factor(who)).to.be.closeTo(1.35, 1e-9)
    for (let index = 0; index < 50; index++) corrections.observe(who, 1_000, 1_000_000)
    expect(corrections.factor(who)).to.be.at.most(3)
    corrections.observe({ provider: 'it', model: 'n' }, 10, 500)
    expect(corrections.factor({ provider: 'it', model: 'n' })).to.equal(1)
  })

  it('of a call are what the provider counted, or an estimate without a price', async () => {
    const server = await PlayedServer.start((response) => streamed(response, 'x'.repeat(40), null))
    const { models, used } = serviceOf({
      it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'], prices: { input: 1, output: 1 } },
    })
    const request = { messages: [{ role: 'user' as const, content: 'y'.repeat(4_000) }] }
    await answerOf(models, request, { provider: 'it', model: 'm' })
    expect(used[0]?.usage).to.deep.equal({ input: 1_004, cachedInput: 0, output: 10 })
    server.play((response) =>
      streamed(response, 'ok', {
        prompt_tokens: 2_008,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 2_000 },
      }),
    )
    await answerOf(models, request, { provider: 'it', model: 'm' })
    expect(used[1]?.usage).to.deep.equal({ input: 2_008, cachedInput: 2_000, output: 3, cost: 2_011 / 1e6 })
    expect(models.estimate(request, { provider: 'it', model: 'm' })).to.equal(2_008)
    expect(models.estimate(request)).to.equal(1_004)
    await server.stop()
  })

  it('mean an overflow above the window, when the failure has no other class', async () => {
    const server = await PlayedServer.start((response) =>
      streamed(response, '', { prompt_tokens: 9_000, completion_tokens: 0 }),
    )
    const { models } = serviceOf({
      it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'], contextWindow: 8_000 },
    })
    expect(
      await answerOf(models, 'hi', { provider: 'it', model: 'm' }).catch((error: unknown) => error),
    ).to.deep.include({ class: 'overflow' })
    await server.stop()
  })
})
