import { expect } from 'chai'
import { until, failure, TelegramHost } from './telegram-host.js'
import { bot } from './single-bot.js'

const alice = { id: 7, is_bot: false, first_name: 'Alice' }
const bob = { id: 8, is_bot: false, first_name: 'Bob' }
const chat = { id: -1001, type: 'supergroup', title: 'Tea party' }

describe('Telegram groups', () => {
  let telegramHost: TelegramHost
  before(async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
  })
  after(() => telegramHost.stop())

  it('sends the command of a pressed button as its user, and releases the button', async () => {
    const user = telegramHost.api.user({ userId: 7, chatId: 7, firstName: 'Alice' })
    await user.sendCallback(user.makeCallbackQuery('/come now'))
    await until(() => telegramHost.messages.length === 1, 'the command')
    expect(telegramHost.messages[0]).to.include({ text: '/come now', addressed: true })
    expect(telegramHost.messages[0]?.sender).to.deep.include({ id: '7', name: 'Alice' })
    await until(() => telegramHost.api.called('answerCallbackQuery').length === 1, 'the release')
    telegramHost.api.push({
      callback_query: {
        id: '99',
        from: bob,
        chat_instance: 'x',
        data: '/come',
        message: { message_id: 3, date: 1, chat, message_thread_id: 42, is_topic_message: true },
      },
    } as never)
    await until(() => telegramHost.messages.length === 2, 'the second command')
    expect(telegramHost.messages[1]).to.deep.include({
      channel: {
        type: 'group',
        id: '-1001:42',
        name: 'Tea party',
        parent: { type: 'group', id: '-1001', name: 'Tea party' },
      },
      replyTo: '-1001:3',
    })
  })

  it('reports an edit as a notice, not as a message', async () => {
    telegramHost.api.push({
      edited_message: { message_id: 3, date: 1, edit_date: 2, chat, from: alice, text: '/pay 100' },
    } as never)
    await until(() => telegramHost.notices.some(({ kind }) => kind === 'message-edit'), 'the edit')
    expect(telegramHost.notices.find(({ kind }) => kind === 'message-edit')?.payload).to.deep.equal({
      messageId: '-1001:3',
      text: '/pay 100',
      content: [{ type: 'text', data: { text: '/pay 100' } }],
    })
    expect(telegramHost.messages.some(({ text }) => text === '/pay 100')).to.equal(false)
  })

  const rowOf = async (messageId: string, id = '-1001') => {
    const rows = await telegramHost.chat.transcript({
      adapter: 'telegram',
      endpoint: 'bot',
      channel: { type: 'group', id },
      limit: 50,
    })
    return rows.find((row) => row.messageId === messageId)
  }

  it('stores an edit with the message, as Telegram parses it', async () => {
    const heard = telegramHost.messages.length
    telegramHost.api.push({ message: { message_id: 20, date: 1, chat, from: alice, text: 'one' } } as never)
    await until(() => telegramHost.messages.length > heard, 'the message')
    const entities = [{ type: 'text_mention', offset: 0, length: 3, user: bob }]
    telegramHost.api.push({
      edited_message: { message_id: 20, date: 1, edit_date: 5, chat, from: alice, text: 'Bob two', entities },
    } as never)
    await until(async () => (await rowOf('-1001:20'))?.editedAt === 5_000, 'the edit')
    expect((await rowOf('-1001:20'))?.content).to.deep.equal([
      { type: 'at', data: { id: '8', name: 'Bob' } },
      { type: 'text', data: { text: ' two' } },
    ])
  })

  it('stores reactions with the message, also of a topic', async () => {
    const heard = telegramHost.messages.length
    telegramHost.api.push({
      message: {
        ...{ message_id: 21, date: 1, chat, from: alice, text: 'one' },
        ...{ message_thread_id: 42, is_topic_message: true },
      },
    } as never)
    await until(() => telegramHost.messages.length > heard, 'the message')
    const react = (old: string[], now: string[]) =>
      telegramHost.api.push({
        message_reaction: {
          chat,
          message_id: 21,
          user: bob,
          date: 6,
          old_reaction: old.map((emoji) => ({ type: 'emoji', emoji })),
          new_reaction: now.map((emoji) => ({ type: 'emoji', emoji })),
        },
      } as never)
    const stored = async () =>
      (await rowOf('-1001:21', '-1001:42'))?.reactions?.map(({ emoji, sender }) => [emoji, sender.name])
    react([], ['👍', '🔥'])
    await until(async () => (await stored())?.length === 2, 'the reactions')
    react(['👍', '🔥'], ['🔥'])
    await until(async () => (await stored())?.length === 1, 'the change')
    expect(await stored()).to.deep.equal([['🔥', 'Bob']])
  })

  it('reacts to a message, and shows why Telegram refuses it', async () => {
    telegramHost.api.on('setMessageReaction', ({ payload }) =>
      JSON.stringify(payload.reaction).includes('🫥')
        ? { status: 400, description: 'Bad Request: REACTION_INVALID' }
        : { result: true },
    )
    const react = (emoji: string, isOn: boolean) =>
      telegramHost.chat.react('telegram', 'bot', { type: 'group', id: '-1001' }, '-1001:20', emoji, isOn)
    telegramHost.api.record()
    await react('👍', true)
    expect((await rowOf('-1001:20'))?.reactions?.map(({ emoji }) => emoji)).to.deep.equal(['👍'])
    await react('👍', false)
    expect((await rowOf('-1001:20'))?.reactions).to.deep.equal([])
    expect(telegramHost.api.called('setMessageReaction').map(({ payload }) => payload)).to.deep.equal([
      { chat_id: -1001, message_id: 20, reaction: [{ type: 'emoji', emoji: '👍' }] },
      { chat_id: -1001, message_id: 20, reaction: [] },
    ])
    expect((await failure(react('🫥', true))).message).to.include('REACTION_INVALID')
  })

  it('stores the message of another bot and does not handle it', async () => {
    const heard = telegramHost.messages.length
    const robot = { id: 99, is_bot: true, first_name: 'Robot' }
    telegramHost.api.push({ message: { message_id: 22, date: 1, chat, from: robot, text: 'beep' } } as never)
    await until(async () => (await rowOf('-1001:22'))?.state === 'handled', 'the row')
    expect(telegramHost.messages.length).to.equal(heard)
  })

  it('reports users who join, leave and are promoted', async () => {
    telegramHost.api.push({ message: { message_id: 4, date: 1, chat, from: alice, new_chat_members: [bob] } } as never)
    telegramHost.api.push({ message: { message_id: 5, date: 1, chat, from: bob, left_chat_member: bob } } as never)
    telegramHost.api.push({
      my_chat_member: {
        chat,
        from: alice,
        date: 1,
        old_chat_member: { status: 'member', user: bob },
        new_chat_member: { status: 'administrator', user: bob },
      },
    } as never)
    await until(() => telegramHost.notices.some(({ kind }) => kind === 'group-member'), 'the promotion')
    expect(
      telegramHost.notices
        .filter(({ kind }) => kind.startsWith('group'))
        .map(({ kind, target, payload }) => [kind, target?.name, payload]),
    ).to.deep.equal([
      ['group-join', 'Bob', {}],
      ['group-leave', 'Bob', {}],
      ['group-member', 'Bob', { before: 'member', after: 'administrator' }],
    ])
  })

  it('keeps a join request until it is answered', async () => {
    telegramHost.api.push({
      chat_join_request: { chat, from: bob, user_chat_id: 8, date: 10, bio: 'I like tea' },
    } as never)
    await until(() => telegramHost.requests.length === 1, 'the request')
    expect(telegramHost.requests[0]).to.deep.include({ id: '-1001:8:10', kind: 'group-join', comment: 'I like tea' })
  })
})

describe('Administrators', () => {
  let telegramHost: TelegramHost
  let owners = [8]
  before(async () => {
    telegramHost = await TelegramHost.start()
    telegramHost.api.on('getChatAdministrators', ({ payload }) =>
      payload.chat_id === -1001
        ? { result: owners.map((id) => ({ status: id === 8 ? 'creator' : 'administrator', user: { ...bob, id } })) }
        : { status: 403, description: 'Forbidden: bot was kicked' },
    )
    await telegramHost.online()
  })
  after(() => telegramHost.stop())

  let number = 10
  async function rolesOf(from: object, where: object = chat): Promise<string[]> {
    const heard = telegramHost.messages.length
    telegramHost.api.push({ message: { message_id: number++, date: 1, chat: where, from, text: 'hi' } } as never)
    await until(() => telegramHost.messages.length === heard + 1, 'the message')
    return [...(telegramHost.messages.at(-1)?.roles ?? [])]
  }

  it('loads the administrators once, and gives roles to owners and administrators', async () => {
    expect(await rolesOf(bob)).to.have.members(['user', 'group_admin', 'group_owner'])
    expect(await rolesOf(alice)).to.deep.equal(['user'])
    expect(await rolesOf({ ...alice, id: 9 })).to.deep.equal(['user'])
    expect(telegramHost.api.called('getChatAdministrators')).to.have.length(1)
  })

  it('loads the administrators again after a change', async () => {
    owners = [8, 7]
    telegramHost.api.push({
      chat_member: {
        chat,
        from: bob,
        date: 1,
        old_chat_member: { status: 'member', user: alice },
        new_chat_member: { status: 'administrator', user: alice },
      },
    } as never)
    expect(await rolesOf(alice)).to.have.members(['user', 'group_admin'])
  })

  it('gives no role where Telegram does not report one, and in private', async () => {
    expect(await rolesOf(bob, { ...chat, id: -1002 })).to.deep.equal(['user'])
    const asked = telegramHost.api.called('getChatAdministrators').length
    expect(await rolesOf(bob, { id: 8, type: 'private', first_name: 'Bob' })).to.deep.equal(['user'])
    expect(telegramHost.api.called('getChatAdministrators')).to.have.length(asked)
  })
})

describe('Group management', () => {
  const { api, account } = bot()

  it('approves and rejects requests, and reports one that is gone', async () => {
    for (const method of ['approveChatJoinRequest', 'declineChatJoinRequest'])
      api().on(method, () => ({ result: true }))
    await account().requestApprove('-1001:8:10')
    await account().requestReject('-1001:9:11')
    expect(
      api()
        .calls.slice(-2)
        .map(({ method, payload }) => [method, payload]),
    ).to.deep.equal([
      ['approveChatJoinRequest', { chat_id: -1001, user_id: 8 }],
      ['declineChatJoinRequest', { chat_id: -1001, user_id: 9 }],
    ])
    api().on('approveChatJoinRequest', () => ({ status: 400, description: 'Bad Request: HIDE_REQUESTER_MISSING' }))
    expect((await failure(account().requestApprove('-1001:8:10'))).code).to.equal('conflict')
    expect((await failure(account().requestApprove('nonsense'))).code).to.equal('not_found')
  })

  it('removes, mutes and promotes members', async () => {
    for (const method of ['banChatMember', 'unbanChatMember', 'restrictChatMember', 'promoteChatMember'])
      api().on(method, () => ({ result: true }))
    api().record()
    await account().groupKick('-1001', '8')
    await account().groupKick('-5', '8')
    expect(api().calls.map(({ method, payload }) => [method, payload.chat_id])).to.deep.equal([
      ['banChatMember', -1001],
      ['unbanChatMember', -1001],
      ['banChatMember', -5],
    ])
    api().record()
    await account().groupMute('-1001', '8', 3600)
    await account().groupMute('-1001', '8', 1)
    await account().groupMute('-1001', '8', 0)
    const [hour, second, lifted] = api().calls.map(
      ({ payload }) => payload as { permissions: Record<string, boolean>; until_date?: number },
    )
    const now = Date.now() / 1000
    expect(hour?.permissions.can_send_messages).to.equal(false)
    expect(hour?.until_date).to.be.closeTo(now + 3600, 30)
    expect(second?.until_date, 'less than 30 seconds would be for ever').to.be.greaterThan(now + 30)
    expect(lifted?.permissions.can_send_messages).to.equal(true)
    expect(lifted).to.not.have.property('until_date')
    api().record()
    await account().groupAdmin('-1001', '8', true)
    await account().groupAdmin('-1001', '8', false)
    expect(api().calls.map(({ payload }) => payload.can_restrict_members)).to.deep.equal([true, false])
  })

  it('reports missing permissions', async () => {
    api().on('banChatMember', () => ({
      status: 400,
      description: 'Bad Request: not enough rights to restrict/unrestrict chat member',
    }))
    expect((await failure(account().groupKick('-1001', '8'))).message).to.include('not enough rights')
    api().on('banChatMember', () => ({ status: 403, description: 'Forbidden: bot is not a member' }))
    expect((await failure(account().groupKick('-1001', '8'))).code).to.equal('forbidden')
    expect((await failure(account().groupKick('-1001', 'bob'))).code).to.equal('not_found')
  })
})
