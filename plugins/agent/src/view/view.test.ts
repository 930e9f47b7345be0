import { expect } from 'chai'
import type { Reader } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import { defineTool, type ModelRequest } from '@mynah/plugin-ai/api'
import { metrics, type Metric, type Sample } from '@mynah/plugin-management/api'
import { eachTest, said } from '../test/support.js'

const tool = (name: string, description: string) =>
  defineTool({
    name,
    description,
    parameters: Type.Object({ what: Type.Optional(Type.String()) }),
    effect: 'read',
    run: ({ what }) => `${name} ${what ?? ''} ${'x'.repeat(50)}`,
  })
const prefixOf = (request: ModelRequest): string => JSON.stringify(request.messages).slice(0, -1)

/** Returns a function that reads the counted breaks of prefixes. */
const breaksOf = (reader: Reader<Metric>) => (): readonly Sample[] =>
  reader
    .all()
    .filter(({ value }) => value.name === 'agent_prefix_breaks_total')
    .flatMap(({ value }) => value.collect() as readonly Sample[])

describe('buildView: the prefix of requests', () => {
  const rigs = eachTest()

  it('is extended by every request, through turns, tools and lines of the group', async () => {
    let breaks: () => readonly Sample[] = () => []
    const many = Array.from({ length: 20 }, (_, index) => tool(`tool${index}`, `does thing ${index}`))
    const calls = [
      { name: 'tool0', input: { what: 'a' } },
      { name: 'tool1', input: {} },
    ]
    const rig = await rigs.start(['hello', { calls }, 'used once', { calls }, 'used twice', 'you are welcome'], {
      tools: many,
      config: { 'ai.agent': { maxTools: 6 } },
      setup: (ctx) => {
        breaks = breaksOf(ctx.read(metrics))
      },
    })
    const group = { channel: { type: 'group', id: 'g', name: 'Group' } } as const
    const mentioned = { ...group, mentioned: true }
    await rig.say('hello', mentioned)
    await rig.say('use it', mentioned)
    await rig.say('not to the bot', { ...group, sender: { id: 'bob', name: 'Bob' } })
    await rig.say('and again: use it', mentioned)
    await rig.say('thanks', mentioned)
    const [first, ...later] = rig.models.requests
    let before = first as ModelRequest
    for (const request of later) {
      expect(JSON.stringify(request.messages)).to.satisfy((json: string) => json.startsWith(prefixOf(before)))
      expect(request.tools).to.deep.equal(before.tools)
      before = request
    }
    expect(breaks()).to.deep.equal([])
  })

  it('has the permanent tools and as many others as are allowed', async () => {
    const many = Array.from({ length: 20 }, (_, index) => tool(`tool${index}`, `does thing ${index}`))
    const rig = await rigs.start(['hi'], { tools: many, config: { 'ai.agent': { maxTools: 6 } } })
    await rig.say('hello')
    const names = rig.models.requests[0]?.tools?.map(({ name }) => name) ?? []
    const permanent = ['ask_user', 'tool_search']
    expect(names).to.include.members(permanent)
    expect(names.filter((name) => !permanent.includes(name))).to.have.length(6)
  })

  it('has the matching tools after a compaction', async () => {
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

  it('gets tools that a search has found, for the next step, while there is room', async () => {
    let breaks: () => readonly Sample[] = () => []
    const rig = await rigs.start(
      [
        'hi',
        { calls: [{ name: 'tool_search', input: { query: 'weather' } }] },
        { calls: [{ name: 'weather', input: {} }] },
        'rain',
      ],
      {
        tools: [
          tool('alpha', 'first'),
          tool('beta', 'second'),
          tool('gamma', 'third'),
          tool('weather', 'tells the weather'),
          tool('weathercock', 'shows the weather'),
        ],
        config: { 'ai.agent': { maxTools: 3 } },
        setup: (ctx) => {
          breaks = breaksOf(ctx.read(metrics))
        },
      },
    )
    await rig.say('hello')
    const offered = (index: number): string[] =>
      rig.models.requests[index]?.tools
        ?.map(({ name }) => name)
        .filter((name) => !['ask_user', 'tool_search'].includes(name)) ?? []
    expect(await rig.say('how is the weather?')).to.deep.equal(['rain'])
    expect([0, 1, 2, 3].map((index) => offered(index).length)).to.deep.equal([3, 3, 3, 3])
    expect(offered(1)).to.deep.equal(offered(0)).and.not.include('weather')
    expect(offered(2)).to.include('weather')
    expect(offered(2)[0]).to.equal('alpha')
    expect(breaks()).to.deep.equal([{ value: 1, labels: { why: 'tools' } }])
  })
})
