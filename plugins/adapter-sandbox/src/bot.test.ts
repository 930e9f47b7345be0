import { expect } from 'chai'
import { createHost, definePlugin, type AnyPlugin, type Host } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { commands, defineCommand, param } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import sandbox from './index.js'

const TOKEN = 'owner-token-93f1c2'
const DEMO = 'demo-token-51b7e0'
const echo = definePlugin({
  name: 'echo',
  setup: (ctx) => {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'echo',
        description: 'Echoes',
        args: { text: param.rest() },
        run: ({ args }) => args.text,
      }),
    )
  },
})
const alice = { id: 'alice', name: 'Alice' }
const lobby = { type: 'group', id: 'lobby' }

interface Answer {
  success: boolean
  data: Record<string, unknown>
  code?: string
  error?: string
}

describe('SandboxBot', () => {
  let host: Host
  let origin: string

  beforeEach(async () => {
    const plugins = [httpCore, consoleRpc, events, chat, sandbox, echo] as unknown as AnyPlugin[]
    const config: Record<string, unknown> = {
      'http-core': { port: 0, token: TOKEN, tokens: [{ token: DEMO, scope: 'demo', name: 'visitor' }] },
      chat: {
        endpoints: [
          { adapter: 'sandbox', id: 'bot' },
          { adapter: 'sandbox', id: 'other' },
        ],
      },
    }
    host = await createHost(
      plugins.map((plugin) => ({ plugin, ...(config[plugin.name] ? { config: config[plugin.name] } : {}) })),
      { log: () => {} },
    ).start()
    origin = host.get(Http)?.origin ?? ''
  })
  afterEach(() => host.stop())

  async function call(type: string, data: Record<string, unknown> = {}, token = TOKEN): Promise<Answer> {
    const response = await fetch(`${origin}/api/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ type, data }),
    })
    return (await response.json()) as Answer
  }
  const at = (type: string, data: Record<string, unknown> = {}): Promise<Answer> =>
    call(`endpoint:${type}`, { adapter: 'sandbox', endpointId: 'bot', ...data })
  const play = (type: string, data: Record<string, unknown> = {}): Promise<Answer> =>
    call(`sandbox:${type}`, { endpointId: 'bot', ...data })
  async function list<T = Record<string, unknown>>(
    type: string,
    field: string,
    data: Record<string, unknown> = {},
  ): Promise<T[]> {
    const { data: answer, error } = await at(type, data)
    expect(error).to.equal(undefined)
    return answer[field] as T[]
  }
  /** Returns the messages of the bot in a scene, once there are at least `count`. */
  async function said(channel: object, count: number): Promise<string[]> {
    for (;;) {
      const { data } = await play('history', { channel })
      const out = (data.messages as { direction: string; text: string }[])
        .filter(({ direction }) => direction === 'out')
        .map(({ text }) => text)
      if (out.length >= count) return out
    }
  }

  it('answers in private, in groups and in channels, separately for each account', async () => {
    for (const channel of [{ type: 'private', id: 'alice' }, lobby, { type: 'channel', id: 'general' }]) {
      expect((await play('send', { channel, sender: alice, content: '/echo hi' })).success).to.equal(true)
      expect(await said(channel, 1)).to.deep.equal(['hi'])
    }
    expect((await call('sandbox:history', { endpointId: 'other', channel: lobby })).data.messages).to.deep.equal([])
    expect(
      (await call('sandbox:send', { endpointId: 'none', channel: lobby, sender: alice, content: 'x' })).code,
    ).to.equal('not_found')
  })

  it('handles a repeated message once, with any segments', async () => {
    for (let time = 0; time < 3; time++)
      await play('send', { channel: lobby, sender: alice, content: '/echo once', messageId: 'm1' })
    const hostile = [
      { type: 'card', data: { fields: 'x', buttons: [null] } },
      { type: 'text', data: { text: { toString: 1 } } },
      { type: 'at', data: { id: { toString: 1 } } },
    ]
    expect((await play('send', { channel: lobby, sender: alice, content: hostile })).success).to.equal(true)
    await play('send', { channel: lobby, sender: alice, content: '/echo end' })
    expect(await said(lobby, 2)).to.deep.equal(['once', 'end'])
    const { data } = await call('chat:traces')
    expect(data.traces).to.have.length(3)
  })

  it('sends messages of the console, and lists the history', async () => {
    expect((await at('sendMessage', { type: 'private', id: 'bob', content: 'hello' })).data.messageId).to.be.a('string')
    expect(await said({ type: 'private', id: 'bob' }, 1)).to.deep.equal(['hello'])
    expect((await at('sendMessage', { type: 'channel', id: 'general', content: 'hello' })).code).to.equal(
      'invalid_request',
    )
    expect(
      (
        await at('sendMessage', {
          type: 'channel',
          id: 'general',
          content: 'hello',
          parent: { type: 'guild', id: 'town' },
        })
      ).success,
    ).to.equal(true)
    expect((await at('sendMessage', { type: 'group', id: 'nowhere', content: 'hello' })).code).to.equal(
      'invalid_request',
    )
    await play('send', { channel: { type: 'private', id: 'bob' }, sender: { id: 'bob' }, content: 'hi' })
    const messages = await list<{ id: string; text: string; direction: string; read: boolean }>(
      'inboxMessages',
      'messages',
      { channel: { type: 'private', id: 'bob' } },
    )
    expect(messages.map(({ text, direction }) => [direction, text])).to.deep.equal([
      ['in', 'hi'],
      ['out', 'hello'],
    ])
    expect((await at('messageConsumed', { id: messages[0]?.id })).data.consumed).to.equal(1)
    expect((await at('messageConsumed', { id: messages[0]?.id })).data.consumed).to.equal(0)
    expect((await at('messageConsumed', {})).code).to.equal('invalid_request')
  })

  it('updates friends, groups, channels and members with each action', async () => {
    expect(await list('friends', 'friends')).to.have.length(3)
    expect((await at('deleteFriend', { userId: 'bob' })).success).to.equal(true)
    expect((await at('deleteFriend', { userId: 'bob' })).code).to.equal('not_found')
    expect((await list('friends', 'friends')).map(({ id }) => id)).to.deep.equal(['alice', 'carol'])
    expect((await list('channels', 'channels', { guildId: 'town' })).map(({ id }) => id)).to.deep.equal([
      'general',
      'music',
    ])
    expect(await list('channels', 'channels', { guildId: 'elsewhere' })).to.deep.equal([])

    const member = async (id: string) =>
      (
        await list<{ id: string; role: string; mutedUntil?: number }>('groupMembers', 'members', { groupId: 'lobby' })
      ).find((each) => each.id === id)
    await at('groupAdmin', { groupId: 'lobby', userId: 'carol', enable: true })
    expect(await member('carol')).to.include({ role: 'admin' })
    expect((await at('groupAdmin', { groupId: 'lobby', userId: 'alice', enable: false })).code).to.equal('unsupported')
    await at('groupMute', { groupId: 'lobby', userId: 'carol', duration: 60 })
    expect((await member('carol'))?.mutedUntil).to.be.a('number')
    expect((await play('send', { channel: lobby, sender: { id: 'carol' }, content: 'x' })).code).to.equal('forbidden')
    await at('groupMute', { groupId: 'lobby', userId: 'carol', duration: 0 })
    expect((await play('send', { channel: lobby, sender: { id: 'carol' }, content: 'x' })).success).to.equal(true)
    await at('groupKick', { groupId: 'lobby', userId: 'carol' })
    expect(await member('carol')).to.equal(undefined)
    expect((await at('groupKick', { groupId: 'lobby', userId: 'carol' })).code).to.equal('not_found')
    expect((await list('inboxNotices', 'notices')).map(({ kind }) => kind)).to.deep.equal([
      'group-kick',
      'group-mute',
      'group-mute',
      'group-admin',
    ])
    expect((await list('groups', 'groups'))[0]).to.include({ id: 'lobby', memberCount: 3 })
  })

  it('accepts one answer to a friend request', async () => {
    const {
      data: { id },
    } = await play('request', { kind: 'friend', sender: { id: 'dan', name: 'Dan' }, comment: 'hi' })
    expect((await list('requests', 'requests'))[0]).to.include({
      requestId: id,
      kind: 'friend',
      status: 'pending',
      comment: 'hi',
    })
    expect((await at('requestApprove', { requestId: id })).success).to.equal(true)
    expect((await list('friends', 'friends')).map((friend) => friend.id)).to.include('dan')
    expect((await at('requestApprove', { requestId: id })).code).to.equal('conflict')
    const { data: second } = await play('request', { kind: 'friend', sender: { id: 'eve' } })
    expect((await at('requestReject', { requestId: second.id, reason: 'no' })).success).to.equal(true)
    expect((await list('friends', 'friends')).map((friend) => friend.id)).not.to.include('eve')
    expect((await list('inboxRequests', 'requests')).map(({ status }) => status)).to.deep.equal([
      'rejected',
      'approved',
    ])
    expect(await list('requests', 'requests')).to.deep.equal([])
    expect((await at('requestReject', { requestId: 'none' })).code).to.equal('not_found')
    expect((await play('request', { kind: 'group-join', sender: { id: 'eve' } })).code).to.equal('invalid_request')
  })

  it('lists capabilities and unread counts, and lets a visitor only send messages', async () => {
    await play('notice', { kind: 'poke', payload: { times: 2 } })
    const { data } = await call('endpoint:list', {}, DEMO)
    const row = (data.endpoints as { name: string; capabilities: string[]; unread: object; status: string }[]).find(
      ({ name }) => name === 'bot',
    )
    expect(row).to.deep.include({ status: 'online', unread: { messages: 0, requests: 0, notices: 1 } })
    expect(row?.capabilities).to.have.length(13)
    expect((await call('endpoint:friends', { adapter: 'sandbox', endpointId: 'bot' }, DEMO)).code).to.equal('forbidden')
    expect(
      (await call('sandbox:send', { endpointId: 'bot', channel: lobby, sender: alice, content: 'hi' }, DEMO)).success,
    ).to.equal(true)
  })

  it('limits the number of groups', async () => {
    let refused: Answer | undefined
    for (let index = 0; index < 201; index++) {
      const answer = await play('send', { channel: { type: 'group', id: `g${index}` }, sender: alice, content: 'x' })
      if (!answer.success) refused = answer
    }
    expect(refused?.code).to.equal('conflict')
    expect(await list('groups', 'groups')).to.have.length(200)
  })

  describe('changes of users', () => {
    const at = { endpointId: 'bot', channel: lobby, messageId: 'm1' }
    const history = async (): Promise<Record<string, unknown> | undefined> => {
      const { data } = await call('sandbox:history', { endpointId: 'bot', channel: lobby })
      return (data['messages'] as Record<string, unknown>[]).find(({ messageId }) => messageId === 'm1')
    }
    const stored = async (): Promise<Record<string, unknown> | undefined> => {
      const { data } = await call('endpoint:inboxMessages', { adapter: 'sandbox', endpointId: 'bot', limit: 50 })
      return (data['messages'] as Record<string, unknown>[]).find(({ messageId }) => messageId === 'm1')
    }
    beforeEach(async () => {
      await call('sandbox:send', { ...at, sender: alice, content: 'hello' })
    })

    it('replace the text of a message, as its sender', async () => {
      expect((await call('sandbox:edit', { ...at, sender: alice, content: 'hello all' })).success).to.equal(true)
      expect(await history()).to.include({ text: 'hello all', edited: true })
      expect(await stored())
        .to.include({ text: 'hello all' })
        .and.to.have.property('editedAt')
      await call('sandbox:edit', { ...at, sender: { id: 'bob' }, content: 'forged' })
      await call('sandbox:delete', { ...at, sender: { id: 'bob' } })
      expect(await history())
        .to.include({ text: 'hello all' })
        .and.not.have.property('deletedAt')
      expect(await stored())
        .to.include({ text: 'hello all' })
        .and.not.have.property('deletedAt')
    })

    it('delete a message', async () => {
      await call('sandbox:delete', { ...at, sender: alice })
      expect(await history())
        .to.include({ text: 'hello' })
        .and.to.have.property('deletedAt')
      expect(await stored()).to.have.property('deletedAt')
    })

    it('add reactions and take them away', async () => {
      const react = (added: boolean) => call('sandbox:react', { ...at, sender: alice, emoji: '👍', added })
      await react(true)
      await react(true)
      expect((await history())?.['reactions']).to.deep.equal([{ emoji: '👍', sender: alice }])
      expect((await stored())?.['reactions']).to.deep.equal([{ emoji: '👍', sender: alice }])
      await react(false)
      expect((await stored())?.['reactions']).to.deep.equal([])
    })

    it('are for those who may speak as the user', async () => {
      const visitor = (type: string, more: Record<string, unknown>) => call(type, { ...at, ...more }, DEMO)
      expect((await visitor('sandbox:react', { sender: alice, emoji: '👍', added: true })).success).to.equal(true)
      expect((await visitor('sandbox:edit', { sender: alice, content: 'new' })).success).to.equal(true)
      const nowhere = { endpointId: 'none', sender: alice }
      expect((await visitor('sandbox:delete', nowhere)).code).to.equal('not_found')
    })
  })
})
