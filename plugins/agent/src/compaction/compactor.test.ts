import { expect } from 'chai'
import { beforeCompaction } from '../api.js'
import { eachTest, said, until } from '../test/support.js'

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

  it('waits 1, 5 and 30 minutes after a summary that fails, and prepares it once', async () => {
    let prepared = 0
    let fails = true
    const summaries = () => rig.models.requests.filter(({ purpose }) => purpose === 'summary').length
    const rig = await rigs.start(
      (request) => {
        if (request.purpose !== 'summary') return 'ok'
        return fails ? { error: 'server' } : 'summed up'
      },
      {
        config: { 'ai.context': { summaryThreshold: 4, keepAfterSummary: 2 } },
        setup: (ctx) => void ctx.on(beforeCompaction, () => void prepared++),
      },
    )
    const talk = async (): Promise<void> => {
      await rig.say('more')
      await rig.say('and more')
    }
    await talk()
    await rig.say('enough')
    await until(() => summaries() === 1)
    for (const [index, minutes] of [1, 5, 30, 30].entries()) {
      await talk()
      expect(summaries(), `during pause ${index}`).to.equal(index + 1)
      await rig.clock.advance(minutes * 60_000)
      if (index === 3) fails = false
      await rig.say('go on')
      await until(() => summaries() === index + 2)
    }
    expect(prepared).to.equal(1)
    expect(said(rig.models.requests.at(-1)).join()).not.to.equal('')
  })

  it('tries a summary that failed again when a person asks for it', async () => {
    let fails = true
    const rig = await rigs.start((request) => {
      if (request.purpose !== 'summary') return 'ok'
      return fails ? { error: 'server' } : 'summed up'
    })
    const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
    for (const text of ['one', 'two', 'three']) await rig.say(`${text} ${'x'.repeat(600)}`, owner)
    await rig.say('/compact', owner)
    fails = false
    await rig.say('/compact', owner)
    expect(rig.models.requests.filter(({ purpose }) => purpose === 'summary')).to.have.length(2)
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
