import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import {
  defineCommand,
  MessageStore,
  SendError,
  type EndpointKey,
  type InboundRecord,
  type InboundRecoveryPolicy,
  type InterruptedNotes,
  type OutboundRecord,
  type RecoveredSends,
} from './api.js'
import { MemoryMessageStore } from './store/memory-store.js'
import { TestClock } from '@mynah/kernel/testing'
import { eachTest, until } from './test/support.js'

const ann = { type: 'private', id: 'ann' } as const

/** A store with intents that an earlier process left. */
class LeftStore extends MemoryMessageStore {
  #left: OutboundRecord[] = []

  leave(segments: OutboundRecord['segments'], text: string, key: string): void {
    const record = {
      id: this.newId(),
      adapter: 'test',
      endpoint: 'one',
      channel: ann,
      segments,
      text,
      timestamp: 0,
      key,
    }
    super.addIntent(record)
    this.#left.push(record)
  }

  override recoverOutbound(): RecoveredSends {
    return { intents: this.#left.splice(0), ended: [] }
  }

  get plugin(): AnyPlugin {
    return definePlugin({
      name: 'left-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, this),
    }) as unknown as AnyPlugin
  }
}

/** A store with messages that an earlier process was handling. */
class InterruptedStore extends LeftStore {
  readonly asked: { readonly mayRepeat: boolean; readonly notes: InterruptedNotes }[] = []
  readonly #records: readonly InboundRecord[]

  constructor(records: readonly InboundRecord[]) {
    super()
    this.#records = records
  }

  override recoverInbound(_key?: EndpointKey, policy?: InboundRecoveryPolicy): readonly InboundRecord[] {
    if (!policy) return []
    for (const record of this.#records)
      this.asked.push({ mayRepeat: policy.mayRepeat(record), notes: policy.notesOf(record, 'a stop') })
    return this.#records
  }
}

describe('Recovery', () => {
  const platforms = eachTest()

  it('sends the intents that a stop left, and ends one without content as failed', async () => {
    const store = new LeftStore()
    store.leave([], '', 'draft')
    store.leave([{ type: 'text', data: { text: 'hello' } }], 'hello', 'message')
    const bot = await platforms.start({ plugins: [{ plugin: store.plugin }] })
    await until(() => bot.texts.includes('hello'))
    expect(bot.texts).to.deep.equal(['hello'])
    const rows = await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 5 })
    expect(rows.map(({ text, state, error }) => [text, state, error])).to.deep.equal([
      ['', 'failed', 'The message is empty'],
      ['hello', 'sent', undefined],
    ])
  })

  it('sends a message that went back to waiting while its endpoint came online again', async () => {
    let isOnline!: Promise<unknown>
    class SlowStore extends MemoryMessageStore {
      override async requeue(id: string): Promise<void> {
        await isOnline
        super.requeue(id)
      }
    }
    // Nothing gets too old in it.
    const store = new SlowStore(undefined, () => 0)
    const keeping = definePlugin({
      name: 'slow-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, store),
    }) as unknown as AnyPlugin
    const bot = await platforms.start({
      plugins: [keeping],
      send: async (_target, _message, attempt) => {
        if (attempt > 1) return
        bot.accounts.get('one')?.lost(new Error('connection reset'))
        isOnline = until(async () => {
          await bot.clock.advance(1_000)
          return bot.chat.endpoints().every(({ status }) => status === 'online')
        })
        throw new SendError('offline', 'the platform is unavailable')
      },
    })
    await bot.chat.send('test', 'one', ann, 'hello', { key: 'k' })
    expect(bot.texts).to.deep.equal([])
    await bot.clock.advance(5_000)
    await until(() => bot.texts.length === 1)
    expect(bot.texts).to.deep.equal(['hello'])
  })

  const left = (messageId: string, text: string, rest: Partial<InboundRecord> = {}): InboundRecord => ({
    id: `row-${messageId}`,
    adapter: 'test',
    endpoint: 'one',
    messageId,
    channel: ann,
    sender: { id: 'ann' },
    segments: [{ type: 'text', data: { text } }],
    text,
    mentioned: false,
    timestamp: new TestClock().now(),
    ...rest,
  })

  /** Starts a host whose store has messages that an earlier process was handling. */
  async function recover(records: readonly InboundRecord[]) {
    const store = new InterruptedStore(records)
    const once = defineCommand({ name: 'once', description: 'runs once', run: () => 'ran' })
    const again = defineCommand({ name: 'again', description: 'may repeat', repeatable: true, run: () => 'ran again' })
    const bot = await platforms.start({ commands: [once, again], plugins: [{ plugin: store.plugin }] })
    await until(() => store.asked.length > 0)
    return { bot, store, asked: store.asked }
  }

  it('handles commands again that may be repeated, and no other message', async () => {
    const { asked } = await recover([left('1', '/again'), left('2', '/once'), left('3', 'hello')])
    expect(asked.map(({ mayRepeat }) => mayRepeat)).to.deep.equal([true, false, false])
  })

  it('tells each sender who waits for a reply, once in each channel', async () => {
    const group = { type: 'group', id: 'g' } as const
    const { asked } = await recover([
      left('1', '/once'),
      left('2', 'hello'),
      left('3', 'only talk', { channel: group }),
      left('4', 'hey bot', { channel: group, mentioned: true }),
      left('5', '你好', { sender: { id: 'bo', locale: 'zh-CN' } }),
    ])
    expect(asked.map(({ notes }) => notes.notice?.text)).to.deep.equal([
      'The host stopped while your message was being handled. Please say it again.',
      undefined,
      undefined,
      'The host stopped while your message was being handled. Please say it again.',
      '处理你的消息时主机停止了，请再说一遍。',
    ])
    expect(asked[0]?.notes.notice).to.include({ key: 'interrupted:row-1', answers: 'row-1', replyTo: '1' })
  })

  it('counts and logs what a stop interrupted', async () => {
    const { bot } = await recover([left('1', '/once'), left('2', 'hello')])
    await until(() => bot.chat.counters.interrupted > 0)
    expect(bot.chat.counters.interrupted).to.equal(2)
    expect(bot.log.map(({ message }) => message)).to.include('2 messages were interrupted by the last stop')
  })
})
