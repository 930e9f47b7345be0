import { expect } from 'chai'
import { definePlugin, systemClock, type Host, type LogRecord } from '@mynah/kernel'
import { skipBecause, startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import {
  Chat,
  middlewares,
  noticeReceive,
  reactionReceive,
  Reply,
  requestReceive,
  Text,
  type InboundNotice,
  type InboundReaction,
  type InboundRequest,
  type Message,
} from '@mynah/plugin-chat/api'
import { xml } from '@xmpp/client'
import { xmpp } from '../adapter.js'
import { XmppBot } from '../bot.js'
import plugin from '../index.js'
import { PASSWORD, Prosody, ROOM, whyNot } from './prosody.js'
import { User } from './user.js'

const reason = whyNot()
describe(`XMPP on prosody${reason === undefined ? '' : ` (${reason})`}`, () => {
  let server!: Prosody
  let alice!: User
  let host: Host | undefined
  let log: LogRecord[] = []
  const messages: Message[] = []
  const notices: InboundNotice[] = []
  const reactions: InboundReaction[] = []
  const requests: InboundRequest[] = []
  const town = { type: 'group', id: ROOM } as const
  const direct = { type: 'private', id: 'alice@localhost' } as const
  const account = (config: object = {}) => ({
    adapter: 'xmpp',
    id: 'bot',
    jid: 'bot@localhost',
    password: PASSWORD,
    service: server.service,
    insecure: true,
    nick: 'Mynah',
    rooms: [ROOM],
    ...config,
  })

  async function start(config: object = {}): Promise<Chat> {
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.contribute(middlewares, { name: 'listener', handle: (message) => void messages.push(message) })
        ctx.on(requestReceive, (request) => void requests.push(request))
        ctx.on(noticeReceive, (notice) => void notices.push(notice))
        ctx.on(reactionReceive, (reaction) => void reactions.push(reaction))
      },
    })
    const started = await startHost([
      { plugin: chat as never, config: { endpoints: [account(config)] } },
      plugin as never,
      listener as never,
    ])
    host = started.host
    log = started.log
    return host.get(Chat) as Chat
  }
  const online = async (config: object = {}): Promise<Chat> => {
    const service = await start(config)
    await until(
      () => service.online() === 1,
      () => `the bot to be online; ${JSON.stringify(log.slice(-2))}`,
    )
    await alice.join(ROOM)
    return service
  }
  const bodies = (): (string | null)[] => alice.messages.map((message) => message.getChildText('body'))
  const gets = (body: string) =>
    until(
      () => bodies().includes(body),
      () => `"${body}"; alice has ${JSON.stringify(bodies())}`,
    ).then(() => alice.messages.findLast((message) => message.getChildText('body') === body)!)

  before(async function () {
    if (reason !== undefined) skipBecause(this, reason)
    server = await Prosody.start()
  })
  after(() => server?.stop())
  beforeEach(async () => {
    for (const list of [messages, notices, reactions, requests]) list.length = 0
    alice = await User.enter(server, 'alice')
  })
  afterEach(async () => {
    await host?.stop()
    host = undefined
    await alice.leave()
  })
  const hears = (count: number): Promise<void> =>
    until(
      () => messages.length >= count,
      () => `${count} messages; heard ${JSON.stringify(messages.map(({ text }) => text))}`,
    )

  it('hears private messages and those of rooms, with mentions, roles and addresses', async () => {
    await online()
    await alice.say('bot@localhost', 'hello')
    await hears(1)
    await alice.say(ROOM, 'Mynah: /help me')
    await alice.say(ROOM, 'not for you')
    await hears(3)
    const [first, second, third] = messages
    expect(first!.channel).to.deep.equal({ type: 'private', id: 'alice@localhost', name: 'alice' })
    expect(first!.sender.id).to.equal('alice@localhost')
    expect(second!.channel).to.deep.include({ type: 'group', id: ROOM })
    expect(second!.sender).to.deep.include({ id: 'alice@localhost', name: 'alice' })
    expect(second!.addressed).to.equal(true)
    expect(second!.segments[0]).to.deep.equal({ type: 'at', data: { id: 'Mynah', name: 'Mynah' } })
    expect(third!.addressed).to.equal(false)
  })

  it('answers, corrects, deletes and reacts, in a room and in private', async () => {
    const service = await online()
    for (const [target, to] of [
      [town, ROOM],
      [direct, 'bot@localhost'],
    ] as const) {
      messages.length = 0
      const said = await alice.say(to, 'tea?')
      await hears(1)
      const { messageId } = await service.send('xmpp', 'bot', target, [Reply(messages[0]!.id), Text('with milk')])
      const got = await gets('with milk')
      const answered = got.getChild('reply', 'urn:xmpp:reply:0')!.attrs.id
      expect(target.type === 'private' ? answered : messages[0]!.id).to.equal(
        target.type === 'private' ? said : answered,
      )
      await service.edit('xmpp', 'bot', target, messageId, 'without milk')
      const corrected = await gets('without milk')
      expect(corrected.getChild('replace', 'urn:xmpp:message-correct:0')!.attrs.id).to.equal(got.attrs.id)
      alice.messages.length = 0
    }
  })

  it('reports corrections, deletions and reactions of users, and believes only their authors', async () => {
    await online()
    const eve = await User.enter(server, 'eve')
    await eve.join(ROOM)
    const id = await alice.say(ROOM, 'tea')
    await hears(1)
    const replaced = xml('replace', { xmlns: 'urn:xmpp:message-correct:0', id })
    await eve.say(ROOM, 'poison', replaced)
    await alice.say(ROOM, 'coffee', replaced)
    await until(() => notices.some(({ kind }) => kind === 'message-edit'), 'the correction')
    const reaction = (...emojis: string[]) =>
      xml(
        'reactions',
        { xmlns: 'urn:xmpp:reactions:0', id: messages[0]!.id },
        ...emojis.map((each) => xml('reaction', {}, each)),
      )
    await eve.say(ROOM, undefined, reaction('👍', '🎉'))
    await until(() => reactions.length === 2, 'both reactions')
    await eve.say(ROOM, undefined, reaction('🎉'))
    await until(() => reactions.length === 3, 'the end of one')
    expect(reactions.map(({ emoji, added }) => [emoji, added])).to.deep.equal([
      ['👍', true],
      ['🎉', true],
      ['👍', false],
    ])
    await alice.say(ROOM, undefined, xml('retract', { xmlns: 'urn:xmpp:message-retract:1', id }))
    await until(() => notices.some(({ kind }) => kind === 'message-delete'), 'the deletion')
    expect(JSON.stringify(notices)).not.to.include('poison')
    expect(messages.map(({ text }) => text)).to.deep.equal(['tea'])
    await eve.leave()
  })

  it('takes an id of the archive from its owner only', async () => {
    await online()
    const forged = (id: string) => xml('stanza-id', { xmlns: 'urn:xmpp:sid:0', by: 'bot@localhost', id })
    await alice.say('bot@localhost', 'one', forged('forged'))
    await alice.say('bot@localhost', 'two', forged('forged'))
    await hears(2)
    expect(messages.map(({ text }) => text)).to.deep.equal(['one', 'two'])
    expect(messages.map(({ id }) => id)).not.to.include('forged')
  })

  it('refuses what the server refuses, and rooms without the bot', async () => {
    const service = await online()
    const error = await service
      .send('xmpp', 'bot', { type: 'private', id: 'nobody@localhost' }, 'hello')
      .catch((failed: Error & { code?: string }) => failed)
    expect(error).to.deep.include({ code: 'invalid_request' })
    expect((error as Error).message).to.include('service-unavailable')
    const other = await service
      .send('xmpp', 'bot', { type: 'group', id: 'other@rooms.localhost' }, 'hello')
      .catch((failed: Error) => failed)
    expect((other as Error).message).to.include('not in the room')
  })

  it('keeps all characters that XML has, and replaces the others', async () => {
    const service = await online()
    const text = 'é ß 你好 👩‍👩‍👧 \u{1f30a}\u{2f81a}\u{e0041}\u{10fffd} & <b> "x" \u202e'
    await service.send('xmpp', 'bot', direct, `${text}\u0001`)
    await gets(`${text}\ufffd`)
    await alice.say('bot@localhost', text)
    await hears(1)
    expect(messages[0]!.text).to.equal(text)
  })

  it('finds in the archive what it has sent, and says where it has not', async () => {
    const service = await online()
    const since = Date.now()
    await service.send('xmpp', 'bot', direct, 'once')
    const got = await gets('once')
    await host?.stop()
    const bot = new XmppBot({
      ...({ id: 'bot', adapter: 'xmpp', clock: systemClock, signal: new AbortController().signal } as const),
      config: account() as never,
      log: { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} } as never,
      receive: () => Promise.resolve(),
      changed: () => Promise.resolve(),
      reaction: () => Promise.resolve(),
      request: () => Promise.resolve(),
      notice: () => Promise.resolve(),
      cursor: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
      during() {},
      lost() {},
      self() {},
    })
    try {
      await bot.connect()
      expect(await bot.find(direct, got.attrs.id!, since)).to.deep.equal({ messageId: got.attrs.id })
      expect(await bot.find(direct, 'never', since)).to.equal(null)
      const message = { segments: [Text('in the room')], text: '', key: 'key-1' }
      const sent = await bot.send(town, message)
      expect(await bot.find(town, 'key-1', since)).to.deep.equal(sent)
      const reacted = await bot.react(direct, 'some-id', '👀', true)
      expect(reacted).to.equal(undefined)
      await bot.typing(direct)
      await bot.recall(town, sent.messageId)
      expect((await bot.groupMembers(ROOM)).map(({ name }) => name)).to.include.members(['Mynah', 'alice'])
      expect((await bot.groups()).map(({ id }) => id)).to.deep.equal([ROOM])
    } finally {
      await bot.disconnect()
    }
  })

  it('asks before a user may see it, and reports who comes and goes', async () => {
    await online()
    await alice.send(xml('presence', { to: 'bot@localhost', type: 'subscribe' }))
    await until(() => requests.length === 1, 'the request')
    expect(requests[0]).to.deep.include({ kind: 'friend', sender: { id: 'alice@localhost' } })
    const eve = await User.enter(server, 'eve')
    await eve.join(ROOM)
    await until(() => notices.some(({ kind, target }) => kind === 'group-join' && target?.name === 'eve'), 'the notice')
    await eve.leave()
  })

  it('names the keys of a wrong password, tries it once a minute, and shows no secret', async () => {
    const service = await start({ password: 'wrong-secret' })
    const lastError = async (): Promise<string | undefined> => (await service.info('xmpp', 'bot')).lastError
    await until(async () => (await lastError()) !== undefined, 'the refusal')
    expect(await lastError()).to.equal('The server refuses the login (not-authorized): check `jid` and `password`')
    expect(JSON.stringify(log)).not.to.include('wrong-secret')
  })

  it('wants encryption, unless the configuration says otherwise', async () => {
    const service = await start({ insecure: false })
    await until(async () => (await service.info('xmpp', 'bot')).lastError !== undefined, 'the refusal')
    expect((await service.info('xmpp', 'bot')).lastError).to.include('no encryption')
  })

  it('can be tested before it is saved, and lacks nothing on a server with an archive', async () => {
    const probe = xmpp.probe as unknown as (account: object) => Promise<unknown>
    const signal = new AbortController().signal
    const found = await probe({ config: account(), clock: systemClock, log: { warn() {}, debug() {} }, signal })
    expect(found).to.deep.equal({ id: 'bot@localhost' })
  })
})
