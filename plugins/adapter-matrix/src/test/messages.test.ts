import { expect } from 'chai'
import { ALICE, BOT } from './homeserver.js'
import { failure, MatrixHost, until } from './matrix-host.js'

describe('Messages from Matrix', () => {
  let matrix: MatrixHost
  afterEach(() => matrix.stop())
  const start = async (config: Record<string, unknown> = {}): Promise<void> => {
    matrix = await (await MatrixHost.start({ config })).online()
  }
  const hear = async (count = 1): Promise<MatrixHost['messages'][number]> => {
    await matrix.hears(count)
    return matrix.messages[count - 1]!
  }

  it('are private in a room without a name that the bot shares with one user', async () => {
    await start()
    const room = matrix.server.room()
    const id = matrix.server.say(room, 'hello')
    const message = await hear()
    expect(message.id).to.equal(id)
    expect(message.channel).to.deep.equal({ type: 'private', id: ALICE, name: 'Alice' })
    expect(message.sender).to.deep.include({ id: ALICE, name: 'Alice' })
    expect(message.addressed).to.equal(true)
    await until(() => matrix.server.accountData !== undefined, 'the private room to be stored')
    expect(matrix.server.accountData).to.deep.equal({ [ALICE]: [room.id] })
  })

  it('are those of a group in a room with a name, with the role of the sender', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Town', [ALICE, BOT, '@eve:mock.test'])
    server.say(room, 'hello')
    server.say(room, 'hi', {}, '@eve:mock.test')
    await matrix.hears(2)
    const [first, second] = matrix.messages
    expect(first!.channel).to.deep.equal({ type: 'group', id: room.id, name: 'Town' })
    expect(first!.addressed).to.equal(false)
    expect(Array.from(first!.roles)).to.include('group_owner')
    expect(Array.from(second!.roles)).not.to.include('group_owner')
    expect(second!.sender.name).to.equal('eve')
  })

  it('mention the bot, others and everybody in the room', async () => {
    await start()
    const { server } = matrix
    server.names.set('@eve:mock.test', 'Eve (she)')
    const room = server.room('Town', [ALICE, BOT, '@eve:mock.test'])
    server.say(room, 'Mynah: /help me', { 'm.mentions': { user_ids: [BOT] } })
    server.say(room, 'ask @Eve (she), not Mynah', { 'm.mentions': { user_ids: ['@eve:mock.test'] } })
    server.say(room, 'look @room!', { 'm.mentions': { room: true } })
    server.say(room, 'from an old client', {
      'm.mentions': undefined,
      format: 'org.matrix.custom.html',
      formatted_body: `<a href="https://matrix.to/#/${BOT}">Mynah</a> is mentioned`,
    })
    server.say(room, `@mynah, hello`, { 'm.mentions': undefined })
    await matrix.hears(5)
    const [bot, eve, all, old, oldest] = matrix.messages
    expect(bot!.addressed).to.equal(true)
    expect(bot!.segments).to.deep.equal([
      { type: 'at', data: { id: BOT, name: 'Mynah' } },
      { type: 'text', data: { text: ' /help me' } },
    ])
    expect(eve!.addressed).to.equal(false)
    expect(eve!.segments[1]).to.deep.equal({ type: 'at', data: { id: '@eve:mock.test', name: 'Eve (she)' } })
    expect(all!.segments[1]).to.deep.equal({ type: 'at', data: { id: 'all', name: 'room' } })
    expect(all!.addressed).to.equal(false)
    expect(old!.addressed).to.equal(true)
    expect(oldest!.addressed).to.equal(true)
  })

  it('answer another message, without the lines that older clients quote', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Town')
    const first = server.say(room, 'tea?')
    const answers = { 'm.relates_to': { 'm.in_reply_to': { event_id: first } } }
    server.say(room, `> <${ALICE}> tea?\n> really?\n\nyes`, answers)
    await matrix.hears(2)
    expect(matrix.messages[1]).to.deep.include({ replyTo: first, text: 'yes' })
    const { messageId } = await matrix.send('milk?', { type: 'group', id: room.id })
    server.say(room, 'please', { 'm.relates_to': { 'm.in_reply_to': { event_id: messageId } } })
    await matrix.hears(3)
    expect(matrix.messages[2]!.addressed).to.equal(true)
  })

  it('have files, with their words', async () => {
    await start()
    const { server } = matrix
    const room = server.room()
    server.files.set('cat', { bytes: Buffer.from('a picture'), type: 'image/png' })
    const url = 'mxc://mock.test/cat'
    const info = { mimetype: 'image/png', size: 9, w: 2, h: 3 }
    server.say(room, 'my cat', { msgtype: 'm.image', filename: 'cat.png', url, info })
    server.say(room, 'note.ogg', { msgtype: 'm.audio', url, info: { duration: 7 }, 'org.matrix.msc3245.voice': {} })
    server.say(room, 'secret.pdf', { msgtype: 'm.file', file: { url } })
    server.add(room, ALICE, 'm.sticker', { body: 'wave', url, info })
    await matrix.hears(4)
    const [image, voice, encrypted, sticker] = matrix.messages
    expect(image!.segments).to.deep.equal([
      { type: 'image', data: { fileId: url, name: 'cat.png', mime: 'image/png', size: 9, width: 2, height: 3 } },
      { type: 'text', data: { text: 'my cat' } },
    ])
    expect(voice!.segments[0]!.data).to.deep.include({ fileId: url, voice: true, duration: 7 })
    expect(encrypted!.text).to.equal('secret.pdf')
    expect(sticker!.segments[0]!.type).to.equal('image')
    const limits = { maxBytes: 100, signal: new AbortController().signal }
    const bytes = await matrix.chat.fetchMedia('matrix', 'bot', image!.segments[0]!, limits)
    expect(Buffer.from(bytes).toString()).to.equal('a picture')
    const small = matrix.chat.fetchMedia('matrix', 'bot', image!.segments[0]!, { ...limits, maxBytes: 3 })
    expect(await small.catch(({ code }) => code)).to.be.oneOf(['upstream_unavailable', 'too_large'])
  })

  it('do not include the own ones, and mark those of other bots', async () => {
    await start()
    const { server } = matrix
    const room = server.room()
    await matrix.send('an own message')
    server.say(room, 'by another client of the account', {}, BOT)
    server.say(room, 'I am a bot', { msgtype: 'm.notice' })
    server.say(room, 'alice waves', { msgtype: 'm.emote' })
    await until(() => matrix.texts.includes('* Alice alice waves'), 'the last message')
    expect(matrix.texts.filter((text) => /own|account/.test(text))).to.deep.equal([])
  })

  it('from before the bot joined are not heard', async () => {
    await start({ autoJoin: 'all' })
    const { server } = matrix
    const room = server.room('Town', [ALICE])
    for (let index = 0; index < 120; index++) server.say(room, `old ${index}`)
    server.invite(room, ALICE)
    await until(() => room.members.get(BOT) === 'join', 'the bot to join')
    server.say(room, 'new')
    await matrix.hears(1)
    expect(matrix.texts).to.deep.equal(['new'])
  })

  it('change, also where another user pretends to change them', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Town', [ALICE, BOT, '@eve:mock.test'])
    const id = server.say(room, 'tea')
    const edit = (body: string, sender: string): string =>
      server.say(
        room,
        `* ${body}`,
        { 'm.new_content': { msgtype: 'm.text', body }, 'm.relates_to': { rel_type: 'm.replace', event_id: id } },
        sender,
      )
    await matrix.hears(1)
    edit('poison', '@eve:mock.test')
    edit('coffee', ALICE)
    await until(() => matrix.notices.some(({ kind }) => kind === 'message-edit'), 'the edit')
    server.redact(room, id)
    await until(() => matrix.notices.some(({ kind }) => kind === 'message-delete'), 'the deletion')
    const kinds = matrix.notices.map(({ kind, payload }) => [kind, JSON.stringify(payload).includes('poison')])
    expect(kinds).to.deep.equal([
      ['message-edit', false],
      ['message-delete', false],
    ])
    expect(JSON.stringify(matrix.notices[0]!.payload)).to.include('coffee').and.include(id)
    expect(matrix.texts).to.deep.equal(['tea'])
  })

  it('get reactions, which can be taken away', async () => {
    await start()
    const { server } = matrix
    const room = server.room()
    server.say(room, 'do it')
    await matrix.hears(1)
    const { messageId } = await matrix.send('done')
    const content = { 'm.relates_to': { rel_type: 'm.annotation', event_id: messageId, key: '👍' } }
    const reaction = server.add(room, ALICE, 'm.reaction', content)
    await until(() => matrix.reactions.length === 1, 'the reaction')
    expect(matrix.reactions[0]).to.deep.include({ messageId, emoji: '👍', added: true })
    expect(matrix.reactions[0]!.sender.id).to.equal(ALICE)
    server.redact(room, reaction)
    await until(() => matrix.reactions.length === 2, 'its end')
    expect(matrix.reactions[1]).to.deep.include({ messageId, emoji: '👍', added: false })
    expect(matrix.notices).to.deep.equal([])
  })

  it('of a thread are in a channel of their own, and so are the answers', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Town')
    const root = server.say(room, 'tea?')
    const inThread = {
      rel_type: 'm.thread',
      event_id: root,
      is_falling_back: true,
      'm.in_reply_to': { event_id: root },
    }
    server.say(room, 'in the thread', { 'm.relates_to': inThread })
    matrix.answer = (message) => (message.text === 'in the thread' ? 'noted' : undefined)
    await matrix.hears(2)
    const [, message] = matrix.messages
    expect(message!.channel).to.deep.equal({
      type: 'group',
      id: `${room.id}:${root}`,
      name: 'Town',
      parent: { type: 'group', id: room.id, name: 'Town' },
    })
    expect(message!.replyTo).to.equal(undefined)
    await until(() => matrix.sent.length === 1, 'the answer')
    expect(matrix.sent[0]!.content['m.relates_to']).to.deep.include({ rel_type: 'm.thread', event_id: root })
  })

  it('start a thread with `replies: thread`, except in private', async () => {
    await start({ replies: 'thread' })
    const { server } = matrix
    const room = server.room('Town')
    const id = server.say(room, 'tea?')
    const alone = server.room()
    server.say(alone, 'private')
    matrix.answer = () => 'yes'
    await until(() => matrix.sent.length === 2, 'both answers')
    const group = matrix.messages.find(({ text }) => text === 'tea?')
    const direct = matrix.messages.find(({ text }) => text === 'private')
    expect(group!.channel.id).to.equal(`${room.id}:${id}`)
    expect(group!.channel.parent).to.deep.include({ id: room.id })
    expect(direct!.channel.id).to.equal(ALICE)
    const relations = matrix.sent.map(({ content }) => content['m.relates_to']?.rel_type)
    expect(relations).to.have.members(['m.thread', undefined])
  })

  it('that are encrypted get one notice', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Secret')
    for (let index = 0; index < 3; index++) server.add(room, ALICE, 'm.room.encrypted', { ciphertext: 'x' })
    server.say(room, 'in the clear')
    await matrix.hears(1)
    expect(matrix.sent.map(({ content }) => content['msgtype'])).to.deep.equal(['m.notice'])
    expect(matrix.sent[0]!.content['body']).to.include('cannot read encrypted messages')
  })

  it('tell who joins and leaves', async () => {
    await start()
    const { server } = matrix
    const room = server.room('Town')
    server.say(room, 'hello')
    await matrix.hears(1)
    server.join(room, '@eve:mock.test')
    await until(() => matrix.notices.length === 1, 'the notice')
    expect(matrix.notices[0]).to.deep.include({ kind: 'group-join' })
    expect(matrix.notices[0]!.target).to.deep.equal({ id: '@eve:mock.test', name: '@eve:mock.test' })
    const left = { state_key: '@eve:mock.test', unsigned: { prev_content: { membership: 'join' } } }
    server.add(room, ALICE, 'm.room.member', { membership: 'leave' }, left)
    await until(() => matrix.notices.length === 2, 'the second notice')
    expect(matrix.notices[1]).to.deep.include({ kind: 'group-leave' })
    room.members.set(BOT, 'leave')
    const kicked = { state_key: BOT, unsigned: { prev_content: { membership: 'join' } } }
    server.add(room, ALICE, 'm.room.member', { membership: 'leave' }, kicked)
    await until(() => matrix.notices.length === 3, 'the removal of the bot')
    expect(matrix.notices[2]).to.deep.include({ kind: 'group-leave', operator: { id: ALICE }, target: { id: BOT } })
    expect((await failure(matrix.send('x', { type: 'group', id: room.id }))).message).to.include('not in room')
  })
})

describe('Invitations', () => {
  let matrix: MatrixHost
  afterEach(() => matrix.stop())

  it('of the owner are accepted, those of others are requests', async () => {
    matrix = await (await MatrixHost.start({ config: { master: ALICE } })).online()
    const { server } = matrix
    const own = server.room('Own', [ALICE])
    const foreign = server.room('Foreign', ['@eve:mock.test'])
    const other = server.room('Other', ['@eve:mock.test'])
    server.invite(own, ALICE)
    server.invite(foreign, '@eve:mock.test')
    server.invite(other, '@eve:mock.test')
    await until(() => matrix.requests.length === 2 && own.members.get(BOT) === 'join', 'the requests')
    expect(matrix.requests[0]).to.deep.include({ kind: 'group-invite', sender: { id: '@eve:mock.test' } })
    const requestOf = (room: string): string => matrix.requests.find(({ id }) => id.startsWith(room))!.id
    expect(foreign.members.get(BOT)).to.equal('invite')
    const bot = matrix.bot
    await bot.requestApprove(requestOf(foreign.id))
    expect(foreign.members.get(BOT)).to.equal('join')
    await bot.requestReject(requestOf(other.id))
    expect(other.members.get(BOT)).to.equal('leave')
    expect((await failure(bot.requestApprove(requestOf(other.id)))).code).to.equal('forbidden')
  })
})
