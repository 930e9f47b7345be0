// Further rules of the specification's agent part, one test for each: turns, context and hooks.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, type ModelRequest, type Tool } from '@mynah/plugin-ai/api'
import { aiHook } from '../api.js'
import { eachTest, said, until, type Rig } from './support.js'

const tool = (name: string, more: Partial<Tool> = {}) =>
  defineTool({ name, description: name, parameters: Type.Object({}), run: () => `${name} ran`, ...more })
const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const
const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
const bodyOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages)
const held = (): { readonly hold: Promise<void>; release(): void } => {
  let release = (): void => {}
  return { hold: new Promise((resolve) => (release = resolve)), release: () => release() }
}

describe('specification: turns', () => {
  const rigs = eachTest()

  it('messages that mention the bot run at the same time, each as a turn of its own', async () => {
    const { hold, release } = held()
    const rig = await rigs.start((_request, index) => (index === 0 ? { text: 'slow', hold } : 'fast'))
    const first = await rig.hear('one', group)
    await until(() => rig.models.requests.length === 1)
    expect(await rig.say('two', { ...group, sender: { id: 'bob' } })).to.deep.equal(['fast'])
    release()
    await rig.ended(first)
    expect(rig.texts).to.deep.equal(['fast', 'slow'])
  })

  it('a message of a master goes to the latest running turn of the session', async () => {
    const { hold, release } = held()
    const look = tool('look', { run: () => hold.then(() => 'seen') })
    const rig = await rigs.start([{ calls: [{ name: 'look', input: {} }] }, 'done'], { tools: [look] })
    const first = await rig.hear('look', owner)
    await until(() => rig.models.requests.length === 1)
    const second = await rig.hear('and hurry', owner)
    await until(() => rig.steps(second).some((step) => step.includes('steers')))
    release()
    await Promise.all([rig.ended(first), rig.ended(second)])
    expect(rig.texts).to.deep.equal(['done'])
    expect(bodyOf(rig.models.requests[1])).to.include('and hurry')
  })

  it('a command is not answered by the agent as well', async () => {
    const rig = await rigs.start(() => 'by the agent')
    expect((await rig.say('/status', owner)).join()).to.not.include('by the agent')
    expect(rig.models.requests).to.have.length(0)
  })

  it('there are at most 15 rounds of tools by default, or maxIterations', async () => {
    for (const [config, most] of [
      [{}, 15],
      [{ 'ai.agent': { maxIterations: 4 } }, 4],
    ] as const) {
      const rig = await rigs.start((_request, index) => ({ calls: [{ name: `look${index % 2}`, input: { index } }] }), {
        tools: [tool('look0'), tool('look1')],
        config,
      })
      await rig.say('look')
      expect(rig.models.requests).to.have.length(most)
    }
  })

  it('a turn ends after two minutes by default', async () => {
    const rig = await rigs.start(() => ({ text: 'never', hold: new Promise(() => {}) }), {
      config: { 'ai.trigger': { timeout: 0 } },
    })
    const id = await rig.hear('hello')
    await until(() => rig.models.requests.length === 1)
    await rig.clock.advance(119_000)
    expect(rig.texts).to.deep.equal([])
    await rig.clock.advance(2_000)
    await rig.ended(id)
    expect(rig.texts).to.have.length(1)
  })

  it('tools that run before the first request have 15 s by default', async () => {
    const slow = tool('slow', { effect: 'read', preExec: () => ({}), run: () => new Promise(() => {}) })
    const rig = await rigs.start(['ok'], { tools: [slow] })
    const id = await rig.hear('hello')
    await until(() => rig.steps(id).some((step) => step.startsWith('turn ')))
    await until(async () => {
      await rig.clock.advance(1_000)
      return rig.models.requests.length === 1
    })
    await rig.ended(id)
    expect(rig.texts).to.deep.equal(['ok'])
  })

  it('a stream hands over each piece and the text so far', async () => {
    const pieces: [string, string][] = []
    const rig = await rigs.start(['one two'])
    await rig.agent.ask({ text: 'hello', onChunk: (chunk, full) => void pieces.push([chunk, full]) })
    expect(pieces.map(([chunk]) => chunk).join('')).to.equal('one two')
    expect(pieces.at(-1)?.[1]).to.equal('one two')
  })

  it('an address in an answer becomes a medium of its kind', async () => {
    const rig = await rigs.start(['Look: ![a kite](https://x.example/kite.png)'])
    await rig.say('show it')
    const segments = rig.sent.flatMap(({ message }) => message.segments)
    expect(segments.filter(({ type }) => type === 'image').map(({ data }) => data.url)).to.deep.equal([
      'https://x.example/kite.png',
    ])
  })
})

describe('specification: context', () => {
  const rigs = eachTest()
  const talk = async (rig: Rig, count: number): Promise<void> => {
    for (let at = 0; at < count; at++) await rig.say(`line ${at}`)
  }

  it('above the threshold the conversation is summarised, and each summary continues the one before', async () => {
    let summaries = 0
    const rig = await rigs.start(({ purpose }) => (purpose === 'summary' ? `summary ${++summaries}` : 'ok'), {
      config: {
        'ai.context': { summaryThreshold: 4, keepAfterSummary: 0 },
        'ai.agent': { compaction: { keepRecentTokens: 0 } },
      },
    })
    const asked = () => rig.models.requests.filter(({ purpose }) => purpose === 'summary')
    for (const count of [1, 2]) {
      await until(async () => {
        await talk(rig, 1)
        return asked().length >= count
      })
      await until(() => summaries >= count)
    }
    await talk(rig, 1)
    expect(bodyOf(asked()[1])).to.include('summary 1')
    expect(bodyOf(rig.models.requests.filter(({ purpose }) => purpose === 'turn').at(-1))).to.include('summary ')
  })

  it('chat_history is offered when a message asks about what was before', async () => {
    const many = Array.from({ length: 30 }, (_, index) => tool(`thing${index}`))
    const rig = await rigs.start(() => 'ok', { tools: many })
    await rig.say('what did we say last time?')
    expect(rig.models.requests[0]?.tools?.map(({ name }) => name)).to.include('chat_history')
  })

  it('chat_history finds words of this chat only', async () => {
    const rig = await rigs.start(({ messages }) =>
      messages.at(-1)?.role === 'user' && bodyOf({ messages: messages.slice(-1) } as never).includes('search')
        ? { calls: [{ name: 'chat_history', input: { keyword: 'ZEBRA' } }] }
        : 'ok',
    )
    await rig.say('a zebra ran by')
    await rig.say('a zebra of bob', { sender: { id: 'bob' }, channel: { type: 'private', id: 'bob' } })
    await rig.say('search')
    const result = said(rig.models.requests.at(-1)).at(-1) ?? ''
    expect(result).to.include('a zebra ran by').and.not.include('of bob')
  })

  it('plugins change what is sent, in the order in which they came', async () => {
    const rig = await rigs.start(['ok'])
    for (const word of ['first', 'second'])
      rig.agent.onTransformContext((messages) => [...messages, { role: 'user', content: word }])
    await rig.say('hello')
    expect(bodyOf(rig.models.requests[0])).to.match(/hello.*first.*second/)
  })

  it('sections of the prompt come in their order, without empty ones', async () => {
    const rig = await rigs.start(['ok'])
    await rig.say('hello')
    const [system] = said(rig.models.requests[0])
    expect(system).to.match(/## Style\n[\s\S]*## Tools\n[\s\S]*## Safety\n[\s\S]*## Platform\n/)
    expect(system).to.not.include('## Deferred Tools')
  })
})

describe('specification: hooks', () => {
  const rigs = eachTest()

  it('received and sent messages, calls and new sessions are announced', async () => {
    const heard: string[] = []
    const rig = await rigs.start([{ calls: [{ name: 'look', input: {} }] }, 'done', 'again'], {
      tools: [tool('look')],
      setup: (ctx) => {
        for (const name of ['message:received', 'message:sent', 'tool:call', 'ai.session.new'] as const)
          ctx.on(aiHook(name), (payload) => {
            const { userId = '', content = '' } = payload as { userId?: string; content?: string }
            heard.push(name === 'message:received' ? `${name} ${userId} ${content}` : name)
          })
      },
    })
    await rig.say('look', owner)
    await rig.say('/reset', owner)
    await rig.say('hello', owner)
    expect(heard).to.include.members(['message:received owner look', 'tool:call', 'message:sent', 'ai.session.new'])
    expect(heard.indexOf('message:received owner look')).to.be.below(heard.indexOf('tool:call'))
    expect(heard.indexOf('tool:call')).to.be.below(heard.indexOf('message:sent'))
  })
})
