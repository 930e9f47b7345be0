import { expect } from 'chai'
import type { Message, MessageEntity, UserFromGetMe } from 'grammy/types'
import { inboundOf } from './inbound.js'

const me = { id: 666, is_bot: true, first_name: 'Mynah', username: 'mynah_bot' } as UserFromGetMe
const alice = { id: 7, is_bot: false, first_name: 'Alice', last_name: 'Liddell', language_code: 'zh-hans' }
const group = { id: -1001, type: 'supergroup', title: 'Tea party' }
const made = (fields: object): Message =>
  ({ message_id: 5, date: 1_700_000_000, chat: group, from: alice, ...fields }) as unknown as Message
const said = (text: string, entities: MessageEntity[] = [], fields: object = {}) =>
  inboundOf(made({ text, entities, ...fields }), me)
const entity = (text: string, words: string, type: string, more: object = {}): MessageEntity =>
  ({ type, offset: text.indexOf(words), length: words.length, ...more }) as MessageEntity

describe('inboundOf', () => {
  it('makes an id that is unique beyond the chat, with sender and channel', () => {
    expect(said('hi')).to.deep.equal({
      id: '-1001:5',
      channel: { type: 'group', id: '-1001', name: 'Tea party' },
      sender: { id: '7', name: 'Alice Liddell', locale: 'zh-CN' },
      content: [{ type: 'text', data: { text: 'hi' } }],
      mentioned: false,
      timestamp: 1_700_000_000_000,
    })
    expect(said('hi', [], { chat: { id: 7, type: 'private', first_name: 'Alice' } })).to.deep.include({
      id: '7:5',
      channel: { type: 'private', id: '7', name: 'Alice' },
    })
  })

  it('keeps the topic of a message in a forum only', () => {
    expect(said('hi', [], { message_thread_id: 42, is_topic_message: true })?.channel.id).to.equal('-1001:42')
    expect(said('hi', [], { message_thread_id: 42 })?.channel.id).to.equal('-1001')
  })

  it('finds mentions of the bot by name, in any case, after emoji, and by link', () => {
    const text = '👋🏽 @Mynah_Bot hello @other_bot'
    expect(said(text, [entity(text, '@Mynah_Bot', 'mention'), entity(text, '@other_bot', 'mention')])).to.deep.include({
      mentioned: true,
      content: [
        { type: 'text', data: { text: '👋🏽 ' } },
        { type: 'at', data: { id: '666', name: 'mynah_bot' } },
        { type: 'text', data: { text: ' hello @other_bot' } },
      ],
    })
    expect(said('hey bird', [entity('hey bird', 'bird', 'text_mention', { user: me })])).to.deep.include({
      mentioned: true,
    })
    expect(said('hey Bob', [entity('hey Bob', 'Bob', 'text_mention', { user: { ...alice, id: 8 } })])).to.deep.include({
      mentioned: false,
      content: [
        { type: 'text', data: { text: 'hey ' } },
        { type: 'at', data: { id: '8', name: 'Bob' } },
      ],
    })
  })

  it('removes the name of the bot from a command, and ignores commands for other bots', () => {
    const command = (text: string, words: string) => said(text, [entity(text, words, 'bot_command')])
    expect(command('/help@Mynah_bot me', '/help@Mynah_bot')).to.deep.include({
      mentioned: true,
      content: [
        { type: 'text', data: { text: '/help' } },
        { type: 'text', data: { text: ' me' } },
      ],
    })
    expect(command('/help@other_bot me', '/help@other_bot')).to.equal(undefined)
    expect(command('/help me', '/help')).to.deep.include({ mentioned: false })
  })

  it('has the answered message, and a mention where it is one of the bot', () => {
    expect(said('yes', [], { reply_to_message: made({ message_id: 3 }) })).to.deep.include({
      replyTo: '-1001:3',
      mentioned: false,
    })
    expect(said('yes', [], { reply_to_message: made({ message_id: 3, from: me }) })).to.deep.include({
      replyTo: '-1001:3',
      mentioned: true,
    })
    expect(
      said('yes', [], { reply_to_message: made({ message_id: 3, forum_topic_created: { name: 'Cakes' } }) }),
    ).to.not.have.property('replyTo')
  })

  it('has media by id and never by address', () => {
    const photo = [
      { file_id: 'small', width: 10, height: 10 },
      { file_id: 'large', width: 100, height: 90, file_size: 5000 },
    ]
    const picture = inboundOf(
      made({ photo, caption: 'look @mynah_bot', caption_entities: [{ type: 'mention', offset: 5, length: 10 }] }),
      me,
    )
    expect(picture).to.deep.include({ mentioned: true })
    expect(picture?.content).to.deep.include({
      type: 'image',
      data: { fileId: 'large', size: 5000, width: 100, height: 90 },
    })
    const kinds: [object, string, object][] = [
      [
        { document: { file_id: 'd', file_name: 'a.pdf', mime_type: 'application/pdf', file_size: 9 } },
        'file',
        { fileId: 'd', name: 'a.pdf', mime: 'application/pdf', size: 9 },
      ],
      [{ animation: { file_id: 'g' }, document: { file_id: 'g' } }, 'video', { fileId: 'g' }],
      [{ video_note: { file_id: 'n', duration: 3 } }, 'video', { fileId: 'n', duration: 3 }],
      [{ audio: { file_id: 'a' } }, 'audio', { fileId: 'a' }],
      [{ voice: { file_id: 'v' } }, 'voice', { fileId: 'v' }],
      [
        { sticker: { file_id: 's', file_unique_id: 'u', emoji: '😀', set_name: 'Birds' } },
        'sticker',
        { id: 'u', fileId: 's', text: '😀', name: 'Birds' },
      ],
      [
        { location: { latitude: 1.5, longitude: 2 } },
        'location',
        { latitude: 1.5, longitude: 2, text: '[location] 1.5, 2' },
      ],
    ]
    for (const [fields, type, data] of kinds)
      expect(inboundOf(made(fields), me)?.content).to.deep.equal([{ type, data }])
  })

  it('accepts a message in the name of a chat', () => {
    expect(
      said('news', [], {
        sender_chat: { id: -1002, type: 'channel', title: 'News' },
        from: { id: 136817688, is_bot: true, first_name: 'Channel' },
      })?.sender,
    ).to.deep.equal({ id: '-1002', name: 'News' })
    expect(said('hi', [], { from: me })).to.equal(undefined)
    expect(inboundOf(made({ pinned_message: {} }), me)).to.equal(undefined)
  })
})
