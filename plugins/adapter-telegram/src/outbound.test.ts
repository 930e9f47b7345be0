import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { At, Audio, Card, Face, File, Formatted, Image, Reply, Text, Video } from '@mynah/plugin-chat/api'
import { split } from './rich-text.js'
import { failure, TelegramHost } from './test/telegram-host.js'

describe('callsOf', () => {
  let telegramHost: TelegramHost
  before(async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
    let id = 100
    for (const method of ['sendPhoto', 'sendVideo', 'sendAudio', 'sendVoice', 'sendDocument', 'sendSticker'])
      telegramHost.api.on(method, () => ({ result: { message_id: id++, chat: { id: 7, type: 'private' }, date: 1 } }))
  })
  beforeEach(() => telegramHost.api.record())
  after(() => telegramHost.stop())

  const sent = () =>
    telegramHost.api.calls
      .filter(({ method }) => method.startsWith('send'))
      .map(({ method, payload }) => ({ method, payload }))

  it('sends to a chat or topic, answers a message, and returns the id', async () => {
    const { messageId } = await telegramHost.send([Reply('-1001:3'), Text('hi')], '-1001:42', 'group')
    expect(messageId).to.match(/^-1001:\d+$/)
    expect(sent()).to.deep.equal([
      {
        method: 'sendMessage',
        payload: {
          chat_id: -1001,
          message_thread_id: 42,
          text: 'hi',
          reply_parameters: { message_id: 3, allow_sending_without_reply: true },
        },
      },
    ])
  })

  it('does not answer a message of another chat', async () => {
    await telegramHost.send([Reply('-1002:3'), Text('hi')], '-1001', 'group')
    expect(sent()[0]?.payload).to.not.have.property('reply_parameters')
  })

  it('mentions a user by number', async () => {
    await telegramHost.send([Text('👋 '), At('8', 'Bob'), Text(' and '), At('all')])
    expect(sent()[0]?.payload).to.deep.include({
      text: '👋 @Bob and @all',
      entities: [{ type: 'text_mention', offset: 3, length: 4, user: { id: 8, is_bot: false, first_name: '@Bob' } }],
    })
  })

  it('sends the formatting of an answer as entities', async () => {
    await telegramHost.send([Formatted('**Tea** at [five](https://e.org):\n\n```sh\nbrew *.tea\n```')])
    expect(sent()[0]?.payload).to.deep.include({
      text: 'Tea at five:\n\nbrew *.tea',
      entities: [
        { type: 'bold', offset: 0, length: 3 },
        { type: 'text_link', offset: 7, length: 4, url: 'https://e.org' },
        { type: 'pre', offset: 14, length: 10, language: 'sh' },
      ],
    })
  })

  it('keeps a block of code one in each part of a long answer', async () => {
    await telegramHost.send([Formatted(`Look:\n\n\`\`\`\n${'a line of code\n'.repeat(400)}\`\`\``)])
    expect(sent().length).to.equal(2)
    for (const { payload } of sent()) {
      const [{ type, offset, length } = { type: '', offset: 0, length: 0 }] = payload.entities as {
        type: string
        offset: number
        length: number
      }[]
      expect([type, offset + length]).to.deep.equal(['pre', (payload.text as string).length])
    }
  })

  it('splits a long text without losing a character', async () => {
    const text = `${'word '.repeat(1200)}end`
    await telegramHost.send(text)
    expect(sent()).to.have.length(2)
    expect(
      sent()
        .map(({ payload }) => payload.text)
        .join(''),
    ).to.equal(text)
  })

  it('splits between characters, and keeps entities on their words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('😀', '\n', ' ', 'é'), fc.string({ maxLength: 12 })), { maxLength: 60 }),
        fc.nat(100),
        fc.nat(100),
        (parts, offset, length) => {
          const text = parts.join('')
          const entities = [
            {
              type: 'bold' as const,
              offset: Math.min(offset, text.length),
              length: Math.max(0, Math.min(length, text.length - offset)),
            },
          ]
          const pieces = split({ text, entities }, 10)
          expect(pieces.map((piece) => piece.text).join('')).to.equal(text)
          for (const piece of pieces) {
            expect(piece.text.length).to.be.at.most(10)
            expect(piece.text).to.not.match(/[\ud800-\udbff]$/)
          }
          const marked = ({
            text: of,
            entities: marks,
          }: {
            text: string
            entities: readonly { offset: number; length: number }[]
          }) => marks.map((mark) => of.slice(mark.offset, mark.offset + mark.length)).join('')
          if (text.length > 10) expect(pieces.map(marked).join('')).to.equal(marked({ text, entities }))
        },
      ),
    )
  })

  it('sends media by address or id, with a short text as caption', async () => {
    await telegramHost.send([Text('look'), Image('https://example.org/a.png')])
    await telegramHost.send([
      Image({ url: 'https://example.org/a.png' }),
      Video('https://example.org/b.mp4'),
      Text('two'),
    ])
    await telegramHost.send([{ type: 'voice', data: { fileId: 'v1' } }])
    await telegramHost.send([{ type: 'sticker', data: { fileId: 's1' } }, Face('1', 'smile')])
    expect(
      sent().map(({ method, payload }) => [
        method,
        payload.photo ?? payload.video ?? payload.voice ?? payload.sticker ?? payload.text,
        payload.caption,
      ]),
    ).to.deep.equal([
      ['sendPhoto', 'https://example.org/a.png', 'look'],
      ['sendPhoto', 'https://example.org/a.png', undefined],
      ['sendVideo', 'https://example.org/b.mp4', undefined],
      ['sendMessage', 'two', undefined],
      ['sendVoice', 'v1', undefined],
      ['sendSticker', 's1', undefined],
      ['sendMessage', '[smile]', undefined],
    ])
  })

  it('uploads bytes and files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'telegram-'))
    try {
      await writeFile(join(folder, 'song.mp3'), 'the bytes of a song')
      await telegramHost.send([Audio({ file: join(folder, 'song.mp3') })])
      await telegramHost.send([
        File({ base64: Buffer.from('the bytes of a letter').toString('base64'), name: 'letter.txt' }),
        Text('read'),
      ])
      const [song, letter] = telegramHost.api.calls
      expect(song?.method).to.equal('sendAudio')
      expect(song?.raw.toString()).to.include('the bytes of a song').and.include('song.mp3').and.not.include(folder)
      expect(letter?.method).to.equal('sendDocument')
      expect(letter?.raw.toString()).to.include('the bytes of a letter').and.include('letter.txt').and.include('read')
      const missing = await failure(telegramHost.send([Image({ file: join(folder, 'none.png') })]))
      expect(missing.message).to.include('"none.png"').and.not.include(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('reads no file that an address names', async () => {
    for (const segment of [
      Image('/etc/hostname'),
      Image('file:///etc/hostname'),
      { type: 'file', data: { src: '/etc/hostname' } },
      Card({ title: 'x', image: '/etc/hostname' }),
    ]) {
      expect((await failure(telegramHost.send([segment]))).message).to.include('must begin with http')
    }
    expect(sent()).to.be.empty
  })

  it('sends a card with its buttons, and others as text', async () => {
    const long = `/${'x'.repeat(64)}`
    await telegramHost.send([
      Card({
        title: 'Tea',
        text: 'At five',
        fields: [{ name: 'Cups', value: '3' }],
        buttons: [
          { text: 'Come', command: '/come' },
          { text: 'Map', url: 'https://example.org' },
          { text: 'Long', command: long },
          { text: 'Bad', url: 'javascript:alert(1)' },
        ],
      }),
    ])
    expect(sent()[0]).to.deep.equal({
      method: 'sendMessage',
      payload: {
        chat_id: 7,
        text: `Tea\nAt five\nCups: 3\nLong: ${long}\nBad: javascript:alert(1)`,
        entities: [{ type: 'bold', offset: 0, length: 3 }],
        reply_markup: {
          inline_keyboard: [
            [
              { text: 'Come', callback_data: '/come' },
              { text: 'Map', url: 'https://example.org' },
            ],
          ],
        },
      },
    })
  })

  it('refuses an invalid id', async () => {
    for (const id of ['', 'alice', '12 ', '1:2:3', '1e3', '../getMe'])
      expect((await failure(telegramHost.send('hi', id))).message).to.include('no id of a chat')
    expect(sent()).to.be.empty
  })
})
