import { expect } from 'chai'
import { until, World } from './world.js'

describe('Acknowledgement of updates', () => {
  let world: World
  beforeEach(async () => {
    world = await World.start({}, { fickle: true })
    await world.online()
  })
  afterEach(() => world.stop())

  it('waits until the store is available, and passes each update on once', async () => {
    const user = world.api.user({ userId: 7, chatId: 7 })
    world.keeps = false
    await user.sendMessage(user.makeMessage('first'))
    await user.sendMessage(user.makeMessage('second'))
    await until(() => world.clock.waits.includes(2000), 'some attempts')
    expect(world.heard).to.be.empty
    expect(Math.max(...world.api.offsets)).to.be.at.most(1)
    world.keeps = true
    await until(() => world.heard.length === 2, 'both messages')
    expect(world.heard.map(({ text }) => text)).to.deep.equal(['first', 'second'])
    await until(() => world.api.offsets.at(-1) === 3, 'the confirmation')
    expect(
      world.log.filter(({ message }) => message.includes('failed to accept an update, trying again')).length,
    ).to.equal(1)
  })

  it('confirms the offset when the bot stops', async () => {
    const user = world.api.user({ userId: 7, chatId: 7 })
    await user.sendMessage(user.makeMessage('last'))
    await until(() => world.heard.length === 1, 'the message')
    await world.host.stop()
    expect(world.api.offsets.at(-1)).to.equal(2)
  })

  it('ignores updates that cannot be parsed', async () => {
    world.api.push({ message: { text: 'x', chat: null, from: { id: 7, is_bot: false, first_name: 'A' } } } as never)
    world.api.push({ poll: { id: '1' } } as never)
    world.api.push({
      message: {
        message_id: 1,
        date: 1,
        chat: { id: 7, type: 'private' },
        from: { id: 7, is_bot: false, first_name: 'A' },
        text: 'after',
      },
    } as never)
    await until(() => world.heard.length === 1, 'the message after')
    expect(world.log.some(({ message }) => message.includes('failed to parse the update'))).to.equal(true)
  })
})
