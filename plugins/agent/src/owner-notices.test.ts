import { expect } from 'chai'
import { budgetExceeded, modelStateChanged, type ModelStateChange } from '@mynah/plugin-ai/api'
import { eachTest, until, type Rig } from './test/support.js'

describe('OwnerNotices', () => {
  const rigs = eachTest()
  async function start(): Promise<{
    rig: Rig
    change: (change: Partial<ModelStateChange>) => void
    spend: () => void
  }> {
    let emit: { change: (change: ModelStateChange) => void; spend: () => void } | undefined
    const rig = await rigs.start(['hi'], {
      setup: (ctx) => {
        emit = {
          change: (change) => ctx.emit(modelStateChanged, change),
          spend: () =>
            ctx.emit(budgetExceeded, {
              limit: 'tokensPerDay' as const,
              used: 1_200,
              allowed: 1_000,
              until: Date.UTC(2030, 0, 2),
            }),
        }
      },
    })
    return {
      rig,
      change: (change) => emit?.change({ provider: 'openai', state: 'cooling', until: 1, ...change }),
      spend: () => emit?.spend(),
    }
  }

  it('reports a refused key and a used budget to the owner, after the running answer', async () => {
    const { rig, change, spend } = await start()
    change({ reason: 'auth' })
    spend()
    expect(await rig.say('hello')).to.deep.equal(['hi'])
    await rig.clock.advance(10_000)
    await until(() => rig.texts.length === 3)
    expect(
      rig.sent
        .slice(1)
        .map(({ target, message }) => `${target.type} ${target.id} ${message.text}`)
        .sort(),
    ).to.deep.equal([
      'private owner The budget of today is used up: 1200 of 1000 (ai.budget.tokensPerDay). ' +
        'No model is used before 00:00Z.',
      'private owner openai refuses the key. Other models are used in its place, if there are any. ' +
        '/models shows more.',
    ])
  })

  it('reports one cause once, until the model has answered', async () => {
    const { rig, change } = await start()
    for (let round = 1; round <= 3; round++) {
      change({ reason: 'auth', until: round })
      await rig.clock.advance(600_000)
    }
    await until(() => rig.texts.length > 0)
    change({ reason: 'billing', until: 4 })
    await rig.clock.advance(600_000)
    await until(() => rig.texts.length > 1)
    change({ state: 'free' })
    change({ reason: 'billing', until: 5 })
    await rig.clock.advance(600_000)
    await until(() => rig.texts.length > 2)
    expect(rig.texts.map((text) => /refuses|credit/.exec(text)?.[0])).to.deep.equal(['refuses', 'credit', 'credit'])
  })

  it('reports neither transient failures nor failures that are over', async () => {
    const { rig, change } = await start()
    change({ model: 'gpt', reason: 'rate-limit' })
    change({ reason: 'auth' })
    change({ state: 'free' })
    await rig.clock.advance(60_000)
    await rig.say('hello')
    expect(rig.texts).to.deep.equal(['hi'])
  })
})
