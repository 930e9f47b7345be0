import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, ModelError, type ModelRequest } from '@mynah/plugin-ai/api'
import { aiHook } from '../api.js'
import { eachTest, until, type Rig } from '../test/support.js'

const png = (name: string): string =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from(name)]).toString('base64')
const picture = (name: string) => [
  { type: 'image', data: { base64: png(name) } },
  { type: 'text', data: { text: name } },
]
const shows = (request: ModelRequest | undefined, name: string): boolean =>
  JSON.stringify(request?.messages).includes(png(name))
const bodyOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages).slice(0, -1)

function assertExtends(requests: readonly ModelRequest[], from: number): void {
  for (let index = from + 1; index < requests.length; index++)
    expect(bodyOf(requests[index]).startsWith(bodyOf(requests[index - 1])), `request ${index}`).to.equal(true)
}

for (const database of [false, true]) {
  describe(`trimmed media ${database ? 'in a database' : 'in memory'}`, () => {
    const rigs = eachTest()
    const say = async (rig: Rig, ...said: (string | ReturnType<typeof picture>)[]): Promise<void> => {
      for (const content of said) await rig.say(content)
    }

    it('stay byte for byte while nothing is trimmed', async () => {
      const rig = await rigs.start((_request, index) => `answer ${index}`, { database })
      await say(rig, picture('kite'), 'b', 'c', 'd', 'e', 'f')
      expect(rig.models.requests.every((request) => shows(request, 'kite'))).to.equal(true)
      assertExtends(rig.models.requests, 0)
    })

    it('are removed at an overflow, except in the last three turns', async () => {
      const rig = await rigs.start(
        (_request, index) => (index === 5 ? { error: new ModelError('overflow', 'too long') } : `answer ${index}`),
        { database },
      )
      await say(rig, picture('kite'), 'b', 'c', picture('boat'), 'e', 'f')
      const { requests } = rig.models
      expect([5, 6].map((index) => [shows(requests[index], 'kite'), shows(requests[index], 'boat')])).to.deep.equal([
        [true, true],
        [false, true],
      ])
      expect(bodyOf(requests[6])).to.match(/\[image [0-9a-f]{12}, no longer shown\]/)
      await say(rig, 'g', 'h')
      expect(shows(requests.at(-1), 'boat')).to.equal(true)
      assertExtends(requests, 6)
    })

    it('are removed after the cache of the provider has expired', async () => {
      const rig = await rigs.start((_request, index) => `answer ${index}`, { database })
      await say(rig, picture('kite'), 'b', 'c', 'd')
      await rig.clock.advance(59 * 60_000)
      await say(rig, 'e')
      expect(shows(rig.models.requests.at(-1), 'kite')).to.equal(true)
      await rig.clock.advance(61 * 60_000)
      await say(rig, 'f', 'g')
      expect(rig.models.requests.slice(-2).map((request) => shows(request, 'kite'))).to.deep.equal([false, false])
      assertExtends(rig.models.requests, 5)
    })

    it('are removed at a trim by number, which keeps the text', async () => {
      const rig = await rigs.start((_request, index) => `answer ${index}`, {
        database,
        config: { 'ai.sessions': { maxHistory: 16 }, 'ai.context': { enabled: false } },
      })
      await say(rig, 'a', 'b', 'c', 'd', 'e', picture('kite'), 'g', 'h', 'i')
      expect(shows(rig.models.requests.at(-1), 'kite')).to.equal(true)
      assertExtends(rig.models.requests, 0)
      await say(rig, 'j')
      const request = rig.models.requests.at(-1)
      expect(bodyOf(request)).to.include('kite').and.not.include('answer 3')
      expect(shows(request, 'kite')).to.equal(false)
    })

    it('do not return with a later compaction, and neither do results of tools', async () => {
      const long = 'x'.repeat(400)
      const look = defineTool({
        name: 'look',
        description: 'looks',
        parameters: Type.Object({}),
        effect: 'read',
        run: () => long,
      })
      let overflows = 1
      let compacted = 0
      const rig = await rigs.start(
        (request) => {
          if (request.purpose === 'summary') return 'the summary'
          const last = JSON.stringify(request.messages.at(-1))
          if (last.includes('look now')) return { calls: [{ name: 'look', input: {} }] }
          return last.includes('too much') && overflows-- > 0 ? { error: new ModelError('overflow', 'too long') } : 'ok'
        },
        {
          database,
          tools: [look],
          config: { 'ai.context': { summaryThreshold: 13, keepAfterSummary: 12 } },
          setup: (ctx) => {
            ctx.on(aiHook('ai.session.compact'), () => {
              compacted++
            })
          },
        },
      )
      await say(rig, 'the very first', 'b', picture('kite'), 'look now', 'c', picture('boat'), 'd, too much')
      await until(() => compacted === 1)
      await say(rig, 'next')
      const request = rig.models.requests.at(-1)
      expect(bodyOf(request))
        .to.include('the summary')
        .and.include('look now')
        .and.include('kite')
        .and.not.include(long)
        .and.not.include('the very first')
      expect([shows(request, 'kite'), shows(request, 'boat')]).to.deep.equal([false, true])
      expect(bodyOf(request)).to.match(/\[image [0-9a-f]{12}, no longer shown\]/)
    })
  })
}
