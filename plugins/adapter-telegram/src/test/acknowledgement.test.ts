import { expect } from 'chai'
import { until, TelegramHost } from './telegram-host.js'

describe('Acknowledgement of updates', () => {
  let telegramHost: TelegramHost
  beforeEach(async () => {
    telegramHost = await TelegramHost.start({}, { unreliableStore: true })
    await telegramHost.online()
  })
  afterEach(() => telegramHost.stop())

  it('waits until the store is available, and passes each update on once', async () => {
    const user = telegramHost.api.user({ userId: 7, chatId: 7 })
    telegramHost.storeAvailable = false
    await user.sendMessage(user.makeMessage('first'))
    await user.sendMessage(user.makeMessage('second'))
    await until(() => telegramHost.clock.waits.includes(2000), 'some attempts')
    expect(telegramHost.messages).to.be.empty
    expect(Math.max(...telegramHost.api.offsets)).to.be.at.most(1)
    telegramHost.storeAvailable = true
    await until(() => telegramHost.messages.length === 2, 'both messages')
    expect(telegramHost.messages.map(({ text }) => text)).to.deep.equal(['first', 'second'])
    await until(() => telegramHost.api.offsets.at(-1) === 3, 'the confirmation')
    expect(
      telegramHost.log.filter(({ message }) => message.includes('failed to accept an update, trying again')).length,
    ).to.equal(1)
  })

  it('confirms the offset when the bot stops', async () => {
    const user = telegramHost.api.user({ userId: 7, chatId: 7 })
    await user.sendMessage(user.makeMessage('last'))
    await until(() => telegramHost.messages.length === 1, 'the message')
    await telegramHost.host.stop()
    expect(telegramHost.api.offsets.at(-1)).to.equal(2)
  })

  it('ignores updates that cannot be parsed', async () => {
    telegramHost.api.push({
      message: { text: 'x', chat: null, from: { id: 7, is_bot: false, first_name: 'A' } },
    } as never)
    telegramHost.api.push({ poll: { id: '1' } } as never)
    telegramHost.api.push({
      message: {
        message_id: 1,
        date: 1,
        chat: { id: 7, type: 'private' },
        from: { id: 7, is_bot: false, first_name: 'A' },
        text: 'after',
      },
    } as never)
    await until(() => telegramHost.messages.length === 1, 'the message after')
    expect(telegramHost.log.some(({ message }) => message.includes('failed to parse the update'))).to.equal(true)
  })
})
