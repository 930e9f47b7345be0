import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { At, Audio, Formatted, Image, Reply, Text, type Content, type OutboundMessage } from '@mynah/plugin-chat/api'
import { ALICE, BOT, PASSWORD, type MockRoom } from './homeserver.js'
import { failure, MatrixHost, until } from './matrix-host.js'

describe('Messages to Matrix', () => {
  let matrix: MatrixHost
  let room: MockRoom
  beforeEach(async () => {
    matrix = await (await MatrixHost.start()).online()
    room = matrix.server.room('Town')
  })
  afterEach(() => matrix.stop())
  const town = (): { type: 'group'; id: string } => ({ type: 'group', id: room.id })
  const send = (content: Content) => matrix.send(content, town())
  const last = (): Record<string, any> => matrix.sent.at(-1)!.content
  const message = (text: string, key: string): OutboundMessage => ({ segments: [Text(text)], text, key })

  it('keep characters of all planes, as text and as HTML', async () => {
    const text = Array.from({ length: 16 }, (_, plane) =>
      String.fromCodePoint(plane * 0x10000 + (0x1f30a % 0xff00)),
    ).join('')
    await send(`${text} 👩‍👩‍👧 \u202eabc <b> & "x"`)
    expect(last()).to.deep.equal({
      msgtype: 'm.text',
      body: `${text} 👩‍👩‍👧 \u202eabc <b> & "x"`,
      'm.mentions': {},
    })
    matrix.server.say(room, text)
    await matrix.hears(1)
    expect(matrix.texts).to.deep.equal([text])
  })

  it('are formatted', async () => {
    await send([
      Formatted(
        '**bold** and `a < b` [link](https://example.org/?a=1&b=2)\n\n```ts\nif (a < b)\n  c()\n```\n\n> quoted',
      ),
    ])
    expect(last()['body']).to.include('bold and a < b link').and.not.include('**')
    expect(last()['formatted_body']).to.equal(
      '<strong>bold</strong> and <code>a &lt; b</code> <a href="https://example.org/?a=1&amp;b=2">link</a><br/><br/>' +
        '<pre><code class="language-ts">if (a &lt; b)\n  c()</code></pre><br/><br/><blockquote>quoted</blockquote>',
    )
  })

  it('notify only users that a mention names', async () => {
    await send([Text('hello '), At(ALICE, 'Alice'), Text(' and @eve:mock.test '), At('all')])
    expect(last()['m.mentions']).to.deep.equal({ user_ids: [ALICE], room: true })
    expect(last()['formatted_body']).to.include(`<a href="https://matrix.to/#/${encodeURIComponent(ALICE)}">Alice</a>`)
    expect(last()['body']).to.equal('hello Alice and @eve:mock.test @room')
  })

  it('answer others, in the room and in a thread', async () => {
    const first = matrix.server.say(room, 'tea?')
    await send([Reply(first), Text('yes')])
    expect(last()['m.relates_to']).to.deep.equal({ 'm.in_reply_to': { event_id: first } })
    await matrix.send('in the thread', { type: 'group', id: `${room.id}:${first}` })
    expect(last()['m.relates_to']).to.deep.equal({
      rel_type: 'm.thread',
      event_id: first,
      is_falling_back: true,
      'm.in_reply_to': { event_id: first },
    })
  })

  it('have files: bytes, files of this machine, and voice notes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-matrix-'))
    try {
      await writeFile(join(folder, 'cat.png'), 'a picture')
      await send([Text('my cat'), Image({ file: join(folder, 'cat.png'), mime: 'image/png' })])
      expect(last()).to.deep.include({ msgtype: 'm.image', body: 'my cat', filename: 'cat.png' })
      expect(last()['info']).to.deep.equal({ mimetype: 'image/png', size: 9 })
      const stored = matrix.server.files.get(last()['url'].split('/').at(-1))
      expect(stored!.bytes.toString()).to.equal('a picture')
      await send([Audio({ base64: Buffer.from('sound').toString('base64'), voice: true } as never)])
      expect(last()['org.matrix.msc3245.voice']).to.deep.equal({})
      expect((await failure(send([Image({ file: join(folder, 'no.png') })]))).message).to.include(
        '"no.png" cannot be read',
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('are refused once where they are too large', async () => {
    const calls = matrix.sent.length
    const tooLarge = [Image({ base64: Buffer.alloc(1_100_000).toString('base64') })]
    const error = await failure(send(tooLarge))
    expect(error.message).to.include('M_TOO_LARGE')
    expect(error.code).to.equal('invalid_request')
    expect(matrix.sent).to.have.length(calls)
    const text = '\u0001'.repeat(12_000)
    expect((await failure(matrix.bot.send(town(), message(text, 'large')))).message).to.include('larger than')
  })

  it('lose their formatting rather than their words where they would be too large', async () => {
    const entities = [{ type: 'bold', offset: 0, length: 31_000 }]
    const segments = [{ type: 'text', data: { text: 'x'.repeat(31_000), entities } }] as never
    await matrix.bot.send(town(), { segments, text: '', key: 'formatted' })
    expect(last()['formatted_body']).to.equal(undefined)
    expect(last()['body']).to.have.length(31_000)
  })

  it('go to the private room of a user, which is created once', async () => {
    const first = await matrix.send('hello')
    await matrix.send('again')
    expect(matrix.server.rooms.size).to.equal(2)
    const made = Array.from(matrix.server.rooms.values())[1]!
    expect(made.events.map(({ event_id }) => event_id)).to.include(first.messageId)
    matrix.server.join(made, ALICE)
    matrix.server.say(made, 'hi')
    await matrix.hears(1)
    expect(matrix.messages[0]!.channel).to.deep.include({ type: 'private', id: ALICE })
    await matrix.halt()
    await matrix.run()
    await matrix.online()
    await matrix.send('after a restart')
    expect(matrix.server.rooms.size).to.equal(2)
  })

  it('are refused for what is no room and no user, and for rooms without the bot', async () => {
    const other = matrix.server.room('Other', [ALICE])
    const error = await failure(matrix.send('x', { type: 'group', id: other.id }))
    expect(error.message).to.include(`M_FORBIDDEN User ${BOT} not in room`)
    expect(error.code).to.equal('invalid_request')
    expect((await failure(matrix.send('x', { type: 'group', id: 'nonsense' }))).message).to.include(
      'no room and no user',
    )
  })

  it('are taken once for each key, also where the answer was lost and after a restart', async () => {
    matrix.server.http.fail(/send\/m\.room\.message/, 'swallow')
    const lost = await matrix.bot.send(town(), message('once', 'key-1')).catch((error: Error) => error)
    const again = await matrix.bot.send(town(), message('once', 'key-1'))
    expect(lost instanceof Error || lost.messageId === again.messageId).to.equal(true)
    await matrix.halt()
    await matrix.run()
    await matrix.online()
    expect(await matrix.bot.send(town(), message('once', 'key-1'))).to.deep.equal(again)
    expect(matrix.sent.filter(({ content }) => content['body'] === 'once')).to.have.length(1)
  })

  it('are unknown where the answer is lost, and not sent where the server is gone', async () => {
    matrix.server.http.fail(/send\/m\.room\.message/, 'swallow', 2)
    const lost = await failure(matrix.bot.send(town(), message('lost', 'key-2')))
    expect(lost.name).to.equal('Error')
    expect(lost.message).to.include('may have arrived')
    await matrix.server.http.kill()
    const gone = await failure(matrix.bot.send(town(), message('gone', 'key-3')))
    expect(gone).to.deep.include({ name: 'SendError', kind: 'offline' })
    await matrix.server.http.start()
  })

  it('wait as long as the homeserver asks, with the whole account', async () => {
    const limited = (ms: number) => ({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: ms },
    })
    matrix.server.http.fail(/send\/m\.room\.message/, limited(40))
    await send('after a pause')
    expect(last()['body']).to.equal('after a pause')
    matrix.server.http.fail(/send\/m\.room\.message/, limited(90_000))
    const error = await failure(matrix.bot.send(town(), message('later', 'key-4')))
    expect(error).to.deep.include({ kind: 'rate-limited', retryAfter: 90_000, scope: 'endpoint' })
    matrix.server.http.fail(/send\/m\.room\.message/, { ...limited(0), body: { errcode: 'M_LIMIT_EXCEEDED' } })
    const named = await failure(matrix.bot.send(town(), message('later', 'key-5')))
    expect(named).to.deep.include({ retryAfter: 1_000 })
  })

  it('are replaced, deleted and reacted to', async () => {
    const { messageId } = await send('first')
    await matrix.bot.edit(town(), messageId, message('second', 'edit'))
    expect(last()).to.deep.include({ body: '* second' })
    expect(last()['m.new_content']).to.deep.equal({ msgtype: 'm.text', body: 'second', 'm.mentions': {} })
    expect(last()['m.relates_to']).to.deep.equal({ rel_type: 'm.replace', event_id: messageId })
    await matrix.bot.edit(town(), messageId, message('first', 'edit'))
    await matrix.bot.edit(town(), messageId, message('second', 'edit'))
    expect(last()['body']).to.equal('* second')
    const said = matrix.server.say(room, 'look')
    await matrix.bot.react(town(), said, '👀', true)
    await matrix.bot.react(town(), said, '👀', true)
    const reactions = (): number =>
      room.events.filter(({ type, content }) => type === 'm.reaction' && content['m.relates_to']).length
    expect(reactions()).to.equal(1)
    await matrix.bot.react(town(), said, '👀', false)
    expect(reactions()).to.equal(0)
    await matrix.bot.recall(town(), messageId)
    expect(room.events.find(({ event_id }) => event_id === messageId)!.content).to.deep.equal({})
    await matrix.bot.typing(town())
    expect(matrix.server.typing).to.deep.equal([room.id])
  })

  it('come with what a moderator does', async () => {
    room.members.set('@eve:mock.test', 'join')
    const [group] = await matrix.bot.groups()
    expect(group).to.deep.equal({ id: room.id, name: 'Town', memberCount: 3 })
    const members = await matrix.bot.groupMembers(room.id)
    expect(members).to.deep.include({ id: ALICE, name: 'Alice', role: 'owner' })
    const refusal = await failure(matrix.bot.groupKick(room.id, '@eve:mock.test'))
    expect(refusal).to.deep.include({ code: 'forbidden' })
    expect(refusal.message).to.include('cannot kick')
    await matrix.bot.groupAdmin(room.id, '@eve:mock.test', true)
    expect(room.levels['@eve:mock.test']).to.equal(50)
    room.levels[BOT] = 100
    await matrix.bot.groupKick(room.id, '@eve:mock.test')
    expect(room.members.has('@eve:mock.test')).to.equal(false)
  })
})

describe('Media of the web', () => {
  let files: Server
  let asked: string[]
  let origin: string
  beforeEach(async () => {
    asked = []
    files = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/moved') response.writeHead(302, { location: '/cat.png' }).end()
      else response.writeHead(200, { 'content-type': 'image/png' }).end('a picture')
    })
    await once(files.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  })
  afterEach(() => void files.close())

  const sending = async (config: Record<string, unknown>, address: string): Promise<Record<string, any>> => {
    const matrix = await (await MatrixHost.start({ config })).online()
    const room = matrix.server.room('Town')
    try {
      await matrix.send([Text('look'), Image({ url: address, alt: 'a cat' })], { type: 'group', id: room.id })
      return matrix.sent.at(-1)!.content
    } finally {
      await matrix.stop()
    }
  }

  it('are not fetched from private addresses, but sent as their address', async () => {
    const local = origin.replace('127.0.0.1', 'localhost')
    for (const address of [
      `${origin}/cat.png`,
      `${local}/cat.png`,
      origin.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ]) {
      const content = await sending({}, address)
      expect(content['msgtype']).to.equal('m.text')
      expect(content['body']).to.include(address)
    }
    expect(asked).to.deep.equal([])
  })

  it('are fetched from them where the configuration says so', async () => {
    const content = await sending({ privateMedia: true }, `${origin}/moved`)
    expect(content).to.deep.include({ msgtype: 'm.image', filename: 'moved', body: 'look' })
    expect(asked).to.deep.equal(['/moved', '/cat.png'])
  })
})

describe('Two accounts', () => {
  it('share nothing', async () => {
    const first = await MatrixHost.start({ config: { token: undefined, user: 'bot', password: PASSWORD } })
    const second = await MatrixHost.start()
    try {
      await Promise.all([first.online(), second.online()])
      first.server.say(first.server.room('One'), 'one')
      second.server.say(second.server.room('Two'), 'two')
      await Promise.all([first.hears(1), second.hears(1)])
      await first.send('hello')
      await until(() => first.sent.length === 1, 'the message')
      expect([first.texts, second.texts, second.sent.length]).to.deep.equal([['one'], ['two'], 0])
    } finally {
      await first.stop()
      await second.stop()
    }
  })
})
