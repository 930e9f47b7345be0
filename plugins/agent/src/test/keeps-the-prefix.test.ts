// Each request extends the one before it, byte for byte; every break has an entry that explains it, and is counted.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, tools, type ModelRequest, type Tool } from '@mynah/plugin-ai/api'
import { metrics } from '@mynah/plugin-management/api'
import { eachTest, said } from './support.js'

const tool = (name: string, description: string) =>
  defineTool({
    name,
    description,
    parameters: Type.Object({ what: Type.Optional(Type.String()) }),
    effect: 'read',
    run: ({ what }) => `${name} ${what ?? ''} ${'x'.repeat(50)}`,
  })
const prefixOf = (request: ModelRequest): string => JSON.stringify(request.messages).slice(0, -1)

describe('the prefix of requests', () => {
  const rigs = eachTest()

  it('stays through turns, tools and lines of the group, and breaks only where it is counted', async () => {
    let breaks: () => { readonly value: number; readonly labels?: Readonly<Record<string, string>> }[] = () => []
    const many = Array.from({ length: 20 }, (_, index) =>
      tool(`tool${String(index).padStart(2, '0')}`, index === 17 ? 'looks at the weather' : `does thing ${index}`),
    )
    const rig = await rigs.start(
      (request, index) => {
        if (request.purpose === 'summary') return 'a summary'
        const last = JSON.stringify(request.messages.at(-1))
        if (last.includes('search') && !last.includes('tool-result'))
          return { calls: [{ name: 'tool_search', input: { query: 'weather' } }] }
        if (last.includes('use it') && !last.includes('tool-result'))
          return {
            calls: [
              { name: 'tool00', input: { what: 'a' } },
              { name: 'tool01', input: {} },
            ],
          }
        return `answer ${index}`
      },
      {
        tools: many,
        config: { 'ai.agent': { maxTools: 6 } },
        setup: (ctx) => {
          const reader = ctx.read(metrics)
          breaks = () =>
            reader
              .all()
              .filter(({ value }) => value.name === 'agent_prefix_breaks_total')
              .flatMap(({ value }) => value.collect() as never)
        },
      },
    )
    const group = { channel: { type: 'group', id: 'g', name: 'Group' } } as const
    const at = { ...group, mentioned: true }
    await rig.say('hello', at)
    await rig.say('use it', at)
    await rig.say('not to the bot', { ...group, sender: { id: 'bob', name: 'Bob' } })
    await rig.say('and again: use it', at)
    await rig.say('thanks', at)
    const requests = rig.models.requests
    for (let index = 1; index < requests.length; index++) {
      expect(
        JSON.stringify(requests[index]?.messages).startsWith(prefixOf(requests[index - 1] as ModelRequest)),
        `request ${index}`,
      ).to.equal(true)
      expect(requests[index]?.tools).to.deep.equal(requests[0]?.tools)
    }
    expect(breaks()).to.deep.equal([])
    expect(requests[0]?.tools).to.have.length(8)
  })

  it('after a compaction has the tools that fit what is talked about', async () => {
    const tools = [...Array.from({ length: 12 }, (_, index) => `a${index}`), 'weather'].map((name) =>
      defineTool({
        name,
        description: name === 'weather' ? 'Tells the weather of a town' : 'does nothing',
        parameters: Type.Object({}),
        run: () => 'done',
      }),
    )
    const rig = await rigs.start(
      (request) => (said(request).join().includes('Write a summary') ? 'they talk about rain' : 'sunny'),
      { tools },
    )
    const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
    for (const text of ['hello', 'what is the weather in Rome?', 'and the weather of Oslo?']) await rig.say(text, owner)
    expect((await rig.say('/compact', owner)).join()).to.include('Compacted')
    await rig.say('and tomorrow?', owner)
    expect(rig.models.requests.at(-1)?.tools?.map(({ name }) => name)).to.include('weather')
  })

  it('grows by tools that a search has found, for the very next step, while there is room', async () => {
    let breaks: () => { readonly value: number; readonly labels?: Readonly<Record<string, string>> }[] = () => []
    let add = (_: Tool): void => {}
    const rig = await rigs.start(
      [
        'hi',
        { calls: [{ name: 'tool_search', input: { query: 'weather' } }] },
        { calls: [{ name: 'weather', input: {} }] },
        'rain',
      ],
      {
        tools: [tool('alpha', 'first')],
        config: { 'ai.agent': { maxTools: 3 } },
        setup: (ctx) => {
          const reader = ctx.read(metrics)
          breaks = () =>
            reader
              .all()
              .filter(({ value }) => value.name === 'agent_prefix_breaks_total')
              .flatMap(({ value }) => value.collect() as never)
          add = (one) => void ctx.contribute(tools, one)
        },
      },
    )
    await rig.say('hello')
    const offered = (index: number): string[] =>
      rig.models.requests[index]?.tools
        ?.map(({ name }) => name)
        .filter((name) => !['ask_user', 'tool_search'].includes(name)) ?? []
    add(tool('weather', 'tells the weather'))
    add(tool('weathercock', 'shows the weather'))
    expect(await rig.say('how is the weather?')).to.deep.equal(['rain'])
    expect([1, 2, 3].map((index) => offered(index).length)).to.deep.equal([2, 3, 3])
    expect(offered(2)[0]).to.equal('alpha')
    expect(breaks()).to.deep.equal([{ value: 1, labels: { why: 'tools' } }])
  })
})
