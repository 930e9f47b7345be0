import { expect } from 'chai'
import type { ChatMessage } from './model.js'
import { sentTexts } from './use-composer.js'

const message = (text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  messageId: text,
  channel: { type: 'private', id: 'alice' },
  sender: { id: 'alice' },
  content: text,
  text,
  direction: 'in',
  timestamp: 1,
  ...more,
})

describe('sentTexts', () => {
  it('returns the texts of a user, newest first, without repetitions in a row', () => {
    const messages = [
      message('one'),
      message('two'),
      message('answer', { direction: 'out' }),
      message('two'),
      message('other', { sender: { id: 'bob' } }),
      message(''),
      message('one'),
    ]
    expect(sentTexts(messages, 'alice')).to.deep.equal(['one', 'two', 'one'])
  })
})
