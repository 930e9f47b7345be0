import { expect } from 'chai'
import { At, File, Formatted, Image, SendError, Text, type Content } from '@mynah/plugin-chat/api'
import { dingtalk } from '../adapter.js'
import { DingTalkError, NoAnswerError, sendError } from '../errors.js'
import { messageOf } from '../inbound.js'
import { markdownOf } from '../markdown.js'
import { compose } from '../outbound.js'
import { Rest } from '../rest.js'
import { streamAddress } from '../stream.js'
import { DingTalkHost, MovedClock, room, until } from './dingtalk-host.js'
import { ALICE, BOB, CLIENT_ID, CLIENT_SECRET, DingTalkServer, ROOM } from './dingtalk-server.js'

const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
const limits = { maxBytes: 1_000, signal: new AbortController().signal }

describe('Messages of DingTalk', function () {
  this.timeout(60_000)
  let bot: DingTalkHost | undefined
  const start = async (config: object = {}): Promise<DingTalkHost> => {
    bot = await DingTalkHost.start(config)
    await bot.online()
    return bot
  }
  const send = (content: Content, target: { type: 'group' | 'private'; id: string } = room) =>
    (bot as DingTalkHost).chat.send('dingtalk', 'bot', target, content)
  afterEach(async () => {
    await bot?.stop()
    bot = undefined
  })

  it('are answered by their session, and by the robot where that has ended', async () => {
    const own = await start()
    own.answer = 'now'
    own.server.say('hello')
    await own.sends(1)
    own.server.http.fault(/sendBySession/, { body: { errcode: 300_001, errmsg: 'session is not exist' } })
    own.answer = 'later'
    own.server.say('hello again')
    await own.sends(2)
    expect(own.server.sent.map(({ by, text, to }) => [by, text, to])).to.deep.equal([
      ['session', 'now', ROOM],
      ['robot', 'later', ROOM],
    ])
  })

  it('notify those whom an answer names', async () => {
    const own = await start()
    own.answer = [At(BOB), Text(' and '), At('all')]
    own.server.say('who is there?')
    await own.sends(1)
    const [sent] = own.server.sent
    expect(sent).to.include({ by: 'session', text: `@${BOB} and @all` })
    expect(sent?.at).to.deep.equal({ atUserIds: [BOB], isAtAll: true })
  })

  it('are read in all their kinds', async () => {
    const own = await start()
    const content = { duration: 1, downloadCode: 'the-code', recognition: 'what was said', fileName: 'a.pdf' }
    own.server.say('', { msgtype: 'audio', content })
    own.server.say('', { msgtype: 'file', content: { downloadCode: 'the-file', fileName: 'a.pdf' } })
    const richText = [{ text: 'look' }, { type: 'picture', downloadCode: 'a-picture' }, { text: 'here' }]
    own.server.say('', { msgtype: 'richText', content: { richText } })
    own.server.say('', { msgtype: 'interactiveCard', content: {} })
    const atUsers = [{ dingtalkId: '$:LWCP_v1:$bot' }, { dingtalkId: 'x', staffId: BOB }]
    own.server.say('/greet ', { atUsers })
    own.server.say('', {})
    await own.hears(6)
    const [audio, file, rich, card, named, empty] = own.messages
    expect(audio?.segments).to.deep.equal([
      { type: 'audio', data: { fileId: 'the-code', name: 'a.pdf', text: 'what was said', voice: true } },
    ])
    expect(file?.segments).to.deep.equal([{ type: 'file', data: { fileId: 'the-file', name: 'a.pdf' } }])
    expect(rich?.segments.map(({ type }) => type)).to.deep.equal(['text', 'image', 'text'])
    expect(card?.text).to.equal('[interactiveCard]')
    expect(named?.text).to.equal(`/greet @${BOB}`)
    expect(empty?.text).to.equal('')
    await until(() => own.server.unacknowledged() === 0, 'the acknowledgements')
  })

  it('give the right to answer without the address that they name', () => {
    const message = {
      msgId: '1',
      senderStaffId: ALICE,
      conversationType: '1',
      msgtype: 'text',
      text: { content: 'hello' },
      sessionWebhook: 'http://169.254.169.254/latest?session=abc',
      sessionWebhookExpiredTime: 17,
    }
    expect(messageOf(message)?.via).to.deep.equal({ token: 'abc', until: 17 })
    expect(messageOf({ ...message, sessionWebhook: 'no address' })?.via).to.equal(undefined)
    expect(messageOf({ ...message, senderStaffId: undefined, senderId: '$:x' })?.channel).to.deep.equal({
      type: 'private',
      id: '$:x',
    })
    for (const wrong of [{ msgId: 1 }, { senderStaffId: '' }, { conversationType: '3' }, { msgtype: '\n' }])
      expect(messageOf({ ...message, ...wrong })).to.equal(undefined)
  })

  it('with a format are Markdown, others are text', async () => {
    const own = await start()
    await send([Formatted('a **bold** [link](https://example.org/(1)) and `co*de`\n\n> a *quote*')])
    await send('not *bold*')
    const [formatted, plain] = own.server.sent
    expect(formatted?.kind).to.equal('sampleMarkdown')
    expect(formatted?.text).to.include('**bold**').and.include('(https://example.org/%281%29)').and.include('`co*de`')
    expect(plain).to.include({ kind: 'sampleText', text: 'not *bold*' })
    expect(markdownOf('a_b\nc', [])).to.equal('a\\_b  \nc')
  })

  it('have media as messages of their own, and addresses are not fetched here', async () => {
    const own = await start()
    await send([Text('see'), Image('http://169.254.169.254/latest')])
    await send([Text('a file'), File({ base64: 'AAEC', name: 'a.pdf' })])
    await send([File('http://127.0.0.1/x')])
    expect(own.server.sent.map(({ kind, text }) => [kind, text])).to.deep.equal([
      ['sampleText', 'see'],
      ['sampleImageMsg', 'http://169.254.169.254/latest'],
      ['sampleText', 'a file'],
      ['sampleFile', own.server.sent[3]?.text],
      ['sampleText', 'http://127.0.0.1/x'],
    ])
    expect(own.server.sent[3]?.bytes).to.deep.equal(Buffer.from([0, 1, 2]))
    for (const refused of [[Image('file:///etc/no-such-file')], [File({ name: 'x' })], [Text(' ')]])
      expect(await failure(compose(refused))).to.include({ name: 'SendError', kind: 'refused' })
    const large = [File({ base64: Buffer.alloc(20 * 1024 * 1024 + 1).toString('base64') })]
    expect((await failure(compose(large))).message).to.include('is larger than')
  })

  it('of which a part was sent are not sent again', async () => {
    const own = await start()
    own.server.http.fault(/media\/upload/, { status: 429, body: { code: 'Throttling', message: 'too fast' } })
    const error = await failure(send([Text('see'), Image({ base64: 'AAEC' })]))
    expect(error).to.include({ code: 'upstream_unavailable:unknown' })
    expect(own.server.sent.map(({ text }) => text)).to.deep.equal(['see'])
  })

  it('to users that DingTalk does not know are refused', async () => {
    await start()
    const error = await failure(send('hello', { type: 'private', id: 'staff-nobody' }))
    expect(error).to.include({ code: 'invalid_request' })
    expect(error.message).to.include('no user')
  })

  it('have files that are only fetched from known hosts', async () => {
    const own = await start()
    const fetchFrom = (fileId: string) =>
      failure(own.chat.fetchMedia('dingtalk', 'bot', { type: 'file', data: { fileId } }, limits))
    for (const address of ['http://169.254.169.254/latest', 'https://aliyuncs.com.example.org/x', 'http://[::1]:80/'])
      expect((await fetchFrom(address)).message).to.include('unknown host')
    expect(await fetchFrom('no-such-code')).to.include({ code: 'unsupported' })
  })

  it('are sent with one token, which is renewed in time and where DingTalk has ended it', async () => {
    const own = await start()
    await send('one')
    await send('two')
    expect(own.server.tokens).to.equal(1)
    own.server.forgetTokens()
    await send('three')
    expect(own.server.tokens).to.equal(2)
    own.clock.forward(7_000_000)
    await send('four')
    expect(own.server.tokens).to.equal(3)
    expect(own.server.sent.map(({ text }) => text)).to.deep.equal(['one', 'two', 'three', 'four'])
  })

  it('that fail end as chat expects it', () => {
    const kinds = (error: unknown): unknown => (sendError(error) as SendError).kind
    const limited = sendError(new DingTalkError(200, { errcode: 130_101, errmsg: 'send too fast' }))
    expect(limited).to.include({ kind: 'rate-limited', retryAfter: 600_000, scope: 'channel' })
    const code = 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi'
    expect(sendError(new DingTalkError(403, { code }))).to.include({ retryAfter: 10_000, scope: 'endpoint' })
    expect(sendError(new DingTalkError(429, {}, '3'))).to.include({ retryAfter: 3_000 })
    expect(kinds(new DingTalkError(400, { code: 'param.error' }))).to.equal('refused')
    expect(kinds(new DingTalkError(400, { code: 'invalidClientIdOrSecret' }))).to.equal('offline')
    expect(kinds(new NoAnswerError('ECONNREFUSED', false))).to.equal('offline')
    expect(kinds(new NoAnswerError('ECONNRESET', true))).to.equal(undefined)
    expect(kinds(new DingTalkError(502, {}))).to.equal(undefined)
  })
})

describe('The connection to DingTalk', function () {
  this.timeout(60_000)

  it('answers pings, and is opened again where DingTalk asks for it', async () => {
    const bot = await DingTalkHost.start()
    try {
      await bot.online()
      await until(() => bot.server.pongs === 1, 'the answer to the first ping')
      bot.server.frame({ type: 'SYSTEM', headers: { topic: 'disconnect', messageId: '1' }, data: '{}' })
      await until(() => bot.server.pongs === 2, 'the second connection')
      bot.server.say('after')
      await bot.hears(1)
    } finally {
      await bot.stop()
    }
  })

  it('is tried once a minute where DingTalk refuses the account', async () => {
    const server = await new DingTalkServer().listen()
    const clock = new MovedClock()
    const config = { clientId: CLIENT_ID, clientSecret: 'not-the-secret', apiRoot: server.http.url }
    const bot = dingtalk.create({ config, clock, signal: limits.signal } as never)
    const tries = (): number => server.http.transcript.filter((line) => line.includes('connections/open')).length
    try {
      for (let attempt = 0; attempt < 3; attempt++)
        expect((await failure(bot.connect())).message).to.include('`clientSecret`')
      expect(tries()).to.equal(1)
      clock.forward(60_000)
      await failure(bot.connect())
      expect(tries()).to.equal(2)
    } finally {
      await bot.disconnect()
      await server.stop()
    }
  })

  it('has no address that would show the ticket', async () => {
    const server = await new DingTalkServer().listen()
    try {
      for (const [apiRoot, endpoint] of [
        ['https://api.dingtalk.com', 'ws://example.org'],
        ['http://127.0.0.1', 'http://example.org'],
        ['http://127.0.0.1', 'wss:'],
      ] as const) {
        server.http.fault(/open/, { body: { endpoint, ticket: '1' } })
        const rest = new Rest(
          { clientId: 'a', clientSecret: 'b', apiRoot: server.http.url },
          new MovedClock(),
          limits.signal,
        )
        const error = await failure(streamAddress(rest, { clientId: 'a', clientSecret: 'b', apiRoot }))
        expect(error.message).to.include('`apiRoot`')
      }
    } finally {
      await server.stop()
    }
  })

  it('is tried without being opened, and what the account lacks is named', async () => {
    const server = await new DingTalkServer().listen()
    const account = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, apiRoot: server.http.url }
    const clock = new MovedClock()
    const probe = (config: object) =>
      dingtalk.probe?.({ config: config as never, clock, log: {} as never, signal: limits.signal })
    try {
      expect(await probe(account)).to.deep.equal({ id: CLIENT_ID })
      server.hasPermission = false
      const lacking = (await probe(account)) as { missing: string[] }
      expect(lacking.missing[0]).to.include('qyapi_robot_sendmsg').and.include('Permission Management')
      const refused = await failure(probe({ ...account, clientSecret: 'not-the-secret' }) as Promise<unknown>)
      expect(refused.message).to.include('`clientSecret`').and.not.include('not-the-secret')
      expect(server.pongs).to.equal(0)
    } finally {
      await server.stop()
    }
  })
})
