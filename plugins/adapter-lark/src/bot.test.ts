import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { Card, Image, Text, type EndpointHandle, type Segment, type SendError } from '@mynah/plugin-chat/api'
import { LarkBot } from './bot.js'
import type { LarkConfig } from './config.js'
import { LarkError, NoAnswerError, sendError } from './errors.js'
import * as lk from './test/lark-server.js'

const ROOM = { type: 'group', id: lk.ROOM } as const
const PIXEL = Image({ base64: 'AAEC', name: 'a.png' })

const failure = (promise: Promise<unknown>): Promise<Error & { kind?: string; code?: string }> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )

describe('sending to Lark', function () {
  this.timeout(60_000)
  let server: lk.LarkServer
  let bot: LarkBot
  beforeEach(async () => {
    server = await new lk.LarkServer().listen()
    const config = { appId: lk.APP_ID, appSecret: lk.APP_SECRET, domain: server.http.url }
    const endpoint = { id: 'bot', config, clock: systemClock, log: {}, signal: new AbortController().signal }
    bot = new LarkBot(endpoint as unknown as EndpointHandle<LarkConfig>, () => true)
  })
  afterEach(() => server.stop())

  const send = (segments: readonly Segment[], key = '1', target: { type: 'group' | 'private'; id: string } = ROOM) =>
    bot.send(target, { segments, key } as never)
  const texts = (): string[] => server.sent.map(({ text, bytes }) => (bytes ? 'a picture' : text))

  it('sends the parts of a message once, also where a second attempt begins with the first part', async () => {
    const message = [Text('one'), PIXEL, Text('two')]
    server.http.fault(/images$/, { status: 500, body: { code: 1, msg: 'internal error' } })
    const error = await failure(send(message))
    expect(error.kind, 'the outcome is unknown').to.equal(undefined)
    expect(error.message).to.contain('may have arrived')
    expect(texts()).to.deep.equal(['one'])
    const { messageId } = await send(message)
    expect(texts()).to.deep.equal(['one', 'a picture', 'two'])
    expect(messageId).to.equal(server.sent[0]?.id)
    await send(message, '2')
    expect(server.sent).to.have.length(6)
  })

  it('answers in the thread, to the user or to the chat that a channel names', async () => {
    await send([Text('to the room')])
    await send([Text('to Alice')], '2', { type: 'private', id: lk.ALICE })
    await send([Text('in the thread')], '3', { type: 'group', id: `${lk.ROOM}:om_root` })
    expect(server.sent.map(({ chat, inThread, quotes }) => [chat, inThread, quotes])).to.deep.equal([
      [lk.ROOM, false, undefined],
      [lk.PRIVATE, false, undefined],
      [lk.ROOM, true, 'om_root'],
    ])
    for (const id of ['', 'a/b', '../messages', `${lk.ROOM}:a:b`]) {
      const error = await failure(send([Text('x')], '4', { type: 'group', id }))
      expect(error, id).to.include({ kind: 'refused' })
    }
    expect(server.sent).to.have.length(3)
  })

  it('renews a token that Lark has ended, and sends once', async () => {
    await send([Text('one')])
    server.forgetTokens()
    await send([Text('two')], '2')
    expect([texts(), server.tokens]).to.deep.equal([['one', 'two'], 2])
  })

  it('edits text and cards, and no media', async () => {
    const { messageId = '' } = await send([Text('one')])
    const edit = (segments: readonly Segment[]) => bot.edit(ROOM, messageId, { segments } as never)
    await edit([Text('two')])
    await edit([Card({ title: 'three' })])
    expect(texts()).to.deep.equal(['three'])
    for (const segments of [[PIXEL], [Text('a'), PIXEL]])
      expect(await failure(edit(segments))).to.include({ kind: 'refused' })
    const unknown = await failure(bot.edit(ROOM, 'om_unknown', { segments: [Text('x')] } as never))
    expect(unknown).to.include({ kind: 'refused' })
    expect(unknown.message).to.contain('no such message of the bot')
  })

  it('takes a reaction away that it does not remember, and refuses what Lark has no name for', async () => {
    await bot.react(ROOM, 'om_1', '👍', true)
    expect([...server.reactions.values()]).to.deep.equal([{ message: 'om_1', type: 'THUMBSUP' }])
    const endpoint = bot.endpoint
    await new LarkBot(endpoint, () => true).react(ROOM, 'om_1', '👍', false)
    expect(server.reactions.size).to.equal(0)
    expect(await failure(bot.react(ROOM, 'om_1', '🦜', true))).to.include({ code: 'unsupported' })
  })

  it('reads no file but those of a message', async () => {
    const limits = { maxBytes: 1_000, signal: new AbortController().signal }
    for (const fileId of ['http://169.254.169.254/', 'om_1', 'om_1:../../x', '../om_1:x', 7]) {
      const error = await failure(bot.fetchMedia({ type: 'file', data: { fileId } } as never, limits))
      expect(error, String(fileId)).to.include({ code: 'not_found' })
    }
  })

  it('ends a failure as chat expects it', () => {
    const kindOf = (error: unknown): unknown => (sendError(error) as SendError).kind
    const limited = new LarkError(400, { code: 99_991_400, msg: 'frequency limit' }, '90')
    expect(sendError(limited)).to.include({ kind: 'rate-limited', retryAfter: 90_000, scope: 'endpoint' })
    expect(sendError(new LarkError(400, { code: 230_020 }))).to.include({ retryAfter: 1_000, scope: 'channel' })
    expect(sendError(new LarkError(429, {}, 'soon'))).to.include({ retryAfter: 1_000 })
    expect(kindOf(new LarkError(400, { code: 230_002, msg: 'forbidden' }))).to.equal('refused')
    expect(kindOf(new LarkError(200, { code: 10_014, msg: 'app secret invalid' }))).to.equal('offline')
    expect(kindOf(new NoAnswerError('ECONNREFUSED', false))).to.equal('offline')
    expect(kindOf(new NoAnswerError('ECONNRESET', true))).to.equal(undefined)
    expect(kindOf(new LarkError(502, {}))).to.equal(undefined)
  })
})
