import { expect } from 'chai'
import { eachTest } from './test/support.js'

describe('Chat.ownerChannel', () => {
  const platforms = eachTest()
  const ownerOf = async (endpoints: readonly Record<string, unknown>[]) => {
    const bot = await platforms.start({
      config: { endpoints: endpoints.map((item) => ({ adapter: 'test', ...item })) },
    })
    return bot.chat.ownerChannel()
  }

  it('returns the private chat with the first master of the first endpoint that has one', async () => {
    expect(
      await ownerOf([{ id: 'one' }, { id: 'two', master: ['ann', 'bob'] }, { id: 'three', master: 'cid' }]),
    ).to.deep.equal({
      adapter: 'test',
      endpoint: 'two',
      channel: { type: 'private', id: 'ann' },
    })
  })

  it('returns undefined where no endpoint has a master', async () => {
    expect(await ownerOf([{ id: 'one', trusted: 'ann' }])).to.equal(undefined)
  })
})
