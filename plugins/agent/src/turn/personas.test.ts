import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineTool, tools, type Origin } from '@mynah/plugin-ai/api'
import { until } from '../test/support.js'
import { eachWire, offeredIn, saidIn, type Body, type Wire } from '../test/wire.js'

const channel = { type: 'group', id: 'crew' } as const
const crew = { channel }
const mentioned = { channel, mentioned: true }
const match = { channel: ['crew'] }
const agents = {
  main: { provider: 'p', model: 'plain' },
  ada: { provider: 'p', model: 'adas', match, priority: 1 },
  bob: { provider: 'p', model: 'bobs', match },
}
const system = (body: Body | undefined): string => JSON.stringify(body?.messages[0])

describe('agents with chats of their own', () => {
  const wires = eachWire()
  const start = (more: object = {}, plugins: readonly AnyPlugin[] = []): Promise<Wire> =>
    wires.start(({ model }) => `${model} speaks`, {
      providers: { p: ['plain', 'adas', 'bobs'] },
      plugins,
      config: { 'ai.agents': { ...agents, ...more } },
    })

  it('answer in one group when they are named, each in a session of its own', async () => {
    const wire = await start()
    expect(await wire.host.say('Bob, the code is 17', 'ann', crew)).to.deep.equal(['bobs speaks'])
    expect(await wire.host.say('@ada hello', 'ann', crew)).to.deep.equal(['adas speaks'])
    expect(saidIn(wire.turns[1]).join()).to.not.include('17')
    expect(await wire.host.say('bob: and now?', 'ann', crew)).to.deep.equal(['bobs speaks'])
    expect(saidIn(wire.turns[2]).join()).to.include('17').and.not.include('@ada hello')
    expect(system(wire.turns[2])).to.include('You are called bob')
  })

  it('a mention without a name goes to the first of them, and words without either to none', async () => {
    const wire = await start()
    expect(await wire.host.say('hello', 'ann', mentioned)).to.deep.equal(['adas speaks'])
    expect(await wire.host.say('Bob is late, and ada too', 'ann', crew)).to.deep.equal([])
    expect(await wire.host.say('main, hello', 'ann', crew)).to.deep.equal([])
  })

  it('leave other chats and their prompt to main', async () => {
    const wire = await start()
    expect(await wire.host.say('hello')).to.deep.equal(['plain speaks'])
    const bare = await wires.start(() => 'ok', { providers: { p: ['plain'] }, config: { 'ai.agents': {} } })
    await bare.host.say('hello')
    const plain = (body: Body | undefined): string => JSON.stringify(body).replaceAll(/\d{2}:\d{2}/g, 'time')
    expect(plain(wire.turns[0])).to.equal(plain(bare.turns[0]))
  })

  it('answer to their command, without a mention and without the command in the words', async () => {
    const wire = await start({ coder: { provider: 'p', model: 'bobs', match: { command: ['code'] } } })
    expect(await wire.host.say('/code fix it')).to.deep.equal(['bobs speaks'])
    expect(saidIn(wire.turns[0]).at(-1)).to.include('fix it').and.not.include('/code')
    expect(await wire.host.say('/code', 'ann')).to.deep.equal([])
    expect(await wire.host.say('/help', 'ann')).to.not.include('bobs speaks')
  })

  it('have only the tools that they name, and so have the agents that work for them', async () => {
    const origins: Origin[] = []
    const tool = (name: string) =>
      defineTool({
        name,
        description: name,
        effect: 'read',
        parameters: Type.Object({}),
        run: (_, call) => {
          origins.push(call.origin)
          return 'done'
        },
      })
    const plugin = definePlugin({
      name: 'two-tools',
      setup(ctx) {
        for (const name of ['sweep', 'knock']) ctx.contribute(tools, tool(name))
      },
    }) as unknown as AnyPlugin
    const wire = await start({ ada: { ...agents.ada, tools: ['knock'] } }, [plugin])
    await wire.host.say('ada, hello', 'ann', crew)
    expect(offeredIn(wire.turns[0])).to.include('knock').and.include('ask_user').and.not.include('sweep')
    await wire.host.say('bob, hello', 'ann', crew)
    expect(offeredIn(wire.turns[1])).to.include('knock').and.include('sweep')
    const { Agent } = await import('../api.js')
    await wire.host.host.get(Agent)?.ask({ text: 'go', agent: 'main', origin: { agent: 'ada' } })
    expect(offeredIn(wire.turns[2])).to.include('knock').and.not.include('sweep')
    expect(wire.turns[2]?.model).to.equal('adas')
  })

  it('wait for answers to their own questions', async () => {
    const wire = await wires.start(
      ({ model, messages }, index) =>
        index === 0
          ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
          : `${model} got ${JSON.stringify(messages.at(-1)?.content)}`,
      { providers: { p: ['plain', 'adas', 'bobs'] }, config: { 'ai.agents': agents } },
    )
    await wire.host.hear('ada, choose', 'ann', crew)
    await until(() => wire.host.texts.join().includes('Which?'))
    expect((await wire.host.say('bob, hello', 'ann', crew)).join()).to.match(/^bobs got .*hello/)
    await wire.host.hear('ada, the blue one', 'ann', crew)
    await until(() => wire.host.texts.some((text) => /^adas got .*the blue one/.test(text)))
  })

  it('are chosen for by name: the model, the state, a new conversation', async () => {
    const wire = await start()
    await wire.host.say('bob, hello', 'ann', crew)
    const say = async (text: string): Promise<string> => (await wire.host.say(text, 'owner', crew)).join()
    expect(await say('/model plain bob')).to.include('p:plain answers')
    expect(await say('/model')).to.include('Model: p:adas')
    expect(await say('/status Bob')).to.include('p:plain (chosen')
    expect(await say('/status')).to.equal('There is no conversation here yet.')
    expect(await say('/status eve')).to.equal('There is no agent of this name in this chat.')
    expect(await wire.host.say('bob, again', 'ann', crew)).to.deep.equal(['plain speaks'])
    expect(await say('/reset bob')).to.include('A new conversation begins')
    expect(await wire.host.say('bob, again', 'ann', crew)).to.deep.equal(['bobs speaks'])
  })

  it('keep their summary and their tools apart when a conversation is compacted', async () => {
    const wire = await start()
    for (const words of ['one', 'two', 'three']) await wire.host.say(`ada, ${words}`, 'owner', crew)
    expect((await wire.host.say('/compact', 'owner', crew)).join()).to.include('Compacted')
    expect(wire.summaries[0]?.model).to.equal('adas')
    await wire.host.say('ada, four', 'owner', crew)
    expect(system(wire.turns.at(-1))).to.include('You are called ada')
  })
})
