import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { MessageStore, type OutboundRecord, type RecoveredSends } from './api.js'
import { MemoryMessageStore } from './store/memory-store.js'
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
})
