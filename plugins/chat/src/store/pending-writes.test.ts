import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { WireError } from '@mynah/contract'
import { defineCommand, MessageStore, type OutboundRecord, type SendOutcome } from '../api.js'
import { eachTest, until, type Platform } from '../test/support.js'
import { MemoryMessageStore } from './memory-store.js'

const ann = { type: 'private', id: 'ann' } as const

type Call = 'startHandling' | 'finishHandling' | 'addIntent' | 'startSending' | 'finishSending'

/** A store that refuses some calls while it is unavailable. With `applies`, a refused call takes effect anyway. */
class AwayStore extends MemoryMessageStore {
  away = new Set<Call>()
  applies = false
  readonly refused: Call[] = []
  readonly returned: string[] = []

  constructor() {
    const clock = new TestClock()
    super(undefined, () => clock.now())
  }

  #call<T>(name: Call, apply: () => T): T {
    if (!this.away.has(name)) return apply()
    this.refused.push(name)
    if (this.applies) apply()
    throw new WireError('not_ready', 'The database is unavailable')
  }

  override startHandling(id: string): boolean {
    return this.#call('startHandling', () => super.startHandling(id))
  }
  override finishHandling(id: string): void {
    this.#call('finishHandling', () => super.finishHandling(id))
  }
  override addIntent(record: OutboundRecord, handled?: string): ReturnType<MemoryMessageStore['addIntent']> {
    return this.#call('addIntent', () => super.addIntent(record, handled))
  }
  override startSending(id: string): boolean {
    return this.#call('startSending', () => super.startSending(id))
  }
  override finishSending(id: string, outcome: SendOutcome): void {
    this.#call('finishSending', () => super.finishSending(id, outcome))
  }

  override returnToReceived(id?: string): void {
    if (id !== undefined) this.returned.push(id)
  }

  get plugin(): AnyPlugin {
    return definePlugin({
      name: 'away-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, this),
    }) as unknown as AnyPlugin
  }
}

describe('PendingWrites', () => {
  const platforms = eachTest()
  let runs = 0
  const count = defineCommand({ name: 'count', description: 'counts', run: () => `run ${++runs}` })

  async function start(store: AwayStore): Promise<Platform> {
    runs = 0
    return platforms.start({ commands: [count], plugins: [{ plugin: store.plugin }] })
  }

  const rows = async (bot: Platform): Promise<string[]> =>
    (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 9 })).map(
      ({ direction, state }) => `${direction} ${state}`,
    )

  /** The store is back: lets the time of the next attempt pass. */
  async function comeBack(store: AwayStore, bot: Platform): Promise<void> {
    store.away.clear()
    await bot.clock.advance(10_000)
  }

  it('handles no message whose mark is refused, and handles it once when the store is back', async () => {
    const store = new AwayStore()
    const bot = await start(store)
    store.away.add('startHandling')
    await bot.hear('/count')
    await until(() => store.refused.length > 0)
    expect([runs, bot.texts]).to.deep.equal([0, []])
    await comeBack(store, bot)
    await until(() => bot.texts.length === 1)
    expect([runs, bot.texts]).to.deep.equal([1, ['run 1']])
    expect(store.returned).to.have.length(1)
    await until(() => bot.chat.counters.sent === 1)
    expect(await rows(bot)).to.deep.equal(['in handled', 'out sent'])
  })

  it('lets an answer wait for the store', async () => {
    const store = new AwayStore()
    const bot = await start(store)
    store.away.add('addIntent')
    await bot.hear('/count')
    await until(() => store.refused.length > 0)
    expect(bot.texts).to.deep.equal([])
    await comeBack(store, bot)
    await until(() => bot.texts.length === 1)
    expect([runs, bot.texts]).to.deep.equal([1, ['run 1']])
  })

  for (const applies of [false, true])
    it(`sends an answer once whose mark is refused${applies ? ' after it took effect' : ''}`, async () => {
      const store = new AwayStore()
      const bot = await start(store)
      store.away.add('startSending')
      store.applies = applies
      await bot.hear('/count')
      await until(() => store.refused.length > 0)
      expect(bot.texts).to.deep.equal([])
      await comeBack(store, bot)
      await until(() => bot.chat.counters.sent === 1)
      expect(bot.texts).to.deep.equal(['run 1'])
      expect(await rows(bot)).to.deep.equal(['in handled', 'out sent'])
    })

  for (const applies of [false, true])
    it(`writes an outcome later that is refused${applies ? ' after it took effect' : ''}`, async () => {
      const store = new AwayStore()
      const bot = await start(store)
      store.away.add('finishSending')
      store.applies = applies
      await bot.hear('/count')
      await until(() => store.refused.length > 0)
      expect(bot.texts).to.deep.equal(['run 1'])
      await comeBack(store, bot)
      expect(await rows(bot)).to.deep.equal(['in handled', 'out sent'])
      expect(bot.texts).to.deep.equal(['run 1'])
    })

  it('refuses a message of a caller that can repeat it', async () => {
    const store = new AwayStore()
    const bot = await start(store)
    store.away.add('addIntent')
    const failure = await bot.chat.send('test', 'one', ann, 'hi').then(
      () => '',
      (error: WireError) => error.code,
    )
    expect([failure, bot.texts]).to.deep.equal(['not_ready', []])
    await comeBack(store, bot)
    expect(bot.texts).to.deep.equal([])
  })

  for (const [what, isLater, ends] of [
    ['ends a draft that may be shown whole only when its outcome is stored', true, 'upstream_unavailable:unknown'],
    ['leaves a draft to its owner where its outcome is not stored until the stop', false, 'not_ready'],
  ] as const)
    it(what, async () => {
      const store = new AwayStore()
      const lost: string[] = []
      const bot = await platforms.start({
        plugins: [{ plugin: store.plugin }],
        bot: { edit: async () => {} },
        send: async (_target, message) => {
          lost.push(message.text)
          throw new Error('socket hang up')
        },
      })
      const draft = await bot.chat.draft('test', 'one', ann, { key: 'turn/1' })
      draft?.update('whole')
      await until(() => lost.length === 1)
      store.away.add('finishSending')
      let code: unknown
      void draft?.end('whole').catch((error: WireError) => {
        code = error.code
      })
      await until(() => store.refused.length > 0)
      expect([code, await rows(bot)]).to.deep.equal([undefined, ['out draft']])
      await (isLater ? comeBack(store, bot) : bot.stop())
      await until(() => code !== undefined)
      expect([code, lost]).to.deep.equal([ends, ['whole']])
      if (isLater) expect(await rows(bot)).to.deep.equal(['out unknown'])
    })
})
