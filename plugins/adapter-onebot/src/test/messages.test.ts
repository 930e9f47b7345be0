import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { At, Audio, Card, Face, Image, Reply, Text, type Segment } from '@mynah/plugin-chat/api'
import { until } from '@mynah/kernel/testing'
import { Account, failure, group } from './account.js'
import { ALICE, failed, GROUP, OneBotServer, SELF } from './onebot-server.js'

const text = (words: string): Segment => ({ type: 'text', data: { text: words } })

describe('Messages of QQ', () => {
  let server: OneBotServer
  let account: Account
  beforeEach(async () => {
    server = await new OneBotServer().listen()
    account = await Account.forward(server)
  })
  afterEach(async () => {
    await account.stop()
    await server.stop()
    server.check()
  })

  const hear = async (message: string | Segment[], more: Record<string, unknown> = {}) => {
    const before = account.messages.length
    await server.say(message, more)
    await account.hears(before + 1)
    return account.messages.at(-1) as (typeof account.messages)[number] & { content: Segment[] }
  }

  it('have the id of their chat in front, also above 2^32 and 2^53', async () => {
    const { id, channel, sender } = await hear('hello')
    expect(id).to.match(new RegExp(`^${GROUP}:85\\d{8}$`))
    expect([channel, sender]).to.deep.equal([
      { type: 'group', id: String(GROUP) },
      { id: String(ALICE), name: 'Alice', role: 'member' },
    ])
    const event = { post_type: 'message', message_type: 'group', self_id: SELF, group_id: GROUP, user_id: ALICE }
    server.emitRaw(`${JSON.stringify({ ...event, message: 'big' }).slice(0, -1)},"message_id":9007199254740993}`)
    await account.hears(2)
    expect(account.messages[1]?.id).to.equal(`${GROUP}:9007199254740993`)
  })

  it('as text with codes are read with their escapes', async () => {
    const { content, mentioned, replyTo } = await hear(
      `[CQ:reply,id=42][CQ:at,qq=${SELF}] a &amp;#91; &#91;CQ:at,qq=1&#93; [CQ:share,url=http://a.example/?x=1&#44;2&amp;y,title=T] [CQ:broken`,
      {
        message: `[CQ:reply,id=42][CQ:at,qq=${SELF}] a &amp;#91; &#91;CQ:at,qq=1&#93; [CQ:share,url=http://a.example/?x=1&#44;2&amp;y,title=T] [CQ:broken`,
      },
    )
    expect(mentioned).to.equal(true)
    expect(replyTo).to.equal(`${GROUP}:42`)
    expect(content).to.deep.equal([
      At(String(SELF)),
      text(' a &#91; [CQ:at,qq=1] '),
      { type: 'share', data: { url: 'http://a.example/?x=1,2&y', text: 'T http://a.example/?x=1,2&y' } },
      text(' [CQ:broken'),
    ])
  })

  it('with many codes that never end are read at once', async () => {
    const words = '[CQ:at,qq='.repeat(6_000)
    expect((await hear('x', { message: words })).content).to.deep.equal([text(words)])
  })

  it('mention the bot, others or all', async () => {
    for (const [qq, mentioned] of [
      [String(SELF), true],
      ['30001', false],
      ['all', false],
    ] as const) {
      const message = await hear([{ type: 'at', data: { qq } }, text(' hi')])
      expect([message.mentioned, message.content[0]]).to.deep.equal([mentioned, At(qq)])
    }
  })

  it('keep every character of all planes in both directions', async () => {
    const words = '\u0001\u00e9\u4f60\u{1f44b}\u{20000}\u{e0100}\u{10fffd} & [CQ:at,qq=1] &#91;'
    expect((await hear(words)).content).to.deep.equal([text(words)])
    await account.send([Text(words)])
    expect(server.called('send_group_msg')[0]?.message).to.deep.equal([text(words)])
  })

  it('have media by their address only, never a file of another machine', async () => {
    const { content } = await hear([
      { type: 'image', data: { file: 'abc.image', url: 'https://cdn.example/a.png', file_size: '123' } },
      { type: 'record', data: { file: '/root/secret.amr' } },
      { type: 'file', data: { file: 'file:///etc/passwd', name: 'p.txt' } },
      { type: 'image', data: { file: 'http://169.254.169.254/latest' } },
    ])
    expect(content).to.deep.equal([
      { type: 'image', data: { url: 'https://cdn.example/a.png', size: 123 } },
      { type: 'voice', data: {} },
      { type: 'file', data: { name: 'p.txt' } },
      { type: 'image', data: { url: 'http://169.254.169.254/latest' } },
    ])
    // The adapter fetches nothing by itself, and others refuse addresses within the network.
    expect('fetchMedia' in account.bot).to.equal(false)
  })

  it('of the bot itself, of the system and of other accounts are not heard', async () => {
    await server.say('own', { user_id: SELF })
    await server.say('sent', { post_type: 'message_sent' })
    await server.say('system', { sub_type: 'notice' })
    await server.say('foreign', { self_id: 1 })
    await hear('last')
    expect(account.texts).to.deep.equal(['last'])
  })

  it('through a group reach a user without friendship, and are answered there', async () => {
    await server.say('psst', { sub_type: 'group', sender: { nickname: 'Alice', group_id: GROUP } }, true)
    await account.hears(1)
    const channel = account.messages[0]?.channel as never
    expect(channel).to.deep.equal({
      type: 'private',
      id: String(ALICE),
      name: 'Alice',
      parent: { type: 'group', id: String(GROUP) },
    })
    await account.send([Text('yes')], channel)
    expect(server.called('send_private_msg')).to.deep.equal([
      { user_id: ALICE, group_id: GROUP, message: [text('yes')] },
    ])
  })

  it('are sent with mentions, faces, media and replies', async () => {
    const path = join(tmpdir(), `onebot-${process.pid}.png`)
    await writeFile(path, 'bytes')
    const segments = [
      At(String(ALICE)),
      Text(' see '),
      Face('14'),
      Image({ file: path }),
      Image({ url: 'https://a.example/b.png' }),
      At('@x', 'Bob'),
    ]
    const { messageId } = await account.send(segments, group, { replyTo: `${GROUP}:77` })
    expect(messageId).to.match(new RegExp(`^${GROUP}:\\d+$`))
    expect(server.called('send_group_msg')[0]?.message).to.deep.equal([
      { type: 'reply', data: { id: '77' } },
      { type: 'at', data: { qq: String(ALICE) } },
      text(' see '),
      { type: 'face', data: { id: '14' } },
      { type: 'image', data: { file: `base64://${Buffer.from('bytes').toString('base64')}` } },
      { type: 'image', data: { file: 'https://a.example/b.png' } },
      text('@Bob'),
    ])
    await account.send([Reply(`${GROUP + 9}:5`), Text('another chat')])
    expect(server.called('send_group_msg')[1]?.message).to.deep.equal([text('another chat')])
  })

  it('with sound are sent in parts, in order', async () => {
    await account.send([
      Text('before'),
      Audio({ base64: 'AAAA' }),
      Text('after'),
      Card({ title: 'T', image: 'https://a.example/c.png' }),
    ])
    expect(server.called('send_group_msg').map(({ message }) => message)).to.deep.equal([
      [text('before')],
      [{ type: 'record', data: { file: 'base64://AAAA' } }],
      [text('after'), { type: 'image', data: { file: 'https://a.example/c.png' } }, text('T')],
    ])
  })

  it('that cannot be sent are refused with one clear sentence', async () => {
    for (const [segments, words] of [
      [[Image({ url: 'file:///etc/passwd' })], 'http://'],
      [[Image({ file: '/no/such/secret/a.png' })], '"a.png" cannot be read'],
      [[Image({ base64: 'A'.repeat(45_000_000) })], 'larger than'],
      [[Image({})], 'names no medium'],
      [[Text('  ')], 'nothing that QQ can show'],
    ] as const) {
      const error = await failure(account.send(segments))
      expect([error.kind, error.message.includes(words)], error.message).to.deep.equal(['refused', true])
      expect(error.message).to.not.include('/no/such')
    }
    expect((await failure(account.send([Text('x')], { type: 'channel', id: '1' }))).kind).to.equal('refused')
    expect(server.called('send_group_msg')).to.deep.equal([])
  })

  it('are refused for good, unknown after a timeout of the server, or sent in part', async () => {
    server.script(
      'send_group_msg',
      failed(120, '机器人被禁言'),
      failed(1200, 'Error: Timeout: NTEvent serviceAndMethod'),
    )
    const refused = await failure(account.send([Text('x')]))
    expect([refused.kind, refused.message]).to.deep.equal([
      'refused',
      'The OneBot server refuses the message: send_group_msg failed (120): 机器人被禁言',
    ])
    const unknown = await failure(account.send([Text('x')]))
    expect([unknown.kind, unknown.message.includes('may have arrived')]).to.deep.equal([undefined, true])
    server.script('send_group_msg', { status: 'ok', retcode: 0, data: { message_id: 5 } }, failed(1, 'no'))
    const part = await failure(account.send([Audio({ base64: 'AA' }), Text('x')]))
    expect([part.kind, part.message.includes('Only a part')]).to.deep.equal([undefined, true])
    server.script('send_group_msg', { status: 'async', retcode: 1, data: null })
    expect(await account.send([Text('x')])).to.deep.equal({})
  })

  it('get the answers that belong to them, also in another order', async () => {
    server.reorder = 5
    const targets = Array.from({ length: 5 }, (_, index) => ({ type: 'private' as const, id: String(30_001 + index) }))
    const sent = await Promise.all(targets.map((target) => account.send([Text(target.id)], target)))
    server.reorder = 0
    const ids = sent.map(({ messageId = '' }) => messageId.split(':').map(Number)) as [number, number][]
    expect(ids.map(([chat]) => chat)).to.deep.equal([30_001, 30_002, 30_003, 30_004, 30_005])
    expect(ids.map(([, id]) => id - (ids[0]?.[1] ?? 0))).to.deep.equal([0, 1, 2, 3, 4])
  })
})

describe('Events of QQ', () => {
  let server: OneBotServer
  let account: Account
  beforeEach(async () => {
    server = await new OneBotServer().listen()
    account = await Account.forward(server)
  })
  afterEach(async () => {
    await account.stop()
    await server.stop()
    server.check()
  })

  it('become deletions, reactions, notices and requests', async () => {
    const where = { group_id: GROUP, user_id: ALICE }
    await server.notice({ notice_type: 'group_recall', ...where, operator_id: 9, message_id: 7 })
    await server.notice({ notice_type: 'friend_recall', user_id: ALICE, message_id: 8 })
    await server.notice({
      notice_type: 'group_msg_emoji_like',
      ...where,
      message_id: 7,
      likes: [{ emoji_id: '66', count: 1 }],
    })
    await server.notice({
      notice_type: 'reaction',
      sub_type: 'remove',
      group_id: GROUP,
      operator_id: ALICE,
      message_id: 7,
      code: '66',
    })
    await server.notice({
      notice_type: 'group_msg_emoji_like',
      ...where,
      message_id: 7,
      likes: [{ emoji_id: '128077' }],
    })
    await server.notice({ notice_type: 'group_increase', sub_type: 'approve', ...where, operator_id: 9 })
    await server.notice({ notice_type: 'notify', sub_type: 'poke', ...where, target_id: SELF })
    await server.notice({ notice_type: 'group_ban', sub_type: 'ban', ...where, operator_id: 9, duration: 60 })
    await server.request({ request_type: 'friend', user_id: ALICE, comment: 'hi', flag: 'f:1' })
    await server.request({ request_type: 'group', sub_type: 'invite', ...where, flag: 'g:1' })
    await until(() => account.requests.length === 2, 'the last request')
    expect(account.changes.map(({ messageId, deleted, operator }) => [messageId, deleted, operator?.id])).to.deep.equal(
      [
        [`${GROUP}:7`, true, '9'],
        [`${ALICE}:8`, true, String(ALICE)],
      ],
    )
    expect(
      account.reactions.map(({ messageId, emoji, added, sender }) => [messageId, emoji, added, sender.id]),
    ).to.deep.equal([
      [`${GROUP}:7`, '66', true, String(ALICE)],
      [`${GROUP}:7`, '66', false, String(ALICE)],
      [`${GROUP}:7`, '👍', true, String(ALICE)],
    ])
    expect(
      account.notices.map(({ kind, operator, target, payload }) => [kind, operator?.id, target?.id, payload]),
    ).to.deep.equal([
      ['group-join', '9', String(ALICE), { type: 'approve' }],
      ['poke', String(ALICE), String(SELF), { type: 'poke' }],
      ['group-mute', '9', String(ALICE), { type: 'ban', seconds: 60 }],
    ])
    expect(account.requests.map(({ id, kind }) => [id, kind])).to.deep.equal([
      ['friend:f:1', 'friend'],
      ['group-invite:g:1', 'group-invite'],
    ])
  })

  it('are answered and acted upon', async () => {
    const { bot } = account
    await bot.requestApprove('friend:f:1', 'Al')
    await bot.requestReject('group-invite:g:1', 'no')
    await bot.groupKick(String(GROUP), String(ALICE))
    await bot.groupMute(String(GROUP), String(ALICE), 59.5)
    await bot.groupAdmin(String(GROUP), String(ALICE), true)
    await bot.recall(group, `${GROUP}:8589934593`)
    await bot.react(group, `${GROUP}:7`, '👍', true)
    expect(server.requests.slice(2).map(({ action, params }) => [action, params])).to.deep.equal([
      ['set_friend_add_request', { flag: 'f:1', approve: true, remark: 'Al' }],
      ['set_group_add_request', { flag: 'g:1', sub_type: 'invite', approve: false, reason: 'no' }],
      ['set_group_kick', { group_id: GROUP, user_id: ALICE, reject_add_request: false }],
      ['set_group_ban', { group_id: GROUP, user_id: ALICE, duration: 60 }],
      ['set_group_admin', { group_id: GROUP, user_id: ALICE, enable: true }],
      ['delete_msg', { message_id: 8_589_934_593 }],
      ['set_msg_emoji_like', { message_id: 7, emoji_id: '128077', set: true }],
    ])
    expect(await bot.groups()).to.deep.include({ id: String(GROUP), name: 'Room', memberCount: 2 })
    server.script('set_group_kick', failed(1404, 'no such action'), failed(200, 'no permission'))
    expect((await failure(bot.groupKick(String(GROUP), '1'))).code).to.equal('unsupported')
    expect((await failure(bot.groupKick(String(GROUP), '1'))).code).to.equal('forbidden')
    expect((await failure(bot.recall(group, '1:2'))).code).to.equal('not_found')
    expect((await failure(bot.requestApprove('nonsense'))).code).to.equal('not_found')
  })
})
