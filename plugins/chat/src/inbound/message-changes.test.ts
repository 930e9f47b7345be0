import { expect } from 'chai'
import type { Publication } from '@mynah/plugin-events/api'
import { publish } from '@mynah/plugin-events/api'
import type { MessageRow } from '@mynah/contract/types'
import {
  noticeReceive,
  reactionReceive,
  type EndpointHandle,
  type InboundChange,
  type InboundNotice,
  type InboundReaction,
} from '../api.js'
import { eachTest, type Platform } from '../test/support.js'

const ann = { type: 'private', id: 'ann' } as const

describe('MessageChanges', () => {
  const platforms = eachTest()
  let bot: Platform
  let notices: InboundNotice[]
  let reactions: InboundReaction[]
  let events: Publication[]

  beforeEach(async () => {
    notices = []
    reactions = []
    events = []
    bot = await platforms.start({
      setup: (ctx) => {
        ctx.on(noticeReceive, (notice) => void notices.push(notice))
        ctx.on(reactionReceive, (reaction) => void reactions.push(reaction))
        ctx.on(publish, (event) => void events.push(event))
      },
    })
  })

  const account = (): EndpointHandle => bot.accounts.get('one') as EndpointHandle
  const changed = (more: Partial<InboundChange>) => account().changed({ messageId: 'm1', channel: ann, ...more })
  const react = (more: Partial<InboundReaction> = {}) =>
    account().reaction({ messageId: 'm1', channel: ann, sender: { id: 'bo' }, emoji: '👍', added: true, ...more })
  const row = async (): Promise<MessageRow> =>
    (await bot.chat.transcript({ adapter: 'test', endpoint: 'one', channel: ann, limit: 9 }))[0] as MessageRow
  const published = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)

  it('stores an edit, publishes it, and does not handle it', async () => {
    await bot.say('hello')
    const handled = bot.chat.counters.received
    await changed({ content: '/help', timestamp: 5_000 })
    const { text, content, editedAt, state } = await row()
    expect({ text, editedAt, state }).to.deep.equal({ text: '/help', editedAt: 5_000, state: 'handled' })
    expect(content).to.deep.equal([{ type: 'text', data: { text: '/help' } }])
    expect([bot.chat.counters.received, bot.texts]).to.deep.equal([handled, []])
    expect(published('endpoint:messageChanged')).to.have.length(1)
    expect(published('endpoint:messageChanged')[0]).to.include({ endpointId: 'one', text: '/help', editedAt: 5_000 })
    expect(notices.map(({ kind, payload }) => [kind, payload])).to.deep.equal([
      ['message-edit', { messageId: 'm1', content: [{ type: 'text', data: { text: '/help' } }], text: '/help' }],
    ])
  })

  it('marks a deleted message and keeps its content', async () => {
    await bot.say('hello')
    await changed({ deleted: true, timestamp: 6_000 })
    await changed({ content: 'late edit', timestamp: 7_000 })
    expect(await row()).to.include({ text: 'hello', deletedAt: 6_000 })
    expect(notices[0]).to.deep.include({ kind: 'message-delete', payload: { messageId: 'm1' } })
  })

  it('ignores an edit that is older than the last one, and reports a repeated one once', async () => {
    await bot.say('hello')
    await changed({ content: 'new', timestamp: 6_000 })
    await changed({ content: 'old', timestamp: 5_000 })
    await changed({ content: 'new', timestamp: 6_000 })
    expect(await row()).to.include({ text: 'new', editedAt: 6_000 })
    expect(notices.map(({ timestamp }) => timestamp)).to.deep.equal([6_000, 5_000])
  })

  it('lets only the sender change a message, unless the platform vouches for it', async () => {
    await bot.say('hello')
    await changed({ content: 'forged', operator: { id: 'eve' } })
    await changed({ deleted: true, operator: { id: 'eve' } })
    expect(await row()).to.not.have.any.keys('editedAt', 'deletedAt')
    expect([notices, published('endpoint:messageChanged')]).to.deep.equal([[], []])
    await changed({ content: 'mine', operator: { id: 'ann' }, timestamp: 5_000 })
    expect(await row()).to.include({ text: 'mine', editedAt: 5_000 })
    await changed({ deleted: true, operator: { id: 'moderator' }, vouched: true, timestamp: 6_000 })
    expect(await row()).to.include({ deletedAt: 6_000 })
  })

  it('lets only the bot change its own message', async () => {
    const { messageId } = await bot.chat.send('test', 'one', ann, 'mine')
    await changed({ messageId, content: 'forged', operator: { id: 'ann' } })
    expect((await row()).text).to.equal('mine')
    await changed({ messageId, content: 'better', operator: { id: 'bot' } })
    expect((await row()).text).to.equal('better')
  })

  it('takes no local files or components from an edit', async () => {
    await bot.say('hello')
    await changed({
      content: [
        { type: 'component', data: { name: 'x' } },
        { type: 'image', data: { file: '/etc/passwd' } },
      ],
    })
    expect((await row()).content).to.deep.equal([{ type: 'image', data: { fileId: '/etc/passwd' } }])
  })

  it('reports a change of a message that is not stored', async () => {
    await changed({ content: 'new' })
    await react()
    expect(notices.map(({ kind }) => kind)).to.deep.equal(['message-edit'])
    expect(published('endpoint:reaction')).to.have.length(1)
    expect(published('endpoint:messageChanged')).to.deep.equal([])
  })

  it('stores reactions once for each person and emoji, and takes them away', async () => {
    await bot.say('hello')
    await react()
    await react()
    await react({ sender: { id: 'cy', name: 'Cy' } })
    await react({ emoji: '🎉' })
    expect((await row()).reactions).to.deep.equal([
      { emoji: '👍', sender: { id: 'bo' } },
      { emoji: '👍', sender: { id: 'cy', name: 'Cy' } },
      { emoji: '🎉', sender: { id: 'bo' } },
    ])
    await react({ added: false })
    await react({ added: false })
    expect((await row()).reactions).to.have.length(2)
    expect(reactions.map(({ emoji, added }) => [emoji, added])).to.deep.equal([
      ['👍', true],
      ['👍', true],
      ['🎉', true],
      ['👍', false],
    ])
    expect(published('endpoint:reaction')).to.have.length(4)
  })

  it('stores the newest hundred reactions, and none whose name is no emoji', async () => {
    await bot.say('hello')
    for (let index = 0; index < 105; index++) await react({ sender: { id: `u${index}` } })
    await react({ emoji: 'x'.repeat(129) })
    await react({ emoji: '' })
    const stored = (await row()).reactions ?? []
    expect([stored.length, stored[0]?.sender.id, stored.at(-1)?.sender.id]).to.deep.equal([100, 'u5', 'u104'])
  })

  describe('cursors', () => {
    it('are written with messages, changes and reactions, and by themselves', async () => {
      const { cursor, receive, changed: change, reaction } = account()
      expect(await cursor.get('next')).to.equal(undefined)
      await receive({ id: 'm1', channel: ann, sender: { id: 'ann' }, content: 'hi' }, { cursor: { next: '1' } })
      expect(await cursor.get('next')).to.equal('1')
      await change({ messageId: 'm1', channel: ann, content: 'ho' }, { cursor: { next: '2' } })
      expect(await cursor.get('next')).to.equal('2')
      const sender = { id: 'bo' }
      await reaction({ messageId: 'm1', channel: ann, sender, emoji: '👍', added: true }, { cursor: { next: '3' } })
      expect(await cursor.get('next')).to.equal('3')
      await cursor.set({ next: '4' })
      expect(await cursor.get('next')).to.equal('4')
    })

    it('are refused where they are too long, with the message that they come with', async () => {
      const { cursor, receive } = account()
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => '',
          (error: Error) => error.message,
        )
      const message = { id: 'm1', channel: ann, sender: { id: 'ann' }, content: 'hi' }
      const long = '漢'.repeat(1_366)
      expect(await failure(receive(message, { cursor: { next: long } }))).to.equal(
        'The cursor "next" is longer than 4096 bytes',
      )
      expect(await failure(cursor.set({ ['n'.repeat(257)]: '' }))).to.match(/name of a cursor/)
      expect([await cursor.get('next'), bot.chat.counters.received]).to.deep.equal([undefined, 0])
    })
  })
})
