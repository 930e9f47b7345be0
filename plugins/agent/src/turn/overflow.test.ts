import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineTool, KeptResults, ModelError, type ModelRequest } from '@mynah/plugin-ai/api'
import { eachTest, said } from '../test/support.js'

const overflow = { error: new ModelError('overflow', 'too long') }
/** Refusals of windows in words of their own: the last comes within the stream. */
const REFUSALS = [
  new ModelError('format', 'Requested token count exceeds the limit of this deployment', { status: 400 }),
  new ModelError('format', 'Validation error: inputs must have less than 4096 tokens', { status: 422 }),
  new ModelError('format', '输入长度超过限制', { status: 400 }),
  new ModelError('server', 'Payload too big', { status: 413 }),
  new ModelError('unknown', 'the slot has no room'),
]
const sizeOf = (request: ModelRequest): number => JSON.stringify(request.messages).length
const big = defineTool({
  name: 'big',
  description: 'gives much',
  effect: 'read',
  parameters: Type.Object({}),
  run: () => 'y'.repeat(6_000),
})
const keepsResults = definePlugin({
  name: 'test-results',
  provides: [KeptResults],
  setup: (ctx) => void ctx.provide(KeptResults, { keep: async (_text, { id }) => `.results/${id}` }),
}) as unknown as AnyPlugin
const config = { 'ai.agent': { compaction: { keepRecentTokens: 200 } } }

describe('A message that would fill the window', () => {
  const rigs = eachTest()
  const words = (request: ModelRequest | undefined): string => said(request).at(-1) ?? ''

  it('is shown by both ends from the first request on, and stored whole', async () => {
    const rig = await rigs.start(['fine'], { plugins: [keepsResults] })
    await rig.say(`begin ${'字'.repeat(60_000)} end`)
    expect(words(rig.models.requests[0])).to.match(/^.*begin 字[^]*left out; all of it: read_file[^]*字 end$/)
    expect(Buffer.byteLength(words(rig.models.requests[0]))).to.be.at.most(53_000)
  })

  it('is whole where the window has room', async () => {
    const rig = await rigs.start(['fine'], { plugins: [keepsResults] })
    await rig.say('x'.repeat(100_000))
    expect(words(rig.models.requests[0])).to.include('x'.repeat(100_000))
  })
})

for (const database of [false, true]) {
  describe(`ContextWindow: an overflow ${database ? 'with a database' : 'without a database'}`, () => {
    const rigs = eachTest()
    const fits = (request: ModelRequest, most = 3_500): boolean => sizeOf(request) <= most
    const answerTo = (request: ModelRequest) => (fits(request) ? 'fine' : overflow)

    it('at the first step leads to a summary', async () => {
      const rig = await rigs.start(
        (request) => (request.purpose === 'summary' ? 'they talked about plums' : answerTo(request)),
        { database, config },
      )
      for (let round = 0; round < 5; round++) expect(await rig.say(`plum ${'x'.repeat(700)}`)).to.deep.equal(['fine'])
      expect(said(rig.models.requests.at(-1)).join()).to.include('they talked about plums')
    })

    for (const error of REFUSALS)
      it(`in unknown words (${error.message.slice(0, 40)}) leads to a summary, and the next is answered`, async () => {
        const rig = await rigs.start(
          (request) => {
            if (request.purpose === 'summary') return 'they talked about plums'
            return fits(request) ? 'fine' : { error }
          },
          { database, config },
        )
        for (let round = 0; round < 8; round++)
          expect(await rig.say(`plum ${'x'.repeat(700)}`), String(round)).to.deep.equal(['fine'])
        expect(said(rig.models.requests.at(-1)).join()).to.include('they talked about plums')
      })

    it('that is none shortens the conversation once, and the next message is answered', async () => {
      const error = new ModelError('format', 'The tool schema is invalid', { status: 400 })
      const rig = await rigs.start(
        (request) => {
          if (request.purpose === 'summary') return 'short'
          return said(request).at(-1)?.includes('poison') ? { error } : 'fine'
        },
        { database, config },
      )
      for (let round = 0; round < 4; round++) await rig.say(`plum ${'x'.repeat(700)}`)
      const before = rig.models.requests.filter(({ purpose }) => purpose === 'turn').length
      await rig.say('poison')
      expect(rig.models.requests.filter(({ purpose }) => purpose === 'turn').length - before).to.equal(2)
      expect(await rig.say('and now?')).to.deep.equal(['fine'])
    })

    for (const error of [overflow.error, ...REFUSALS])
      it(`of one message (${error.message.slice(0, 40)}) leaves both ends, and the next is answered`, async () => {
        const rig = await rigs.start((request) => (fits(request, 14_000) ? 'fine' : { error }), {
          database,
          config,
          plugins: [keepsResults],
        })
        expect(await rig.say(`begin ${'x y '.repeat(15_000)} end`)).to.deep.equal(['fine'])
        expect(said(rig.models.requests.at(-1)).join())
          .to.match(/begin x y/)
          .and.match(/\[… \d+ characters, 0 lines left out; all of it: read_file \.results\/message-\S+ …\]/)
          .and.match(/x y {2}end/)
        expect(await rig.say('and now?')).to.deep.equal(['fine'])
        expect(said(rig.models.requests.at(-1)).join())
          .to.include('and now?')
          .and.include('left out')
      })

    it('in the middle of a turn removes results of tools, which do not run again', async () => {
      const rig = await rigs.start(
        (request) => {
          if (request.purpose === 'summary') return 'they looked at much'
          if (!fits(request, 9_000)) return overflow
          const last = request.messages.at(-1)
          return last?.role === 'user' && said(request).at(-1)?.includes('look')
            ? { calls: [{ name: 'big', input: {} }] }
            : 'seen'
        },
        { database, config, tools: [big] },
      )
      for (let round = 0; round < 3; round++)
        expect(await rig.say(`look ${round}`), String(round)).to.deep.equal(['seen'])
      expect(await rig.say('thanks')).to.deep.equal(['seen'])
    })

    it('of the summary itself removes the oldest messages', async () => {
      const rig = await rigs.start((request) => (request.purpose === 'summary' ? overflow : answerTo(request)), {
        database,
        config,
      })
      for (let round = 0; round < 6; round++)
        expect(await rig.say(`plum ${round} ${'x'.repeat(700)}`)).to.deep.equal(['fine'])
      expect(said(rig.models.requests.at(-1)).join())
        .to.include('plum 5')
        .and.not.include('plum 0')
    })

    it('is reported when nothing helps, and the next message is answered', async () => {
      let never = true
      const rig = await rigs.start((request) => (never || request.purpose === 'summary' ? overflow : 'here again'), {
        database,
        config,
      })
      expect((await rig.say(`plum ${'x'.repeat(700)}`)).join()).to.include('too long for the model')
      expect(rig.agent.turns()).to.deep.equal([])
      expect(rig.models.requests.filter(({ purpose }) => purpose === 'turn').length, 'it ends').to.be.at.most(5)
      never = false
      expect(await rig.say('and now?')).to.deep.equal(['here again'])
    })

    it('that stays after the summary is asked once more, and never with the same bytes', async () => {
      const rig = await rigs.start(
        (request) => {
          if (request.purpose === 'summary') return 'short'
          return rig.models.requests.length < 5 ? 'fine' : overflow
        },
        { database, config },
      )
      for (let round = 0; round < 4; round++) await rig.say(`plum ${'x'.repeat(700)}`)
      expect((await rig.say('and now?')).join()).to.include('too long for the model')
      const asked = rig.models.requests.slice(4).filter(({ purpose }) => purpose === 'turn')
      expect(asked.map(sizeOf)).to.deep.equal([...new Set(asked.map(sizeOf))].toSorted((a, b) => b - a))
      expect(asked).to.have.length(2)
      const messages = (await rig.say('again')).join()
      expect(messages).to.include('too long for the model')
      const last = rig.models.requests.filter(({ purpose }) => purpose === 'turn').map(sizeOf)
      expect(last.at(-1)).not.to.equal(last.at(-2))
    })

    it('while the model of the summary hangs ends within its deadline', async () => {
      const rig = await rigs.start(
        (request) =>
          request.purpose === 'summary' ? { text: 'never', hold: new Promise(() => {}) } : answerTo(request),
        { database, config },
      )
      for (let round = 0; round < 5; round++) {
        let over = false
        const answer = rig.say(`plum ${round} ${'x'.repeat(700)}`).finally(() => {
          over = true
        })
        while (!over) {
          // Time passes only where it is waited for: a clock that leaps ends what is just slow, too.
          if (rig.models.requests.at(-1)?.purpose === 'summary') await rig.clock.advance(10_000)
          await new Promise((resolve) => setImmediate(resolve))
        }
        expect(await answer, String(round)).to.have.length(1)
        expect(rig.agent.turns()).to.deep.equal([])
      }
      expect(rig.models.requests.some(({ purpose }) => purpose === 'summary')).to.equal(true)
    })
  })
}
