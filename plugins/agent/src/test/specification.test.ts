// The rules of the specification's agent part, one test for each. The suite grows with what is worked on.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { eachTest, said, type Rig } from './support.js'

const tool = (name: string, more: Partial<Tool> = {}) =>
  defineTool({ name, description: name, parameters: Type.Object({}), run: () => `${name} ran`, ...more })
const group = { channel: { type: 'group', id: 'g' } } as const
const from = (id: string) => ({ sender: { id }, channel: { type: 'private', id } }) as const
const owner = from('owner')
const last = (rig: Rig): string => said(rig.models.requests.at(-1)).at(-1) ?? ''
const PERMANENT = ['ask_user', 'tool_search']

describe('specification: sender roles', () => {
  const rigs = eachTest()
  const senders = {
    user: from('ann'),
    group_admin: { ...group, mentioned: true, sender: { id: 'ann', role: 'admin' } },
    group_owner: { ...group, mentioned: true, sender: { id: 'ann', role: 'owner' } },
    trusted: from('tess'),
    master: owner,
  } as const

  for (const role of Object.keys(senders) as (keyof typeof senders)[]) {
    it(`a tool that asks for ${role} runs for such a sender, and the call has the role`, async () => {
      let roles: ReadonlySet<string> = new Set()
      const run = (_: never, call: ToolCall) => {
        roles = call.roles
        return 'ran'
      }
      const rig = await rigs.start([{ calls: [{ name: 'door', input: {} }] }, 'done'], {
        tools: [tool('door', { requiredAnyRole: [role], run })],
        config: { 'ai.trigger': { trusted: ['tess'] } },
      })
      await rig.say('open', senders[role])
      expect([...roles])
        .to.include(role)
        .and.include('user')
    })
  }

  it('a tool does not run for a sender without one of its roles', async () => {
    const rig = await rigs.start([{ calls: [{ name: 'door', input: {} }] }, 'done'], {
      tools: [tool('door', { requiredAnyRole: ['trusted', 'master'] })],
    })
    await rig.say('open')
    expect(last(rig)).to.include('it needs one of trusted, master')
  })
})

describe('specification: tools of a request', () => {
  const rigs = eachTest()
  const many = Array.from({ length: 30 }, (_, index) => tool(`thing${index}`))
  const offered = (rig: Rig): string[] => rig.models.requests.at(-1)?.tools?.map(({ name }) => name) ?? []
  const others = (rig: Rig): string[] => offered(rig).filter((name) => !PERMANENT.includes(name))

  it('there are at most 12 in addition to the permanent ones by default', async () => {
    const rig = await rigs.start(() => 'ok', { tools: many })
    await rig.say('hello')
    expect(others(rig).length).to.be.within(8, 12)
    expect(offered(rig)).to.include.members(PERMANENT)
  })

  it('the tools that fit the message by their words come first', async () => {
    const rig = await rigs.start(() => 'ok', { tools: [...many, tool('weather')] })
    await rig.say('how is the weather?')
    expect(offered(rig)).to.include('weather')
  })

  it('with toolSearch the main agent has orchestration tools only', async () => {
    const rig = await rigs.start(() => 'ok', { tools: many, config: { 'ai.agent': { toolSearch: true } } })
    await rig.say('hello')
    expect(others(rig)).to.deep.equal([])
  })

  it('one search finds at most 8 tools by default', async () => {
    const rig = await rigs.start([{ calls: [{ name: 'tool_search', input: { query: 'thing1 thing2' } }] }, 'ok'], {
      tools: Array.from({ length: 30 }, (_, index) => tool(`thing${index}`, { description: 'a thing' })),
    })
    await rig.say('hello')
    expect(last(rig).split('\n').length).to.be.at.most(8)
  })

  it('tools that can run before the turn have their results in the first request', async () => {
    const peek = tool('peek', { effect: 'read', preExec: () => ({}), run: () => 'the sea is calm' })
    const rig = await rigs.start(() => 'ok', { tools: [peek] })
    await rig.say('hello')
    expect(last(rig)).to.include('the sea is calm')
  })
})

describe('specification: triggers', () => {
  const rigs = eachTest()

  it('in a group only a mention is answered', async () => {
    const rig = await rigs.start(() => 'ok')
    expect(await rig.say('hello', group)).to.deep.equal([])
    expect(await rig.say('ai: hello', group)).to.deep.equal([])
    expect(await rig.say('hello', { ...group, mentioned: true })).to.deep.equal(['ok'])
  })

  it('messages that were not answered in a group are in the request of the next mention', async () => {
    const rig = await rigs.start(() => 'ok')
    await rig.say('the cat is grey', group)
    await rig.say('which colour?', { ...group, mentioned: true })
    expect(last(rig)).to.include('the cat is grey')
  })

  it('a private message is answered', async () => {
    const rig = await rigs.start(() => 'ok')
    expect(await rig.say('hello')).to.deep.equal(['ok'])
  })

  it('the prefix ai: is answered in private where other messages are not', async () => {
    const rig = await rigs.start(() => 'ok', { config: { 'ai.trigger': { respondToPrivate: false } } })
    expect(await rig.say('hello')).to.deep.equal([])
    expect(await rig.say('ai: hello')).to.deep.equal(['ok'])
  })

  it('messages with an ignored prefix are not answered', async () => {
    const rig = await rigs.start(() => 'ok', { config: { 'ai.trigger': { ignorePrefixes: ['!'] } } })
    expect(await rig.say('!hello')).to.deep.equal([])
  })
})

describe('specification: sessions and history', () => {
  const rigs = eachTest()

  it('/reset begins a new conversation, and chat_history still finds the earlier one', async () => {
    const rig = await rigs.start(({ messages }) =>
      messages.at(-1)?.role === 'user' &&
      said({ messages } as never)
        .at(-1)
        ?.includes('search')
        ? { calls: [{ name: 'chat_history', input: { keyword: 'zebra' } }] }
        : 'ok',
    )
    await rig.say('a zebra ran by', owner)
    await rig.say('/reset', owner)
    await rig.say('search', owner)
    expect(JSON.stringify(rig.models.requests[1]?.messages)).to.not.include('zebra')
    expect(last(rig)).to.include('a zebra ran by')
  })

  it('chat_history has 10 rows by default', async () => {
    const rig = await rigs.start(({ messages }) =>
      said({ messages } as never)
        .at(-1)
        ?.includes('search')
        ? { calls: [{ name: 'chat_history', input: {} }] }
        : 'ok',
    )
    for (let at = 0; at < 12; at++) await rig.say(`line ${at}`, owner)
    await rig.say('search', owner)
    expect(last(rig).match(/<overheard /g)).to.have.length(10)
    expect(last(rig).match(/<overheard from="you" /g), 'own answers').to.have.length(5)
  })

  it('/compact is for master and trusted, and keeps the conversation', async () => {
    const rig = await rigs.start(({ purpose }) => (purpose === 'summary' ? 'they met' : 'ok'))
    for (const text of ['one', 'two', 'three']) await rig.say(text, owner)
    expect((await rig.say('/compact')).join()).to.not.include('they met')
    expect((await rig.say('/compact', owner)).join()).to.include('they met')
    await rig.say('four', owner)
    expect(said(rig.models.requests.at(-1)).join()).to.include('they met')
  })
})
