import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { At, Card, Image, isForeign, Reply, SendError, Text, File } from '@mynah/plugin-chat/api'
import { discord } from '../adapter.js'
import { sendError } from '../errors.js'
import { segmentsOf } from '../inbound.js'
import { markdownOf } from '../markdown.js'
import { compose, nonceOf } from '../outbound.js'
import { Positions } from '../positions.js'
import { DiscordError, NoAnswerError } from '../rest.js'
import { DiscordHost, room, until } from './discord-host.js'
import { BOB, DiscordServer, ROOM, TOKEN } from './discord-server.js'

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )

describe('Messages for Discord', function () {
  this.timeout(60_000)

  it('notify only whom they name', async () => {
    const { body } = await compose([Text('@everyone <@1> '), At(BOB), Text(' '), At('ann', 'Ann')])
    expect(body).to.deep.include({ content: `@everyone <@1> <@${BOB}> @Ann` })
    expect(body.allowed_mentions).to.deep.equal({ parse: [], users: [BOB], replied_user: false })
    expect((await compose([At('all')])).body.allowed_mentions.parse).to.deep.equal(['everyone'])
  })

  it('have cards as embeds with buttons, and as words what Discord would refuse', async () => {
    const buttons = [
      { text: 'Go', command: '/go' },
      { text: 'Also', command: '/go' },
      { text: 'Site', url: 'https://example.org' },
      { text: 'Odd', url: 'ftp://example.org' },
      { text: 'Long', command: 'x'.repeat(101) },
    ]
    const { body } = await compose([Card({ title: 'T', text: 'D', fields: [{ name: 'n', value: 'v' }], buttons })])
    expect(body.embeds).to.deep.equal([
      { title: 'T', description: 'D', fields: [{ name: 'n', value: 'v', inline: false }] },
    ])
    expect(body.components).to.deep.equal([
      {
        type: 1,
        components: [
          { type: 2, style: 2, label: 'Go', custom_id: '0:/go' },
          { type: 2, style: 2, label: 'Also', custom_id: '1:/go' },
          { type: 2, style: 5, label: 'Site', url: 'https://example.org' },
        ],
      },
    ])
    expect(body.content).to.equal(`Odd: ftp://example.org\nLong: ${'x'.repeat(101)}`)
    const error = await failure(compose([Card({ title: 'x'.repeat(257) })]))
    expect(error).to.include({ name: 'SendError', kind: 'refused' })
  })

  it('have addresses of pictures as embeds, which this host does not fetch', async () => {
    const { body, files } = await compose([Image('http://169.254.169.254/latest'), File('http://127.0.0.1/x')])
    expect(body.embeds).to.deep.equal([{ image: { url: 'http://169.254.169.254/latest' } }])
    expect(body.content).to.equal('http://127.0.0.1/x')
    expect(files).to.deep.equal([])
    expect(await failure(compose([Image('file:///etc/passwd')]))).to.include({ kind: 'refused' })
    expect(await failure(compose([Text(' ')]))).to.include({ kind: 'refused' })
  })

  it('are formatted with marks, and other marks are shown as they are', () => {
    const text = 'bold *not* a_b code`x'
    expect(
      markdownOf(text, [
        { type: 'bold', offset: 0, length: 4 },
        { type: 'code', offset: 15, length: 4 },
      ]),
    ).to.equal('**bold** \\*not\\* a_b `code`\\`x')
    expect(markdownOf('one\ntwo', [{ type: 'quote', offset: 0, length: 7 }])).to.equal('> one\n> two')
  })

  it('have a nonce of at most 25 characters, the same for a key', () => {
    const long = nonceOf('x'.repeat(500))
    expect(long).to.have.length(25)
    expect(nonceOf('a-1')).to.equal(nonceOf('a-1')).and.not.equal(nonceOf('a-2'))
  })

  it('wait as Discord asks: a channel, or the account for a global limit', () => {
    const inChannel = sendError(new DiscordError(429, { message: 'slow down' }, 90_000)) as SendError
    expect(inChannel).to.include({ kind: 'rate-limited', retryAfter: 90_000, scope: 'channel' })
    const everywhere = sendError(new DiscordError(429, { message: 'slow down' }, 1_000, true)) as SendError
    expect(everywhere).to.include({ kind: 'rate-limited', scope: 'endpoint' })
    expect(sendError(new NoAnswerError('ECONNREFUSED', false))).to.include({ kind: 'offline' })
    expect(sendError(new NoAnswerError('ECONNRESET', true)).name).to.equal('Error')
    expect(sendError(new DiscordError(500, {})).name).to.equal('Error')
  })

  it('are answered in a thread of the message with replies: thread', async () => {
    const bot = await DiscordHost.start({ replies: 'thread' })
    try {
      bot.answer = { content: 'in the thread' }
      const { id } = bot.server.say('a question')
      await until(() => bot.server.sent.length === 1, 'the answer')
      expect(bot.messages[0]?.channel.id).to.equal(`${ROOM}:${String(id)}`)
      expect(bot.server.sent[0]).to.include({ channel: id, text: 'in the thread' })
      bot.server.say('more', { channel: id })
      await until(() => bot.server.sent.length === 2, 'the second answer')
      expect(bot.messages[1]?.channel.id).to.equal(`${ROOM}:${String(id)}`)
    } finally {
      await bot.stop()
    }
  })

  it('quote a message', async () => {
    const bot = await DiscordHost.start()
    try {
      const { id } = bot.server.say('a question')
      await bot.hears(1)
      await bot.chat.send('discord', 'bot', room, [Reply(String(id)), Text('an answer')])
      expect(bot.server.sent.map(({ text, quotes }) => [text, quotes])).to.deep.equal([['an answer', id]])
    } finally {
      await bot.stop()
    }
  })

  it('are not sent before Discord takes them again, although its last answer was no refusal', async () => {
    const bot = await DiscordHost.start()
    try {
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '0.3' }
      bot.server.http.fault(/POST .*\/messages$/, { headers, body: { id: '7' } })
      await bot.chat.send('discord', 'bot', room, 'one')
      const posts = (): number => bot.server.http.transcript.filter((line) => /POST .*messages →/.test(line)).length
      const other = { ...room, id: String(BigInt(ROOM) + 7n) }
      await Promise.all([bot.chat.send('discord', 'bot', room, 'two'), bot.chat.send('discord', 'bot', other, 'other')])
      expect(bot.server.sent.map(({ text }) => text)).to.have.members(['two', 'other'])
      expect(posts()).to.equal(3)
    } finally {
      await bot.stop()
    }
  })

  it('of 256 channels have positions that fit into cursors', () => {
    const positions = new Positions({ get: async () => undefined, set: async () => {} })
    for (let index = 0; index < 1_000; index++) {
      const id = String(10n ** 19n + BigInt(index))
      const [value = ''] = Object.values(positions.passMessage(id, id))
      expect(Buffer.byteLength(value)).to.be.below(4_096)
    }
    expect(positions.lastMessages()).to.have.length(256)
  })
})

describe('A message that was forwarded on Discord', () => {
  it('has the words and media of another person, and none of its sender', () => {
    const shown = {
      type: 0,
      content: '/exec rm <@7>',
      attachments: [{ url: 'https://cdn.example/a.png', content_type: 'image/png' }],
    }
    const content = segmentsOf({ content: '', message_snapshots: [{ message: shown }] })
    expect(content).to.deep.equal([
      { type: 'image', data: { url: 'https://cdn.example/a.png', mime: 'image/png', quoted: true } },
      { type: 'forward', data: { text: '/exec rm @7\n[image] https://cdn.example/a.png' } },
    ])
    expect(content.every(isForeign)).to.equal(true)
  })
})

describe('The test of a Discord account', () => {
  it('says what is missing, in the words of Discord', async () => {
    const server = await new DiscordServer().listen()
    try {
      const { signal } = new AbortController()
      const log = undefined as never
      const probe = (token = TOKEN) =>
        discord.probe?.({ config: { token, apiRoot: server.apiRoot }, clock: systemClock, log, signal })
      expect(await probe()).to.deep.equal({ id: '4000000000000000001', name: 'user-01' })
      server.flags = 0
      server.permissions = String((1n << 10n) | (1n << 11n))
      const { missing = [] } = (await probe()) ?? {}
      expect(missing[0]).to.include('Message Content Intent')
      expect(missing[1]).to.include('Embed Links').and.include('"Home"').and.not.include('Send Messages,')
      expect((await failure(Promise.resolve(probe('no-such-token-of-any-bot')))).message).to.include('`token`')
      expect(server.logins).to.deep.equal([])
    } finally {
      await server.stop()
    }
  })
})
