import { expect } from 'chai'
import {
  channelKey,
  mergeHistory,
  messageRows,
  parseSegments,
  truncate,
  upsertMessage,
  type ChatMessage,
} from './model.js'

const noon = new Date(2026, 0, 5, 12).getTime()
const message = (messageId: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  messageId,
  channel: { type: 'private', id: 'alice' },
  sender: { id: 'alice' },
  content: messageId,
  text: messageId,
  direction: 'in',
  timestamp: 1,
  ...more,
})
const ids = (messages: readonly ChatMessage[]): string[] =>
  messages.map(({ messageId, state }) => (state ? `${messageId} ${state}` : messageId))

describe('upsertMessage', () => {
  it('replaces a known message at its position, and adds others at the end', () => {
    const messages = [message('a', { state: 'sending' }), message('b')]
    expect(ids(upsertMessage(messages, message('a')))).to.deep.equal(['a', 'b'])
    expect(ids(upsertMessage(messages, message('c')))).to.deep.equal(['a sending', 'b', 'c'])
  })
})

describe('mergeHistory', () => {
  it('keeps messages that the host does not have, and failures', () => {
    const messages = [
      message('old'),
      message('failed', { state: 'failed', error: 'no' }),
      message('going', { state: 'sending' }),
    ]
    expect(ids(mergeHistory([message('old'), message('failed')], messages))).to.deep.equal([
      'old',
      'failed failed',
      'going sending',
    ])
  })

  it('drops the oldest of very many messages', () => {
    const many = Array.from({ length: 600 }, (_, index) => message(String(index)))
    expect(mergeHistory(many, [])).to.have.length(500)
    expect(mergeHistory(many, [])[0]?.messageId).to.equal('100')
  })
})

describe('channelKey', () => {
  it('differs for channels of two guilds', () => {
    const channel = (id: string) => ({ type: 'channel', id: 'general', parent: { type: 'guild', id } }) as const
    expect(channelKey(channel('town'))).not.to.equal(channelKey(channel('village')))
  })
})

describe('truncate', () => {
  it('returns one line of limited length', () => {
    expect(truncate('a\n b')).to.equal('a b')
    expect(truncate('x'.repeat(100), 10)).to.equal(`${'x'.repeat(9)}…`)
  })
})

describe('parseSegments', () => {
  it('returns valid segments', () => {
    expect(parseSegments('[{"type":"at","data":{"id":"bob"}}]')).to.deep.equal({
      segments: [{ type: 'at', data: { id: 'bob' } }],
    })
  })

  it('reports the mistakes in others', () => {
    expect(parseSegments('[')).to.have.nested.property('error.kind', 'json')
    for (const text of ['{}', '[]', 'null', '"hi"'])
      expect(parseSegments(text), text).to.deep.equal({ error: { kind: 'list' } })
    for (const part of [
      'null',
      '{"type":"text"}',
      '{"type":"","data":{}}',
      '{"type":1,"data":{}}',
      '{"type":"text","data":[]}',
    ]) {
      expect(parseSegments(`[{"type":"text","data":{}},${part}]`), part).to.deep.equal({
        error: { kind: 'segment', index: 1 },
      })
    }
  })
})

const sentAt = (messageId: string, seconds: number, more: Partial<ChatMessage> = {}): ChatMessage =>
  message(messageId, { timestamp: noon + seconds * 1000, ...more })

describe('messageRows', () => {
  const grouped = (messages: readonly ChatMessage[], starts: readonly number[] = []): string =>
    messageRows(messages, starts)
      .map(({ showsSender, message: { messageId } }) => (showsSender ? messageId.toUpperCase() : messageId))
      .join('')

  it('shows the sender once for messages within five minutes', () => {
    expect(
      grouped([
        sentAt('a', 0),
        sentAt('b', 60),
        sentAt('c', 61, { sender: { id: 'bob' } }),
        sentAt('d', 62, { direction: 'out' }),
        sentAt('e', 63, { direction: 'out' }),
        sentAt('f', 400, { direction: 'out' }),
      ]),
    ).to.equal('AbCDeF')
  })

  it('marks a new day and a restart of the host', () => {
    const rows = messageRows([sentAt('a', 0), sentAt('b', 10), sentAt('c', 86_400)], [noon + 5_000, noon - 99_000])
    expect(rows.map(({ restart, day }) => [restart, day])).to.deep.equal([
      [undefined, undefined],
      [noon + 5_000, undefined],
      [undefined, noon + 86_400_000],
    ])
    expect(grouped([sentAt('a', 0), sentAt('b', 10)], [noon + 5_000])).to.equal('AB')
  })
})
