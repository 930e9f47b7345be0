import { expect } from 'chai'
import {
  conversationKey,
  conversations,
  firstUnreadOf,
  fromEvent,
  linesOf,
  reactionsOf,
  type Message,
} from './model.js'

const HOUR = 3_600_000

const NOON = new Date(2026, 0, 10, 12).getTime()

const message = (id: string, at: number, more: Partial<Message> = {}): Message => ({
  id,
  messageId: id,
  adapter: 'irc',
  endpoint: 'libera',
  sender: { id: 'bob', name: 'bob' },
  channel: { type: 'group', id: '#a', name: '#a' },
  content: id,
  text: id,
  direction: 'in',
  state: 'handled',
  read: true,
  timestamp: NOON + at,
  ...more,
})

describe('conversations', () => {
  it('are one per channel and endpoint, newest first, with unread counts', () => {
    const found = conversations([
      message('1', 0, { read: false }),
      message('2', 1, { read: false }),
      message('3', 5, { direction: 'out', read: false }),
      message('4', 2, { channel: { type: 'group', id: '#b', name: '#b' } }),
      message('5', 9, { endpoint: 'oftc' }),
      message('6', 3, { channel: { type: 'private', id: 'bob' } }),
    ])
    expect(found.map((talk) => [talk.endpoint, talk.name, talk.unread])).to.deep.equal([
      ['oftc', '#a', 0],
      ['libera', '#a', 2],
      ['libera', 'bob', 0],
      ['libera', '#b', 0],
    ])
  })

  it('of guilds with the same channel name are separate, and carry both names', () => {
    const inGuild = (id: string, guild: string) =>
      message(id, 0, {
        channel: { type: 'channel', id: 'general', name: 'general', parent: { type: 'guild', id: guild, name: guild } },
      })
    const [one, two] = [inGuild('1', 'town'), inGuild('2', 'city')]
    expect(conversationKey(one)).to.not.equal(conversationKey(two))
    expect(
      conversations([one, two])
        .map((talk) => talk.name)
        .sort(),
    ).to.deep.equal(['city / general', 'town / general'])
  })

  it('that are threads are below their chat, which is where its newest message belongs', () => {
    const group = (id: string, parent?: string) => ({
      channel: { type: 'group' as const, id, ...(parent && { parent: { type: 'group' as const, id: parent } }) },
    })
    const inGuild = (id: string) => ({
      channel: { type: 'channel' as const, id, parent: { type: 'guild' as const, id: 'town' } },
    })
    const found = conversations([
      message('1', 1, group('g')),
      message('2', 9, group('g:7', 'g')),
      message('3', 3, group('g:8', 'g')),
      message('4', 5, group('h')),
      message('5', 4, inGuild('general')),
      message('6', 8, inGuild('general:5')),
      message('7', 2, group('lost:1', 'lost')),
    ])
    expect(found.map(({ channel, chat }) => [channel.id, chat !== undefined])).to.deep.equal([
      ['g', false],
      ['g:7', true],
      ['g:8', true],
      ['general', false],
      ['general:5', true],
      ['h', false],
      ['lost:1', false],
    ])
  })

  it('keep the name of the person when the bot replies in private', () => {
    const channel = { type: 'private' as const, id: '77' }
    expect(
      conversations([
        message('1', 0, { channel, sender: { id: '77', name: 'Jonas' } }),
        message('2', 1, { channel, direction: 'out', sender: { id: 'b', name: 'bot' } }),
      ])[0]?.name,
    ).to.equal('Jonas')
  })

  it('have keys that support any id', () => {
    expect(conversationKey(message('1', 0, { channel: { type: 'group', id: 'a/b#c' } }))).to.equal(
      'irc/libera/group//a%2Fb%23c',
    )
  })
})

describe('a conversation', () => {
  it('groups messages of one person within five minutes, and marks days and unread messages', () => {
    const rows = [
      message('1', -24 * HOUR),
      message('2', 0),
      message('3', 60_000),
      message('4', 10 * 60_000),
      message('5', 11 * 60_000, { sender: { id: 'eve', name: 'eve' }, read: false }),
      message('6', 12 * 60_000, { sender: { id: 'eve', name: 'eve' }, read: false }),
    ]
    const shape = linesOf([...rows].reverse(), firstUnreadOf(rows)).map((line) => {
      if (line.kind === 'group') return line.messages.map((item) => item.id).join('+')
      return line.kind === 'unread' ? `unread ${line.count}` : 'day'
    })
    expect(shape).to.deep.equal(['day', '1', 'day', '2+3', '4', 'unread 2', '5+6'])
  })

  it('has no unread mark if all messages are read', () => {
    expect(firstUnreadOf([message('1', 0), message('2', 1, { direction: 'out', read: false })])).to.equal(undefined)
    expect(linesOf([], undefined)).to.deep.equal([])
  })
})

describe('inbox events', () => {
  it('are converted to rows with their endpoint, or rejected', () => {
    expect(fromEvent<Message>({ adapter: 'irc', endpoint_id: 'libera', id: '1', text: 'hi' })).to.deep.include({
      adapter: 'irc',
      endpoint: 'libera',
      id: '1',
    })
    for (const data of [null, 'x', {}, { adapter: 1, endpoint_id: 'a', id: 'b' }, { adapter: 'a', id: 'b' }])
      expect(fromEvent(data)).to.equal(undefined)
  })
})

describe('reactions', () => {
  it('are counted by emoji, with the names of the people', () => {
    const by = (emoji: string, id: string, name?: string) => ({ emoji, sender: { id, ...(name && { name }) } })
    expect(reactionsOf({ reactions: [by('👍', 'a', 'Ann'), by('🎉', 'b'), by('👍', 'c')] })).to.deep.equal([
      { emoji: '👍', people: ['Ann', 'c'] },
      { emoji: '🎉', people: ['b'] },
    ])
    expect(reactionsOf({})).to.deep.equal([])
  })
})
