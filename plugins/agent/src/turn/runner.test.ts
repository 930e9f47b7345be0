import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { Agent } from '../api.js'
import { eachTest, Rig, said, until, type Script } from '../test/support.js'

describe('configuration of ai.agent', () => {
  const rigs = eachTest()
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
  const tool = (name: string, run: () => unknown = () => name) =>
    defineTool({ name, description: `does ${name}`, parameters: Type.Object({}), run })
  const lines = (rig: Rig): string[] =>
    rig.log.filter(({ message }) => message.startsWith('[AGENT_PHASE]')).map(({ message }) => message)

  it('limits the tokens of a user per day, except for masters', async () => {
    const rig = await rigs.start(() => ({ text: 'ok', usage: { input: 900, cachedInput: 0, output: 100 } }), {
      config: { 'ai.agent': { rateLimit: { tokensPerDay: 1_500 } } },
    })
    for (const answer of ['ok', 'ok']) expect(await rig.say('hello')).to.deep.equal([answer])
    expect((await rig.say('hello')).join()).to.include('ask again after 00:00Z')
    for (let turn = 0; turn < 3; turn++) expect(await rig.say('hello', owner)).to.deep.equal(['ok'])
    await rig.clock.advance(86_400_000)
    expect(await rig.say('hello')).to.deep.equal(['ok'])
  })

  it('mentions the mood of a message, unless that is disabled', async () => {
    for (const [toneAwareness, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const rig = await rigs.start(() => 'ok', { config: { 'ai.agent': { toneAwareness } } })
      await rig.say('this is urgent, hurry!')
      expect(said(rig.models.requests[0]).filter((line) => line.includes('[Tone]'))).to.have.length(count)
    }
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

  it('tells who writes meanwhile that a turn waits for the owner, once for each person', async () => {
    let answer = (): void => {}
    const wait = new Promise<void>((resolve) => (answer = resolve))
    const pay = defineTool({
      ...{ name: 'pay', description: 'pays', parameters: Type.Object({}) },
      run: (_, call) => call.wait('approval', 'r1', () => wait.then(() => 'paid')),
    })
    const rig = await rigs.start((_request, index) => (index === 0 ? { calls: [{ name: 'pay', input: {} }] } : 'ok'), {
      tools: [pay],
    })
    const group = { channel: { type: 'group', id: 'yard' }, mentioned: true } as const
    const first = await rig.hear('pay', { ...group, sender: { id: 'owner' } })
    await until(() => rig.host.get(Agent)?.turns()[0]?.state === 'waiting')
    const bob = { ...group, sender: { id: 'bob' } }
    await rig.ended(await rig.hear('hello?', bob))
    await until(() => rig.texts.some((text) => text.includes('still waits for the approval of the owner')))
    await rig.ended(await rig.hear('hello??', bob))
    answer()
    await rig.ended(first)
    expect(rig.texts.filter((text) => text.includes('still waits'))).to.have.length(1)
  })

  it('sends an answer by paragraphs where messages cannot be edited', async () => {
    const [one, two] = [
      'The first paragraph, which is long enough to be sent alone.',
      'The second paragraph, which is what comes after it.',
    ]
    const rig = await rigs.start([`${one}\n\n${two}`], { config: { 'ai.agent': { stream: 'chunks' } } })
    await rig.say('tell me')
    expect(rig.texts).to.deep.equal([one, two])
  })

  it('logs its phases on request, also by an environment variable', async () => {
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
