import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin } from '@mynah/kernel'
import { defineTool, tools, type ModelRequest, type Tool } from '@mynah/plugin-ai/api'
import { eachTest, said, type Rig } from '../test/support.js'
import { selectTools } from './selection.js'

const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const
const tool = (name: string, description = name) =>
  defineTool({ name, description, parameters: Type.Object({}), effect: 'read', run: () => `${name} ran` })
const offered = (rig: Rig, at = -1): string[] => rig.models.requests.at(at)?.tools?.map(({ name }) => name) ?? []

describe('visibleTools', () => {
  const rigs = eachTest()

  it('offers each tool once, before and after a compaction', async () => {
    const rig = await rigs.start(({ purpose }) => (purpose === 'summary' ? 'they counted' : 'ok'), {
      tools: [tool('dance')],
    })
    for (const text of ['one', 'two', 'three']) await rig.say(text, owner)
    const before = offered(rig)
    expect((await rig.say('/compact', owner)).join()).to.include('they counted')
    await rig.say('four', owner)
    expect(offered(rig)).to.deep.equal(before)
    expect(new Set(before).size).to.equal(before.length)
  })

  it('offers tools of a plugin that is added in a conversation from the next message on', async () => {
    const rig = await rigs.start(() => 'ok')
    const dancing = definePlugin({ name: 'dancing', setup: (ctx) => void ctx.contribute(tools, tool('dance')) })
    await rig.say('hello', owner)
    expect(offered(rig)).not.to.include('dance')
    await rig.host.add({ plugin: dancing })
    await rig.host.settled()
    await rig.say('dance', owner)
    expect(offered(rig)).to.include('dance')
    const head = JSON.stringify(rig.models.requests.at(-1)?.messages[0])
    // One that comes and goes leaves the beginning of the requests as it is.
    await rig.host.remove('dancing')
    await rig.say('again', owner)
    await rig.host.add({ plugin: dancing })
    await rig.host.settled()
    await rig.say('and again', owner)
    expect(JSON.stringify(rig.models.requests.at(-1)?.messages[0])).to.equal(head)
    expect(offered(rig)).to.include('dance')
  })

  it('hides tools that are disabled for the model from search and calls', async () => {
    const search = {
      calls: [
        { name: 'tool_search', input: { query: 'dance a waltz' } },
        { name: 'waltz', input: {} },
      ],
    }
    const rig = await rigs.start([search, 'ok'], {
      tools: [tool('dance', 'Dances a waltz'), tool('waltz', 'A waltz')],
      config: { 'ai.agent': { maxTools: 1, modelHarness: { models: { scripted: { disabledTools: ['waltz'] } } } } },
    })
    await rig.say('dance')
    const results = said(rig.models.requests[1]).at(-1) ?? ''
    expect(results).to.include('dance: Dances a waltz').and.not.include('waltz: A waltz').and.not.include('waltz ran')
    expect(offered(rig)).to.not.include('waltz')
  })

  it('excludes permanent tools from search results', async () => {
    const rig = await rigs.start([
      { calls: [{ name: 'tool_search', input: { query: 'asks the user and finds tools' } }] },
      'ok',
    ])
    await rig.say('search')
    expect(said(rig.models.requests[1]).at(-1))
      .to.include('chat_history')
      .and.not.include('ask_user')
      .and.not.include('tool_search')
  })
})

describe('selectTools', () => {
  const rigs = eachTest()
  const plain = (name: string, more: Partial<Tool> = {}) => ({ ...tool(name), ...more }) as Tool
  const many = (count: number, source?: string) =>
    Array.from({ length: count }, (_, index) => plain(`echo${index}`, source === undefined ? {} : { source }))
  const others = ({ chosen }: ReturnType<typeof selectTools>) =>
    chosen.filter(({ permanent }) => !permanent).map(({ name }) => name)
  const select = (all: readonly Tool[], text: string, lately: readonly string[] = []) =>
    selectTools(all, text, 12, { orchestrationOnly: false, lately })

  it('takes useful tools before those of MCP servers, whatever their names are', () => {
    const useful = ['write_file', 'web_fetch', 'remember', 'recall', 'read_file', 'bash'].map((name) => plain(name))
    const chosen = others(select([...many(40, 'everything'), ...useful, plain('zebra')], 'hello'))
    expect(chosen).to.include.members(['write_file', 'web_fetch', 'remember', 'recall', 'read_file', 'bash', 'zebra'])
    expect(chosen).to.have.length(8)
  })

  it('takes tools that were called lately before useful ones', () => {
    const chosen = others(select([...many(40, 'everything'), plain('remember')], 'hello', ['echo39', 'echo38']))
    expect(chosen).to.include.members(['echo39', 'echo38', 'remember'])
  })

  it('takes tools that match the first message, in half of the places', () => {
    const matching = Array.from({ length: 9 }, (_, index) => plain(`weather${index}`, { description: 'the weather' }))
    const useful = ['remember', 'recall', 'read_file', 'bash'].map((name) => plain(name))
    const chosen = others(select([...matching, ...useful], 'how is the weather?'))
    expect(chosen.filter((name) => name.startsWith('weather'))).to.have.length(4)
    expect(chosen).to.include.members(['remember', 'recall', 'read_file', 'bash'])
  })

  it('keeps the tools of the prompt before, in their order, and adds what there is room for', () => {
    const all = [...many(40, 'everything'), ...['write_file', 'bash', 'zebra'].map((name) => plain(name))]
    const kept = ['zebra', 'echo7', 'gone', 'echo3', 'bash']
    const chosen = others(selectTools(all, 'write', 12, { orchestrationOnly: false, kept }))
    expect(chosen.slice(0, 4)).to.deep.equal(['zebra', 'echo7', 'echo3', 'bash'])
    expect([chosen.includes('write_file'), chosen.length]).to.deep.equal([true, 8])
    const full = selectTools(all, 'write', 12, { orchestrationOnly: false, kept: all.map(({ name }) => name) })
    expect(others(full)).to.have.length(12)
    expect(others(full)).to.deep.equal(all.map(({ name }) => name).filter((name) => others(full).includes(name)))
    expect(others(full)).to.include.members(['write_file', 'bash'])
  })

  it('prefers the tools that a user has called, in the next conversation', async () => {
    const rig = await rigs.start(
      ({ messages }) =>
        messages.at(-1)?.role === 'user' && JSON.stringify(messages.at(-1)).includes('polka')
          ? { calls: [{ name: 'polka', input: {} }] }
          : 'ok',
      { tools: [...many(20), plain('polka', { source: 'dances' })] },
    )
    await rig.say('hello', owner)
    expect(offered(rig)).to.not.include('polka')
    await rig.say('polka!', owner)
    await rig.say('/reset', owner)
    await rig.say('hello', owner)
    expect(offered(rig)).to.include('polka')
  })
})

describe('tool_search', () => {
  const rigs = eachTest()
  const all = (count: number) => Array.from({ length: count }, (_, index) => tool(`thing${index}`, `does ${index}`))
  /** Searches for each word of the message, and calls what it has searched for. */
  const searching = ({ messages, tools = [] }: ModelRequest) => {
    const last = messages.at(-1)
    const text = said({ messages: [last] } as ModelRequest).join()
    const query = /find (\w+)/.exec(text)?.[1]
    if (last?.role === 'user') return query ? { calls: [{ name: 'tool_search', input: { query } }] } : 'ok'
    const found = /result (\w+): does/.exec(text)?.[1]
    if (!found) return 'done'
    return tools.some(({ name }) => name === found) ? { calls: [{ name: found, input: {} }] } : 'not offered'
  }

  it('leads to a call in the next step, however many were found before', async () => {
    const rig = await rigs.start(searching, { tools: all(40) })
    await rig.say('hello', owner)
    const first = rig.models.requests[0]?.tools ?? []
    const deferred = all(40)
      .map(({ name }) => name)
      .filter((name) => !first.some((one) => one.name === name))
    for (const name of deferred.slice(0, 7)) {
      expect(await rig.say(`find ${name}`, owner), name).to.deep.equal(['done'])
      const now = rig.models.requests.at(-1)?.tools ?? []
      // The tools that were chosen at first stay in their places, and there are never more than twelve.
      expect(now.slice(0, first.length)).to.deep.equal(first)
      expect(now.at(-1)?.name).to.equal(name)
      expect(now.length).to.be.at.most(2 + 12)
    }
  })

  it('finds a tool by its name, and says how the others can be called', async () => {
    const rig = await rigs.start(
      [{ calls: [{ name: 'tool_search', input: { query: 'thing39 thing38 thing37 thing36 thing35 thing34' } }] }, 'ok'],
      { tools: all(40) },
    )
    await rig.say('hello', owner)
    const lines = (said(rig.models.requests[1]).at(-1) ?? '').split('\n')
    expect(lines.map((line) => /thing\d+/.exec(line)?.[0])).to.include.members(['thing39', 'thing34'])
    const hints = lines.filter((line) => line.endsWith(' (search for its name to call it)'))
    expect(hints).to.have.length(2)
  })
})
