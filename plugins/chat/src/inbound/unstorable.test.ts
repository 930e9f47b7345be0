import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { WireError } from '@mynah/contract'
import { MessageStore, type InboundRecord } from '../api.js'
import { MemoryMessageStore } from '../store/memory-store.js'
import { eachTest, type Platform } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

/** A store that has no place for characters beyond ASCII, as a database in another encoding. */
class AsciiStore extends MemoryMessageStore {
  constructor() {
    const clock = new TestClock()
    super(undefined, () => clock.now())
  }

  #check(...values: readonly unknown[]): void {
    JSON.stringify(values, (_name, value: unknown) => {
      if (typeof value === 'string' && /[^ -~]/.test(value))
        throw new WireError('invalid_request', 'A value is missing or does not match the type of its column')
      return value
    })
  }

  override accept(record: InboundRecord, ...rest: never[]): ReturnType<MemoryMessageStore['accept']> {
    const { messageId, channel, sender, text } = record
    this.#check(messageId, channel, sender, text)
    return super.accept(record, ...rest)
  }
  override changeMessage(
    ...given: Parameters<MemoryMessageStore['changeMessage']>
  ): ReturnType<MemoryMessageStore['changeMessage']> {
    const [place, decide, eventOf] = given
    const checked: typeof decide = (row) => {
      const change = decide(row)
      this.#check(change?.text, change?.reactions)
      return change
    }
    return super.changeMessage(place, checked, eventOf)
  }
  override addNotice(
    ...given: Parameters<MemoryMessageStore['addNotice']>
  ): ReturnType<MemoryMessageStore['addNotice']> {
    this.#check(given[1])
    return super.addNotice(...given)
  }
  override addRequest(
    ...given: Parameters<MemoryMessageStore['addRequest']>
  ): ReturnType<MemoryMessageStore['addRequest']> {
    this.#check(given[1])
    return super.addRequest(...given)
  }

  get plugin(): AnyPlugin {
    return definePlugin({
      name: 'ascii-store',
      provides: [MessageStore],
      setup: (ctx) => void ctx.provide(MessageStore, this),
    }) as unknown as AnyPlugin
  }
}

describe('A message that the store can never take', () => {
  const platforms = eachTest()
  let bot: Platform
  beforeEach(async () => {
    bot = await platforms.start({
      adapter: { acknowledges: 'after-store' },
      plugins: [{ plugin: new AsciiStore().plugin }],
    })
  })
  const account = () => {
    const found = bot.accounts.get('one')
    if (!found) throw new Error('the account is connected')
    return found
  }
  const rows = () => bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 9 })
  const errors = (): string[] => bot.log.filter(({ level }) => level === 'error').map(({ message }) => message)
  const reason = 'A value is missing or does not match the type of its column'

  it('is kept in ASCII with the reason, and neither handled nor taken twice; what follows is handled', async () => {
    await bot.hear('/help 🎉', { id: 'm1' })
    await bot.hear('/help 🎉', { id: 'm1' })
    await bot.hear('/help', { id: 'm2' })
    await bot.handled('m2')
    const inbound = (await rows()).filter(({ direction }) => direction === 'in')
    expect(inbound.map(({ messageId, text }) => [messageId, text])).to.deep.equal([
      ['m1', `[not stored: ${reason}] /help \\ud83c\\udf89`],
      ['m2', '/help'],
    ])
    expect(bot.steps('m1').at(-1)).to.equal('intake stored')
    expect(errors()[0]).to.equal(`a message can never be stored and is set aside: ${reason}`)
  })

  it('is kept by ids in ASCII where the ids are the cause', async () => {
    await bot.hear('hi', { id: 'm\0', sender: { id: 'ä', name: 'Änn' }, channel: { type: 'private', id: 'ann' } })
    const [row] = await rows()
    expect(row).to.include({ messageId: 'm\\u0000' })
    expect(row?.direction === 'in' && row.sender).to.deep.equal({ id: '\\u00e4', name: '\\u00e4' })
  })

  it('is named in the log where it is a change, a reaction, a notice or a request', async () => {
    await bot.hear('hi', { id: 'm1' })
    await account().changed({ messageId: 'm1', channel: ann, content: 'hí', operator: { id: 'ann' } })
    await account().reaction({ messageId: 'm1', channel: ann, sender: { id: 'ann' }, emoji: '👍', added: true })
    await account().notice({ id: 'n', kind: 'poke', channel: ann, payload: { text: 'é' } })
    await account().request({ id: 'r', kind: 'friend', sender: { id: 'ben' }, comment: 'é' })
    expect(errors().map((line) => line.split(' can')[0])).to.deep.equal([
      'the change of a message',
      'a reaction',
      'a notice',
      'a request',
    ])
    expect((await rows()).map(({ text }) => text)).to.deep.equal(['hi'])
  })
})
