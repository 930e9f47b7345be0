import { expect } from 'chai'
import { eachTest, until } from '../test/support.js'

describe('configuration of ai.context and of compaction', () => {
  const rigs = eachTest()

  it('summarises by the number of messages when compaction by tokens is disabled', async () => {
    const rig = await rigs.start((request) => (request.purpose === 'summary' ? 'summed up' : 'ok'), {
      config: {
        'ai.context': { summaryThreshold: 4, keepAfterSummary: 2 },
        'ai.agent': { compaction: { enabled: false } },
      },
    })
    for (let round = 0; round < 3; round++) await rig.say(`message ${round}`)
    await until(() => rig.models.requests.some(({ purpose }) => purpose === 'summary'))
  })

  for (const [share, summaries] of [
    [0.5, 1],
    [0.9, 0],
  ] as const) {
    it(`makes room when a conversation has taken ${share} of the window`, async () => {
      const rig = await rigs.start(
        (request) =>
          request.purpose === 'summary'
            ? 'a summary'
            : { text: 'ok', usage: { input: 70_000, cachedInput: 0, output: 10 } },
        { config: { 'ai.agent': { maxHistoryShare: share, compaction: { keepRecentTokens: 10 } } } },
      )
      for (const text of ['one', 'two', 'three']) await rig.say(`${text} ${'x'.repeat(400)}`)
      await until(() => rig.agent.turns().length === 0)
      expect(Math.min(1, rig.models.requests.filter(({ purpose }) => purpose === 'summary').length)).to.equal(summaries)
    })
  }
})
