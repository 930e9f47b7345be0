// Further rules of the specification's agent part, one test for each, with model servers over the wire.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { defineTool, tools } from '@mynah/plugin-ai/api'
import { until } from './support.js'
import { eachWire, isSummary, offeredIn, saidIn, type Wire } from './wire.js'

const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('a red kite'),
]).toString('base64')
const picture = { type: 'image', data: { base64: PNG } }
const words = { type: 'text', data: { text: 'what is it?' } }
const DAY = 86_400_000

/** Says so many lines in private, as a user whose number of turns is not limited, one after another. */
async function talk({ host }: Wire, count: number, from = 0): Promise<void> {
  for (let at = from; at < from + count; at++) await host.say(`line ${at}`, 'tess')
}
/** Returns which lines of {@link talk} are in the last request. */
const linesIn = (wire: Wire): number[] =>
  saidIn(wire.turns.at(-1)).flatMap((said) => [...said.matchAll(/\bline (\d+)/g)].map(([, at]) => Number(at)))

describe('specification over the wire: agents', () => {
  const wires = eachWire()
  const providers = { text: ['writer'], eyes: ['looker'], sharp: ['watcher'] }
  const ask = async (agents: object, content: unknown): Promise<string | undefined> => {
    const wire = await wires.start(() => 'ok', { providers, config: { 'ai.agents': agents } })
    await wire.host.say(content as string)
    return wire.bodies[0]?.model
  }

  it('an agent whose match has images answers pictures, whatever its name is', async () => {
    const agents = { main: { provider: 'text' }, painter: { provider: 'eyes', match: { hasMedia: ['image'] } } }
    expect(await ask(agents, [words, picture])).to.equal('looker')
  })

  it('an agent named vision answers pictures without a match', async () => {
    expect(await ask({ main: { provider: 'text' }, vision: { provider: 'eyes' } }, [words, picture])).to.equal('looker')
  })

  it('of several agents that match, that with the highest priority answers', async () => {
    const match = { hasMedia: ['image'] }
    const agents = {
      main: { provider: 'text' },
      low: { provider: 'eyes', match, priority: 1 },
      high: { provider: 'sharp', match, priority: 5 },
    }
    expect(await ask(agents, [words, picture])).to.equal('watcher')
  })

  it('the agent main answers messages without media', async () => {
    const agents = { painter: { provider: 'eyes', match: { hasMedia: ['image'] } }, main: { provider: 'text' } }
    expect(await ask(agents, 'hello')).to.equal('writer')
  })

  it('a model that is not among those of its provider is not asked', async () => {
    const wire = await wires.start(() => 'ok', { config: { 'ai.agents': { main: { provider: 'p', model: 'other' } } } })
    await wire.host.say('hello', 'owner')
    expect(wire.bodies).to.deep.equal([])
    expect(wire.host.texts.join()).to.include('the configured model')
  })
})

describe('specification over the wire: settings of models', () => {
  const wires = eachWire()

  it('those of a model count more than those of a pattern of providers, in which * is any text', async () => {
    const modelHarness = {
      providerPatterns: { 'lo*l': { temperature: 0.1 }, other: { temperature: 0.2 } },
      models: { m: { temperature: 0.3 }, 'local:second': { temperature: 0.4 } },
    }
    for (const [model, temperature] of [
      ['first', 0.1],
      ['m', 0.3],
      ['second', 0.4],
    ] as const) {
      const wire = await wires.start(() => 'ok', {
        providers: { local: [model] },
        config: { 'ai.agent': { modelHarness } },
      })
      await wire.host.say('hello')
      expect(wire.bodies[0]?.temperature, model).to.equal(temperature)
    }
  })

  it('objects are merged, and lists are replaced', async () => {
    const tool = (name: string) => defineTool({ name, description: name, parameters: Type.Object({}), run: () => name })
    const plugin = definePlugin({
      name: 'test-tools',
      setup: (ctx) => {
        for (const name of ['one', 'two']) ctx.contribute(tools, tool(name))
      },
    }) as unknown as AnyPlugin
    const modelHarness = {
      providerPatterns: { p: { temperature: 0.5, disabledTools: ['one'] } },
      models: { m: { disabledTools: ['two'] } },
    }
    const wire = await wires.start(() => 'ok', { plugins: [plugin], config: { 'ai.agent': { modelHarness } } })
    await wire.host.say('hello')
    expect(wire.bodies[0]?.temperature).to.equal(0.5)
    expect(offeredIn(wire.bodies[0])).to.include('one').and.not.include('two')
  })
})

describe('specification over the wire: history', () => {
  const wires = eachWire()
  const play = (): string => 'ok'
  const quiet = { 'ai.context': { enabled: false }, 'ai.agent': { compaction: { enabled: false } } }

  it('at most 100 messages of a conversation in memory are sent by default', async () => {
    const wire = await wires.start(play, { config: quiet })
    await talk(wire, 50)
    expect(linesIn(wire)[0]).to.equal(0)
    await talk(wire, 2, 50)
    expect(saidIn(wire.turns.at(-1)).length).to.be.within(20, 100)
    expect(linesIn(wire)[0]).to.be.above(0)
  })

  it('maxHistory bounds the messages by a cut that stays, so that requests go on extending each other', async () => {
    const wire = await wires.start(play, { config: { ...quiet, 'ai.sessions': { maxHistory: 8 } } })
    await talk(wire, 6)
    const first = linesIn(wire)[0]
    await talk(wire, 1, 6)
    expect(first).to.be.above(0)
    expect(linesIn(wire)[0]).to.equal(first)
  })

  it('maxRecentMessages bounds them as well, but not where ai.context is disabled', async () => {
    for (const [enabled, first] of [
      [true, 4],
      [false, 0],
    ] as const) {
      const wire = await wires.start(play, { config: { 'ai.context': { enabled, maxRecentMessages: 6 } } })
      await talk(wire, 5)
      expect(linesIn(wire)[0] ?? 0).to.be.within(Math.min(1, first), first)
    }
  })

  it('a conversation in memory ends after 24 hours without a message by default', async () => {
    const wire = await wires.start(play)
    await talk(wire, 1)
    await wire.host.clock.advance(DAY - 60_000)
    await talk(wire, 1, 1)
    expect(linesIn(wire)).to.deep.equal([0, 1])
    await wire.host.clock.advance(DAY + 60_000)
    await talk(wire, 1, 2)
    expect(linesIn(wire)).to.deep.equal([2])
  })

  it('sessionIdleArchiveMs archives a conversation, and 0 never does', async () => {
    for (const [sessionIdleArchiveMs, lines] of [
      [60_000, [1]],
      [0, [0, 1]],
    ] as const) {
      const wire = await wires.start(play, { config: { 'ai.sessions': { sessionIdleArchiveMs, expireMs: 0 } } })
      await talk(wire, 1)
      await wire.host.clock.advance(2 * DAY)
      await talk(wire, 1, 1)
      expect(linesIn(wire)).to.deep.equal(lines)
    }
  })
})

describe('specification over the wire: summaries', () => {
  const wires = eachWire()
  /** Answers, and says that the request had so many tokens. */
  const full = (inputTokens: number) => (body: Parameters<typeof isSummary>[0]) =>
    isSummary(body) ? 'they counted lines' : { text: 'ok '.repeat(60), inputTokens }
  const summarised = (wire: Wire): Promise<void> => until(() => wire.summaries.length > 0)

  it('without ai.context there is none, however many messages there are', async () => {
    const wire = await wires.start(full(10), { config: { 'ai.context': { enabled: false, summaryThreshold: 4 } } })
    await talk(wire, 6)
    expect(wire.summaries).to.deep.equal([])
  })

  it('by default there is one after 50 messages, and the 10 newest ones stay', async () => {
    const wire = await wires.start(full(10))
    await talk(wire, 25)
    expect(wire.summaries).to.deep.equal([])
    await talk(wire, 1, 25)
    await summarised(wire)
    await until(async () => {
      await wire.host.say('and now?', 'tess')
      return saidIn(wire.turns.at(-1)).join().includes('they counted lines')
    })
    expect(linesIn(wire).length).to.be.within(4, 6)
  })

  it('maxContextTokens bounds its length', async () => {
    const wire = await wires.start(full(10), {
      config: { 'ai.context': { summaryThreshold: 2, keepAfterSummary: 0, maxContextTokens: 321 } },
    })
    await talk(wire, 2)
    await summarised(wire)
    expect(wire.summaries[0]?.max_tokens).to.equal(321)
  })

  it('a conversation that fills half of the window is compacted, and contextTokens is an unknown window', async () => {
    const wire = await wires.start(full(600), {
      config: { 'ai.agent': { contextTokens: 1_000, compaction: { keepRecentTokens: 40 } } },
    })
    await talk(wire, 2)
    await summarised(wire)
  })

  for (const [key, compaction] of [
    ['enabled', { enabled: false }],
    ['auto', { auto: false }],
  ] as const)
    it(`a full window leads to none where compaction.${key} is off`, async () => {
      const wire = await wires.start(full(600), {
        config: { 'ai.agent': { contextTokens: 1_000, compaction: { keepRecentTokens: 40, ...compaction } } },
      })
      await talk(wire, 4)
      expect(wire.summaries).to.deep.equal([])
    })

  it('keepRecentTokens of the newest messages stay, and never fewer than minKeepCount messages', async () => {
    for (const [compaction, most] of [
      [{ keepRecentTokens: 0, minKeepCount: 4 }, 3],
      [{ keepRecentTokens: 0 }, 2],
    ] as const) {
      const wire = await wires.start(full(10), { config: { 'ai.agent': { compaction } } })
      for (let at = 0; at < 6; at++) await wire.host.say(`line ${at}`, 'owner')
      await wire.host.say('/compact', 'owner')
      await wire.host.say('line 6', 'owner')
      expect(saidIn(wire.turns.at(-1)).join()).to.include('they counted lines')
      expect(linesIn(wire)).to.have.length(most)
    }
  })
})

describe('specification over the wire: answers', () => {
  const wires = eachWire()

  it('addresses of pictures, sound and videos become media', async () => {
    const wire = await wires.start(
      () => '![a kite](https://x.example/k.png) [audio](https://x.example/k.mp3) [video](https://x.example/k.mp4)',
    )
    await wire.host.say('show it')
    const media = wire.host.sent.flatMap(({ message }) => message.segments).filter(({ type }) => type !== 'text')
    expect(media.map(({ type, data }) => `${type} ${String(data.url)}`)).to.deep.equal([
      'image https://x.example/k.png',
      'audio https://x.example/k.mp3',
      'video https://x.example/k.mp4',
    ])
  })

  for (const [followUpMode, requests] of [
    ['one-at-a-time', 4],
    ['all', 2],
  ] as const)
    it(`messages of a master after the last tool are answered in the same turn: ${followUpMode}`, async () => {
      let release = (): void => {}
      const hold = new Promise<void>((resolve) => (release = resolve))
      const wire = await wires.start((_body, index) => (index === 0 ? { text: 'first', hold } : `answer ${index}`), {
        config: { 'ai.agent': { followUpMode } },
      })
      const first = wire.host.say('one', 'owner')
      await until(() => wire.bodies.length === 1)
      for (const text of ['two', 'three', 'four']) {
        const messageId = await wire.host.hear(text, 'owner')
        await until(() => wire.steps(messageId).some((outcome) => outcome === 'steers'))
      }
      release()
      await first
      expect(wire.bodies).to.have.length(requests)
      expect(saidIn(wire.bodies.at(-1)).join())
        .to.include('two')
        .and.include('three')
        .and.include('four')
    })
})
