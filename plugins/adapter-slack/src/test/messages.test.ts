import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { At, Card, File, Image, SendError, Text, type EndpointHandle } from '@mynah/plugin-chat/api'
import { SlackApi, SlackError, NoAnswerError } from '../api.js'
import { SlackBot } from '../bot.js'
import type { SlackConfig } from '../config.js'
import { Directory } from '../directory.js'
import { emojiName, emojiOf } from '../emoji.js'
import { sendError } from '../errors.js'
import { Events } from '../events.js'
import { segmentsOf } from '../inbound.js'
import { Lanes } from '../lanes.js'
import { cutAt, mrkdwnOf } from '../mrkdwn.js'
import { bodyOf, compose } from '../outbound.js'
import { Positions } from '../positions.js'
import { probe } from '../probe.js'
import { Sender } from '../sender.js'
import { SocketMode } from '../socket-mode.js'
import { ALICE, BOB, FIRST, HELPER, PRIVATE, ROOM, SCOPES, SlackServer } from './slack-server.js'
import { mistakesInBlocks } from './slack-rules.js'
import { hasty, room, SlackHost, until } from './slack-host.js'

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
const noNames = (): undefined => undefined

describe('Messages for Slack', () => {
  it('notify only whom they name', async () => {
    const { text } = await compose([Text('<!channel> @here <@U0BOB00001> & '), At(BOB), Text(' '), At('ann', 'Ann')])
    expect(text).to.equal(`&lt;!channel&gt; @here &lt;@U0BOB00001&gt; &amp; <@${BOB}> @Ann`)
    expect((await compose([At('all')])).text).to.equal('<!channel>')
  })

  it('have cards as blocks with buttons, and as words what Slack would refuse', async () => {
    const buttons = [
      { text: 'Go', command: '/go' },
      { text: 'Also', command: '/go' },
      { text: 'Site', url: 'https://example.org' },
      { text: 'Odd', url: 'ftp://example.org' },
      { text: 'x'.repeat(76), command: '/long' },
    ]
    const fields = Array.from({ length: 11 }, (_, index) => ({ name: `n${index}`, value: '<v>' }))
    const composed = await compose([Text('See'), Card({ title: 'T', text: 'D'.repeat(3_001), fields, buttons })])
    expect(mistakesInBlocks(JSON.stringify(composed.blocks))).to.deep.equal([])
    const types = composed.blocks.map(({ type }) => type)
    const sections = Array.from({ length: 6 }, () => 'section')
    expect(types).to.deep.equal(['section', 'header', ...sections, 'actions'])
    const { elements } = composed.blocks.at(-1) as { elements: { value?: string; url?: string }[] }
    expect(elements.map(({ value, url }) => value ?? url)).to.deep.equal(['/go', '/go', 'https://example.org'])
    expect(composed.text).to.include('See\nT\nDDD').and.include('Odd: ftp://example.org').and.include('n0: &lt;v&gt;')
    const large = [Card({ title: 'T', fields: [{ name: 'n', value: 'v'.repeat(2_001) }] })]
    expect(await failure(compose(large))).to.include({ name: 'SendError', kind: 'refused' })
  })

  it('have addresses of pictures as blocks, which this host does not fetch', async () => {
    const { blocks, text, files } = await compose([Image('http://169.254.169.254/a'), File('http://127.0.0.1/x')])
    expect(blocks.at(-1)).to.deep.equal({ type: 'image', image_url: 'http://169.254.169.254/a', alt_text: 'picture' })
    expect([text, files]).to.deep.equal(['http://127.0.0.1/x', []])
    expect(await failure(compose([Image('file:///etc/passwd')]))).to.include({ kind: 'refused' })
    expect(await failure(compose([Text(' ')]))).to.include({ kind: 'refused' })
    expect(bodyOf({ text: 'a', blocks: [], files: [] }, ['https://f.slack.com/1']).text).to.equal(
      'a<https://f.slack.com/1| >',
    )
  })

  it('are formatted in mrkdwn', () => {
    const text = 'bold <b> code&x site'
    const marked = mrkdwnOf(text, [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'code', offset: 9, length: 6 },
      { type: 'link', offset: 16, length: 4, url: 'https://example.org/?a=1&b=<|>' },
    ])
    expect(marked).to.equal('*bold* &lt;b&gt; `code&amp;x` <https://example.org/?a=1&amp;b=%3C%7C%3E|site>')
    expect(mrkdwnOf('one\ntwo', [{ type: 'quote', offset: 0, length: 7 }])).to.equal('>one\n>two')
    expect(mrkdwnOf('x', [{ type: 'pre', offset: 0, length: 1, language: 'js' }])).to.equal('```\nx\n```')
    expect(cutAt(6, 'ab&amp;c<@U1>')).to.deep.equal(['ab', '&amp;c', '<@U1>'])
  })

  it('wait as Slack asks, and are refused in the words of Slack', () => {
    const limited = new SlackError('chat.postMessage', 429, { error: 'ratelimited' }, 90_000)
    expect(sendError(limited)).to.include({ kind: 'rate-limited', retryAfter: 90_000, scope: 'channel' })
    const lacking = new SlackError('chat.postMessage', 200, { error: 'missing_scope', needed: 'chat:write' })
    expect(sendError(lacking).message).to.include('missing_scope').and.include('"chat:write"')
    expect(sendError(lacking)).to.include({ kind: 'refused' })
    expect(sendError(new SlackError('x', 200, { error: 'token_revoked' }))).to.include({ kind: 'offline' })
    expect(sendError(new NoAnswerError('ECONNREFUSED', false))).to.include({ kind: 'offline' })
    expect(sendError(new NoAnswerError('ECONNRESET', true)).name).to.equal('Error')
    expect(sendError(new SlackError('x', 200, { error: 'fatal_error' })).name).to.equal('Error')
    expect(sendError(new SlackError('x', 503, {})).name).to.equal('Error')
  })
})

describe('Messages from Slack', () => {
  const textOf = (message: object): unknown[] =>
    segmentsOf(message as never, noNames).map(({ type, data }) =>
      type === 'text' ? data.text : [type, data.id ?? data.fileId ?? data.url],
    )

  it('have mentions, links and emojis', () => {
    const links = '<https://example.org|the &lt;site&gt;> <https://example.org>'
    const others = '<!here> <!subteam^S1|@team> a &lt;b&gt; &amp;lt; :wave::skin-tone-3: :own:'
    const text = `<@${BOB}|bob> in <#C01|town>: ${links} ${others}`
    const blocks = [
      { elements: [{ elements: [{ type: 'emoji', name: 'wave', unicode: '1f44b-1f3fc', skin_tone: 3 }] }] },
    ]
    expect(textOf({ text, blocks }).flat().join('')).to.equal(
      `at${BOB} in #town: the <site> (https://example.org) https://example.org @here @team a <b> &lt; 👋🏼 :own:`,
    )
    expect(textOf({ text: '<mailto:a@example.org|a@example.org> <http://example.org|example.org>' }).join('')).to.equal(
      'a@example.org http://example.org',
    )
    expect(textOf({ attachments: [{ fallback: 'build &amp; test' }] })).to.deep.equal(['build & test'])
    const files = [
      { id: 'F01', mimetype: 'image/png' },
      { id: 'F02', is_external: true, url_private: 'https://example.org/doc', mimetype: 'text/plain' },
      { id: 'F03', mode: 'tombstone' },
    ]
    expect(textOf({ files })).to.deep.equal([
      ['image', 'F01'],
      ['file', 'https://example.org/doc'],
    ])
  })

  it('have names of emojis in both directions', () => {
    expect([emojiName('👍'), emojiName('❤️'), emojiName(':own_one:'), emojiName('🫎')]).to.deep.equal([
      '+1',
      'heart',
      'own_one',
      undefined,
    ])
    expect([emojiOf('thumbsup'), emojiOf('+1::skin-tone-2'), emojiOf('own_one')]).to.deep.equal(['👍', '👍', 'own_one'])
  })
})

describe('Conversations in Slack', function () {
  this.timeout(60_000)
  let bot: SlackHost
  afterEach(() => bot.stop())

  it('go on in a thread of the message', async () => {
    bot = await SlackHost.start({ replies: 'thread' })
    bot.answer = { content: 'in the thread' }
    const { ts } = await bot.server.say('a question')
    await until(() => bot.server.sent.length === 1, 'the answer')
    expect(bot.messages[0]?.channel.id).to.equal(`${ROOM}:${String(ts)}`)
    expect(bot.server.sent[0]).to.include({ channel: ROOM, thread: ts, text: 'in the thread' })
    await bot.server.say('more', { thread_ts: ts })
    await until(() => bot.server.sent.length === 2, 'the second answer')
    expect(bot.messages[1]?.channel.id).to.equal(`${ROOM}:${String(ts)}`)
    await bot.server.say('in private', { channel: PRIVATE })
    await until(() => bot.server.sent.length === 3, 'the private answer')
    expect(bot.server.sent[2]).to.include({ channel: PRIVATE, thread: undefined })
  })

  it('with one user in a channel are seen by that user only', async () => {
    bot = await SlackHost.start()
    bot.answer = { content: 'a secret', options: { onlySender: true } }
    await bot.server.say('what is it?')
    await until(() => bot.server.sent.length === 1, 'the answer')
    expect(bot.server.sent[0]).to.include({ kind: 'ephemeral', channel: ROOM, text: 'a secret', user: ALICE })
    await bot.server.interact('slash_commands', { command: '/secret', text: '' })
    await until(() => bot.server.sent.length === 2, 'the answer to the command')
    expect(bot.server.sent[1]).to.include({ kind: 'response', text: 'a secret', user: 'ephemeral' })
    bot.server.http.fault(/postEphemeral/, { body: { ok: false, error: 'user_not_in_channel' } })
    await bot.server.say('and from outside?')
    await until(() => bot.server.sent.length === 3, 'the private message')
    expect(bot.server.sent[2]).to.include({ kind: 'message', channel: PRIVATE, text: 'a secret' })
  })

  it('where the bot may not be are answered by the address of the command', async () => {
    bot = await SlackHost.start()
    bot.answer = { content: 'a six' }
    bot.server.http.fault(/chat\.postMessage/, { body: { ok: false, error: 'not_in_channel' } }, 2)
    await bot.server.interact('slash_commands', { command: '/roll', text: '1 die' })
    await until(() => bot.server.sent.length === 1, 'the answer')
    expect(bot.server.sent[0]).to.include({ kind: 'response', text: 'a six', user: 'in_channel' })
    const said = JSON.stringify([bot.log, await bot.chat.info('slack', 'bot')])
    expect(said).to.not.include('/response/')
    // Without an address the refusal is final.
    const error = await failure(bot.chat.send('slack', 'bot', room, 'hello'))
    expect(error.message).to.include('not_in_channel')
  })

  it('do not take the edits of others as those of the sender', async () => {
    bot = await SlackHost.start()
    const message = await bot.server.say('mine')
    await bot.hears(1)
    const change = (text: string, more: object) =>
      bot.server.dispatch({
        type: 'message',
        subtype: 'message_changed',
        channel: ROOM,
        message: { ...message, text, ...more },
        previous_message: message,
      })
    // A preview of a link is no edit.
    await change('mine', { attachments: [{ fallback: 'preview' }] })
    await change('not mine', { edited: { user: HELPER, ts: bot.server.newTs() } })
    await change('still mine', { edited: { user: ALICE, ts: bot.server.newTs() } })
    await bot.server.say('after')
    await bot.hears(2)
    const rows = await bot.chat.transcript({ adapter: 'slack', endpoint: 'bot', channel: room, limit: 5 })
    expect(rows.map(({ text }) => text))
      .to.include('still mine')
      .and.not.include('not mine')
  })

  it('have files of servers of Slack only', async () => {
    bot = await SlackHost.start()
    bot.server.files.set('F01', { bytes: Buffer.from('x'), name: 'x', mime: 'image/png', isDone: true, length: 1 })
    const segment = { type: 'image', data: { fileId: 'F01' } }
    const limits = { maxBytes: 10, signal: new AbortController().signal }
    expect(Buffer.from(await bot.chat.fetchMedia('slack', 'bot', segment, limits)).toString()).to.equal('x')
    bot.server.elsewhere = 'http://169.254.169.254/latest'
    expect((await failure(bot.chat.fetchMedia('slack', 'bot', segment, limits))).message).to.include('not fetched')
    bot.server.elsewhere = undefined
    bot.server.http.fault(/GET \/files/, { headers: { 'content-type': 'text/html' }, body: '<html>' })
    expect((await failure(bot.chat.fetchMedia('slack', 'bot', segment, limits))).message).to.include('files:read')
  })
})

describe('Parts of the adapter for Slack', function () {
  this.timeout(60_000)
  let server: SlackServer
  const stopped = new AbortController()
  const config = (): SlackConfig => ({ botToken: FIRST.botToken, appToken: FIRST.appToken, apiRoot: server.apiRoot })
  beforeEach(async () => {
    server = await new SlackServer().listen()
  })
  afterEach(() => server.stop())

  it('acknowledge an interaction in time, although the store has not taken it', async () => {
    let release = (): void => {}
    const stored = new Promise<void>((resolve) => (release = resolve))
    const api = new SlackApi(config(), stopped.signal)
    const endpoint = { config: config(), clock: hasty, receive: () => stored } as unknown as EndpointHandle<SlackConfig>
    const events = new Events({
      endpoint,
      directory: new Directory(api),
      positions: new Positions({ get: async () => undefined, set: async () => {} }),
      lanes: new Lanes(),
      me: () => ({ user: FIRST.user, bot: FIRST.bot, team: FIRST.team }),
      prefix: () => '/',
    })
    let taken = 0
    const socket = await SocketMode.open({
      clock: hasty,
      signal: stopped.signal,
      address: async () => String((await api.call('apps.connections.open', {}, FIRST.appToken)).url),
      onOpen: () => {},
      onEnvelope: (envelope) => events.take(envelope).then(() => void taken++),
      onLost: () => {},
    })
    try {
      await server.interact('slash_commands', { command: '/roll', text: '' })
      await until(() => server.acknowledged.length === 1, 'the acknowledgement before the store has answered')
      expect(taken).to.equal(0)
      release()
      await until(() => taken === 1, 'the end of the store')
      expect(server.acknowledged).to.have.length(1)
    } finally {
      await socket.close()
    }
  })

  it('list channels and their members', async () => {
    const cursor = { get: async () => undefined, set: async () => {} }
    const endpoint = { config: config(), clock: systemClock, cursor, signal: stopped.signal }
    const bot = new SlackBot(endpoint as unknown as EndpointHandle<SlackConfig>, () => true)
    expect(await bot.groups()).to.deep.equal([{ id: ROOM, name: 'room' }])
    const members = await bot.groupMembers(ROOM)
    expect(members.map(({ id, name }) => [id, name])).to.deep.include([ALICE, 'ali'])
  })

  it('look for a message whose outcome is not known', async () => {
    const cursors = new Map<string, string>()
    const cursor = {
      get: async (name: string) => cursors.get(name),
      set: async (values: object) =>
        Object.entries(values).forEach(([name, value]) => cursors.set(name, String(value))),
    }
    const sender = (): Sender => {
      const api = new SlackApi(config(), stopped.signal)
      const endpoint = { clock: systemClock, cursor } as unknown as EndpointHandle
      return new Sender(endpoint, api, new Directory(api))
    }
    const began = Date.now()
    const { messageId } = await sender().send(room, { key: 'k-1', segments: [Text('one')], text: 'one' })
    for (let index = 0; index < 250; index++) await server.say(`other ${index}`)
    expect(await sender().find(room, 'k-1', began)).to.deep.equal({ messageId })
    expect(await sender().find(room, 'k-2', began)).to.equal(null)
    // A message that only one user has seen is in no history, also after a restart.
    await sender().send(room, { key: 'k-3', segments: [Text('psst')], text: 'psst', only: ALICE })
    expect(await sender().find(room, 'k-3', began)).to.equal(undefined)
  })

  it('hold the account where two channels are limited at the same time', async () => {
    const api = new SlackApi(config(), stopped.signal)
    const cursor = { get: async () => undefined, set: async () => {} }
    const sender = new Sender({ clock: systemClock, cursor } as unknown as EndpointHandle, api, new Directory(api))
    const limited = { status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } }
    server.http.fault(/chat\.postMessage/, limited, 3)
    const scopeIn = async (id: string): Promise<string> => {
      const message = { key: id, segments: [Text('x')], text: 'x' }
      return ((await failure(sender.send({ type: 'group', id }, message))) as SendError).scope
    }
    expect([await scopeIn(ROOM), await scopeIn(ROOM), await scopeIn('C0ANY00001')]).to.deep.equal([
      'channel',
      'channel',
      'endpoint',
    ])
  })

  it('test an account, and say what is missing in the words of Slack', async () => {
    const log = undefined as never
    const test = (more: object = {}) =>
      probe({ config: { ...config(), ...more }, clock: systemClock, log, signal: stopped.signal })
    expect(await test()).to.deep.equal({ id: FIRST.user, name: 'mynah' })
    server.scopes = SCOPES.filter((scope) => scope !== 'files:write')
    const { missing = [] } = await test()
    expect(missing).to.have.length(1)
    expect(missing[0]).to.include('"files:write"')
    expect((await failure(test({ botToken: 'xoxb-no-such-bot' }))).message).to.include('`botToken`')
    expect((await failure(test({ appToken: 'xapp-no-such-app' }))).message).to.include('`appToken`')
    expect(server.sockets()).to.deep.equal([])
  })

  it('have a manifest with all scopes and events in the README', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    for (const scope of SCOPES) expect(readme, scope).to.include(`- ${scope}\n`)
    for (const event of ['message.channels', 'message.groups', 'message.im', 'message.mpim', 'reaction_added'])
      expect(readme).to.include(`- ${event}\n`)
  })
})
