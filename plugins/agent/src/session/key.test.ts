import { expect } from 'chai'
import { sessionKey } from './key.js'

describe('sessionKey', () => {
  it('has the guild of a channel, and every part percent-encoded', () => {
    const channel = { type: 'channel', id: 'a|b', parent: { type: 'guild', id: 'town' } } as const
    expect(sessionKey('chat', 'one', channel)).to.equal('chat|one|channel|town/a%7Cb')
  })

  it('of a thread is the same whether its chat is known or not', () => {
    const thread = { type: 'group', id: '-1001:42' } as const
    const key = 'telegram|bot|group|-1001%3A42'
    expect(sessionKey('telegram', 'bot', thread)).to.equal(key)
    expect(sessionKey('telegram', 'bot', { ...thread, parent: { type: 'group', id: '-1001' } })).to.equal(key)
  })
})
