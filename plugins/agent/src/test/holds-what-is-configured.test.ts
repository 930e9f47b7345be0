// What each key of the configuration does to who is answered, what is asked and how it is said.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { promptSections } from '../api.js'
import { Database } from '@mynah/plugin-database/api'
import { Entries, Sessions } from '../session/tables.js'
import { eachTest, Rig, said, until, type Script } from './support.js'

describe('by its configuration the agent', () => {
  const rigs = eachTest()
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
  const tool = (name: string, run: () => unknown = () => name) =>
    defineTool({ name, description: `does ${name}`, parameters: Type.Object({}), run })
  const lines = (rig: Rig): string[] =>
    rig.log.filter(({ message }) => message.startsWith('[AGENT_PHASE]')).map(({ message }) => message)
  /** The words of each message of a request but its first, without what the host adds. */
  const words = (rig: Rig, index: number): string[] =>
    said(rig.models.requests[index])
      .slice(1)
      .map((line) => line.replace(/^user: .*\|/s, 'user: '))

  it('answers beginnings in private chats only, without them, and leaves others alone', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.trigger': { respondToPrivate: false, prefixes: ['bot ', 'ai:'], ignorePrefixes: ['#'] } },
    })
    expect(await rig.say('hello')).to.deep.equal([])
    expect(await rig.say('bot hello')).to.deep.equal(['ok'])
    expect(said(rig.models.requests[0]).at(-1)).to.match(/\|hello$/)
    expect(await rig.say('#bot hello')).to.deep.equal([])
    const group = { channel: { type: 'group', id: 'g' } } as const
    expect(await rig.say('bot hello', group)).to.deep.equal([])
    expect(await rig.say('bot hello', { ...group, mentioned: true })).to.deep.equal(['ok'])
    expect(said(rig.models.requests[1]).at(-1)).to.match(/: bot hello$/)
    expect(await rig.say('/nonsense')).to.not.include('ok')
    // A beginning with nothing behind it asks nothing.
    expect(await rig.say('ai: ')).to.deep.equal([])
    expect(rig.models.requests).to.have.length(2)
  })

  it('knows its masters and those whom they trust, everywhere or on one endpoint', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.trigger': { masters: ['boss'], trusted: ['deputy', 'test|one|helper', 'test|two|other'] } },
    })
    const by = (id: string) => rig.say('/models', { sender: { id }, channel: { type: 'private', id } })
    for (const id of ['boss', 'deputy', 'helper']) expect((await by(id)).join(), id).to.include('scripted')
    for (const id of ['other', 'ann']) expect((await by(id)).join(), id).to.include('may not')
  })

  it('lets look in a group who is being answered there, beside those who run it', async () => {
    const rig = await rigs.start([{ text: 'never', hold: new Promise(() => {}) }])
    const group = (id: string) => ({ channel: { type: 'group', id: 'g' }, sender: { id } }) as const
    const id = await rig.hear('hello', { ...group('ann'), mentioned: true })
    await until(() => rig.models.requests.length === 1)
    expect((await rig.say('/status', group('ann'))).join()).to.include('1 being answered')
    expect((await rig.say('/status', group('owner'))).join()).to.include('1 being answered')
    for (const command of ['/status', '/usage', '/context'])
      expect((await rig.say(command, group('bob'))).join(), command).to.include('master and trusted')
    await rig.say('/stop', group('bob'))
    expect(rig.agent.turns()).to.have.length(1)
    await rig.say('/stop', group('ann'))
    await rig.ended(id)
  })

  it('counts what a user has used in a day, but not of masters', async () => {
    const rig = await rigs.start(() => ({ text: 'ok', usage: { input: 900, cachedInput: 0, output: 100 } }), {
      config: { 'ai.agent': { rateLimit: { tokensPerDay: 1_500 } } },
    })
    for (const answer of ['ok', 'ok']) expect(await rig.say('hello')).to.deep.equal([answer])
    expect((await rig.say('hello')).join()).to.include('Ask again after 00:00Z')
    for (let turn = 0; turn < 3; turn++) expect(await rig.say('hello', owner)).to.deep.equal(['ok'])
    await rig.clock.advance(86_400_000)
    expect(await rig.say('hello')).to.deep.equal(['ok'])
  })

  it('summarises by the number of messages though nothing is compacted by tokens', async () => {
    const rig = await rigs.start((request) => (request.purpose === 'summary' ? 'summed up' : 'ok'), {
      config: {
        'ai.context': { summaryThreshold: 4, keepAfterSummary: 2 },
        'ai.agent': { compaction: { enabled: false } },
      },
    })
    for (let round = 0; round < 3; round++) await rig.say(`message ${round}`)
    await until(() => rig.models.requests.some(({ purpose }) => purpose === 'summary'))
  })

  for (const [share, summaries] of [
    [0.5, 1],
    [0.9, 0],
  ] as const) {
    it(`makes room when a conversation has taken ${share} of the window`, async () => {
      const rig = await rigs.start(
        (request) =>
          request.purpose === 'summary'
            ? 'a summary'
            : { text: 'ok', usage: { input: 70_000, cachedInput: 0, output: 10 } },
        { config: { 'ai.agent': { maxHistoryShare: share, compaction: { keepRecentTokens: 10 } } } },
      )
      for (const text of ['one', 'two', 'three']) await rig.say(`${text} ${'x'.repeat(400)}`)
      await until(() => rig.agent.turns().length === 0)
      expect(Math.min(1, rig.models.requests.filter(({ purpose }) => purpose === 'summary').length)).to.equal(summaries)
    })
  }

  it('keeps conversations in memory, though there is a database', async () => {
    const rig = await rigs.start(() => 'ok', { database: true, config: { 'ai.sessions': { useDatabase: false } } })
    await rig.say('hello')
    await rig.say('again')
    expect(words(rig, 1)).to.deep.equal(['user: hello', 'assistant: ok', 'user: again'])
    expect(await rig.host.get(Database)?.read((db) => db.count(Entries, {}))).to.equal(0)
  })

  it('begins with the end of a conversation after a pause', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.sessions': { coldStartMaxMessages: 2, coldStartMaxAgeMs: 60_000 } },
    })
    for (const text of ['one', 'two', 'three']) await rig.say(text)
    expect(words(rig, 2)).to.have.length(5)
    await rig.clock.advance(61_000)
    await rig.say('four')
    expect(words(rig, 3)).to.deep.equal(['user: three', 'assistant: ok', 'user: four'])
  })

  it('begins with the end of a conversation after a start, and after an hour, where no other pause is named', async () => {
    const config = { 'ai.sessions': { coldStartMaxMessages: 2 } }
    const first = await new Rig(() => 'ok').start({ database: true, config })
    for (const text of ['one', 'two', 'three']) await first.say(text)
    expect(words(first, 2)).to.have.length(5)
    await first.stop(true)
    const second = new Rig(() => 'ok')
    await second.clock.advance(60_000)
    await second.start({ database: true, config, data: first.data })
    try {
      await second.say('four')
      expect(words(second, 0)).to.deep.equal(['user: three', 'assistant: ok', 'user: four'])
      await second.say('five')
      expect(words(second, 1)).to.have.length(5)
      await second.clock.advance(3_600_001)
      await second.say('six')
      expect(words(second, 2)).to.deep.equal(['user: five', 'assistant: ok', 'user: six'])
    } finally {
      await second.stop()
    }
  })

  it('deletes archived epochs after their days', async () => {
    const rig = await rigs.start(() => 'ok', { database: true, config: { 'ai.sessions': { keepArchivedDays: 1 } } })
    const archived = () => rig.host.get(Database)?.read((db) => db.count(Sessions, { state: 'archived' }))
    await rig.say('hello', owner)
    await rig.say('/reset', owner)
    expect(await archived()).to.equal(1)
    await rig.clock.advance(25 * 3_600_000)
    await rig.say('hello')
    await until(async () => (await archived()) === 0)
  })

  it('hears the mood of what is said, or does not', async () => {
    for (const [toneAwareness, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const rig = await rigs.start(() => 'ok', { config: { 'ai.agent': { toneAwareness } } })
      await rig.say('this is urgent, hurry!')
      expect(said(rig.models.requests[0]).filter((line) => line.includes('[Tone]'))).to.have.length(count)
    }
  })

  for (const [model, size] of [
    [{ id: 'llama3.1:8b' }, 'small'],
    [{ id: 'gemma3:270m' }, 'small'],
    [{ id: 'gemma-3n-e4b-it' }, 'small'],
    [{ id: 'mistral:latest', billions: 7 }, 'small'],
    [{ id: 'qwen2.5-14b' }, 'medium'],
    [{ id: 'qwen3:latest', billions: 32 }, 'medium'],
    [{ id: 'llama3.3:70b' }, 'large'],
    [{ id: 'mixtral-8x7b' }, 'large'],
    [{ id: 'gpt-5' }, 'large'],
    [{ id: 'qwen-turbo-1m' }, 'large'],
  ] as const) {
    it(`knows that ${model.id}${'billions' in model ? ` of ${model.billions} billion parameters` : ''} is ${size}`, async () => {
      const sizes: string[] = []
      const rig = await rigs.start(() => 'ok', {
        models: [{ score: 50, capabilities: { toolCalling: true }, ...model }],
        setup: (ctx) =>
          void ctx.contribute(promptSections, {
            id: 'test.size',
            position: 'system',
            order: 1,
            title: 'Size',
            render: (context) => {
              sizes.push(context.size)
              return undefined
            },
          }),
      })
      await rig.say('hello')
      expect(sizes).to.deep.equal([size])
    })
  }

  it('asks a model as its harness says', async () => {
    const rig = await rigs.start(() => 'ok', {
      tools: [tool('one'), tool('two')],
      config: {
        'ai.agent': {
          modelHarness: {
            models: {
              scripted: {
                temperature: 0.3,
                parallelToolCalls: false,
                providerOptions: { script: { effort: 'low' } },
                disabledTools: ['one'],
              },
            },
          },
        },
      },
    })
    await rig.say('hello')
    const { temperature, parallelToolCalls, providerOptions, tools } = rig.models.requests[0] ?? {}
    expect({ temperature, parallelToolCalls, providerOptions }).to.deep.equal({
      temperature: 0.3,
      parallelToolCalls: false,
      providerOptions: { script: { effort: 'low' } },
    })
    expect(tools?.map(({ name }) => name))
      .to.include('two')
      .and.not.include('one')
  })

  it('runs so many rounds of tools, and then answers', async () => {
    const rig = await rigs.start(
      (request) => (request.toolChoice === 'none' ? 'enough' : { calls: [{ name: 'one', input: {} }] }),
      { tools: [tool('one', () => Math.random())], config: { 'ai.agent': { maxIterations: 4 } } },
    )
    expect(await rig.say('go')).to.deep.equal(['enough'])
    expect(rig.models.requests).to.have.length(4)
  })

  it('finds so many tools by one search', async () => {
    const rig = await rigs.start([{ calls: [{ name: 'tool_search', input: { query: 'does' } }] }, 'ok'], {
      tools: [tool('one'), tool('two'), tool('three')],
      config: { 'ai.agent': { deferredToolMaxResults: 2 } },
    })
    await rig.say('go')
    expect(said(rig.models.requests[1]).at(-1)?.split('\n')).to.have.length(2)
  })

  for (const [mode, perStep] of [
    ['one-at-a-time', 1],
    ['all', 2],
  ] as const) {
    it(`takes in what a master adds, ${mode}`, async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const script: Script = (_request, index) => {
        const name = ['look', 'peek'][index]
        return name === undefined ? 'done' : { calls: [{ name, input: {} }] }
      }
      const rig = await rigs.start(script, {
        tools: [tool('look', () => gate), tool('peek')],
        config: { 'ai.agent': { steeringMode: mode } },
      })
      const first = await rig.hear('go', owner)
      await until(() => rig.models.requests.length === 1)
      for (const text of ['in blue', 'and shiny']) {
        const id = await rig.hear(text, owner)
        await until(() => rig.steps(id).some((step) => step.endsWith('steers')))
      }
      go()
      await rig.ended(first)
      expect(said(rig.models.requests[1]).filter((line) => line.includes('The user adds'))).to.have.length(perStep)
      expect(said(rig.models.requests.at(-1)).filter((line) => line.includes('The user adds'))).to.have.length(2)
    })
  }

  it('says an answer by paragraphs where it cannot grow', async () => {
    const [one, two] = [
      'The first paragraph, which is long enough to be sent alone.',
      'The second paragraph, which is what comes after it.',
    ]
    const rig = await rigs.start([`${one}\n\n${two}`], { config: { 'ai.agent': { stream: 'chunks' } } })
    await rig.say('tell me')
    expect(rig.texts).to.deep.equal([one, two])
  })

  it('writes its phases into the log where that is wished for, by the environment too', async () => {
    const silent = await rigs.start(() => 'ok')
    await silent.say('hello')
    expect(lines(silent)).to.deep.equal([])
    process.env.MYNAH_AGENT_PHASE_TRACE = '1'
    try {
      await silent.say('hello')
    } finally {
      delete process.env.MYNAH_AGENT_PHASE_TRACE
    }
    expect(lines(silent)).to.deep.equal(['[AGENT_PHASE] model', '[AGENT_PHASE] answered'])
    const talking = await rigs.start([{ calls: [{ name: 'one', input: {} }] }, 'ok'], {
      tools: [tool('one')],
      config: { 'ai.agent': { phaseTrace: true } },
    })
    await talking.say('hello')
    expect(lines(talking)).to.deep.equal(
      ['model', 'answered', 'tool', 'model', 'answered'].map((stage) => `[AGENT_PHASE] ${stage}`),
    )
    expect(talking.log.find(({ message }) => message === '[AGENT_PHASE] answered')?.fields).to.include.keys(
      'turn',
      'step',
      'model',
      'input',
      'cachedInput',
      'ms',
    )
  })
})
