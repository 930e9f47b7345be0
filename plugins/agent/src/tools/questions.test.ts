import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import type { CardData, OutboundMessage } from '@mynah/plugin-chat/api'
import { eachTest, said, until, type Rig } from '../test/support.js'

const ask = (question: string, choices?: readonly string[]) => ({
  name: 'ask_user',
  input: { question, ...(choices ? { choices } : {}) },
})
const buttonsOf = (rig: Rig, at = -1): NonNullable<CardData['buttons']> =>
  ((rig.sent.at(at)?.message.segments.find(({ type }) => type === 'card')?.data ?? {}) as CardData).buttons ?? []
const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const

for (const database of [false, true]) {
  describe(`Questions: a question with choices ${database ? 'with a database' : 'without a database'}`, () => {
    const rigs = eachTest()

    it('is answered by a button, with the whole choice', async () => {
      const rig = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }, 'Blue it is.'], {
        database,
        buttons: true,
      })
      const id = await rig.hear('choose')
      await until(() => rig.texts.length === 1)
      expect(buttonsOf(rig).map(({ text }) => text)).to.deep.equal(['red', 'blue'])
      for (const { command = '' } of buttonsOf(rig)) expect(Buffer.byteLength(command), command).to.be.at.most(64)
      await rig.hear(buttonsOf(rig)[1]?.command ?? '')
      await rig.ended(id)
      expect(rig.texts.slice(1)).to.deep.equal(['Blue it is.'])
      expect(said(rig.models.requests[1]).at(-1)).to.equal('tool: result blue')
    })

    for (const [how, end] of [
      ['was answered in words', (rig: Rig) => rig.hear('blue')],
      ['was answered by a button', (rig: Rig) => rig.hear(buttonsOf(rig)[1]?.command ?? '')],
      ['was stopped', (rig: Rig) => rig.hear('/stop')],
      ['has expired', (rig: Rig) => rig.clock.advance(30 * 60_000)],
    ] as const)
      it(`loses its buttons when it ${how}`, async () => {
        const edits: string[][] = []
        const edit = async (_target: unknown, id: string, { text, segments }: OutboundMessage): Promise<void> => {
          edits.push([id, text, ...segments.map(({ type }) => type)])
        }
        const rig = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }, 'done'], {
          database,
          buttons: true,
          bot: { edit },
          config: { 'ai.agent': { stream: 'off' } },
        })
        await rig.hear('choose')
        await until(() => rig.texts.length === 1 && rig.agent.turns()[0]?.state === 'waiting')
        await end(rig)
        await until(() => edits.length === 1)
        expect(edits).to.deep.equal([['out1', 'Which?\n1. red\n2. blue', 'text']])
      })

    if (database)
      it('loses its buttons at the next start when the host stopped before it could take them off', async () => {
        const failing = { edit: () => Promise.reject(new Error('the connection is gone')) }
        const options = { database, buttons: true, config: { 'ai.agent': { stream: 'off' } } } as const
        const first = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }, 'Blue it is.'], {
          ...options,
          bot: failing,
        })
        await first.hear('choose')
        await until(() => first.texts.length === 1)
        await first.hear('blue')
        await until(() => first.texts.length === 2)
        const edits: string[] = []
        const edit = async (_target: unknown, id: string, { text }: OutboundMessage): Promise<void> => {
          edits.push(`${id} ${text}`)
        }
        await rigs.follow(first, [], { ...options, bot: { edit } })
        await until(() => edits.length === 1)
        expect(edits).to.deep.equal(['out1 Which?\n1. red\n2. blue'])
      })

    it('accepts the first of two presses, and reports that to the second user', async () => {
      const rig = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }, 'done'], { database, buttons: true })
      const id = await rig.hear('choose')
      await until(() => rig.texts.length === 1)
      const [red, blue] = buttonsOf(rig)
      const [, second] = await Promise.all([rig.hear(blue?.command ?? ''), rig.say(red?.command ?? '')])
      await rig.ended(id)
      expect(second.join()).to.include('no longer open')
      expect(said(rig.models.requests[1]).at(-1)).to.equal('tool: result blue')
      expect((await rig.say(red?.command ?? '')).join()).to.include('no longer open')
      expect(rig.models.requests).to.have.length(2)
    })

    it('rejects answers of others, from other chats, and choices that do not exist', async () => {
      const rig = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }, 'done'], { database, buttons: true })
      const id = await rig.hear('choose', group)
      await until(() => rig.texts.length === 1)
      const command = buttonsOf(rig)[0]?.command ?? ''
      expect((await rig.say(command, { ...group, sender: { id: 'mallory', name: 'M' } })).join()).to.include(
        'another person',
      )
      expect((await rig.say(command)).join()).to.include('another person')
      expect((await rig.say(command.replace(/1$/, '3'), group)).join()).to.include('no longer open')
      for (const wrong of [
        '/answer',
        '/answer x',
        `${command}9999`,
        `/answer ${'x'.repeat(9_000)} 1`,
        '/answer __proto__ 1',
      ])
        expect((await rig.say(wrong, group)).join(), wrong).to.not.equal('')
      expect(rig.models.requests).to.have.length(1)
      await rig.hear(command, group)
      await rig.ended(id)
      expect(said(rig.models.requests[1]).at(-1)).to.equal('tool: result red')
    })

    it('stays separate when the calls of two people have the same id', async () => {
      const asks = { calls: [{ ...ask('Which?', ['red', 'blue']), id: 'call_1' }] }
      const rig = await rigs.start(
        (request) =>
          said(request).at(-1)?.startsWith('tool: ')
            ? `${said(request).at(-1)?.slice('tool: result '.length)} it is.`
            : asks,
        { database, buttons: true },
      )
      const bob = { channel: { type: 'private', id: 'bob' }, sender: { id: 'bob', name: 'Bob' } } as const
      const first = await rig.hear('choose')
      await until(() => rig.texts.length === 1)
      const second = await rig.hear('choose', bob)
      await until(() => rig.texts.length === 2)
      await rig.hear('1')
      await rig.ended(first)
      await rig.hear('2', bob)
      await rig.ended(second)
      expect(rig.texts.slice(2)).to.deep.equal(['red it is.', 'blue it is.'])
    })

    it('names long choices by numbers on the buttons', async () => {
      const rig = await rigs.start(
        [{ calls: [ask('Which?', ['a way that takes rather long to tell on a button', 'no'])] }, 'done'],
        { database, buttons: true },
      )
      await rig.hear('choose')
      await until(() => rig.texts.length === 1)
      expect(buttonsOf(rig).map(({ text }) => text)).to.deep.equal(['1', '2'])
      expect(rig.texts[0]).to.include('1. a way that takes rather long')
    })

    it('waits for its own answer when there are two, and frees its slot once', async () => {
      const rig = await rigs.start(
        (request) =>
          said(request).at(-1)?.startsWith('tool')
            ? 'both'
            : { calls: [ask('First?', ['a', 'b']), ask('Second?', ['c', 'd'])] },
        { database, buttons: true },
      )
      // As many rounds as there are places for turns of a session: had one been lost each time, the last would wait for
      // ever.
      for (let round = 0; round < 5; round++) {
        const before = rig.texts.length
        const id = await rig.hear('choose')
        await until(() => rig.texts.length === before + 2)
        const first = rig.texts.findIndex((text, at) => at >= before && text.startsWith('First'))
        await rig.hear(buttonsOf(rig, first)[0]?.command ?? '')
        await rig.hear(buttonsOf(rig, 2 * before + 1 - first)[1]?.command ?? '')
        await rig.ended(id)
        expect(said(rig.models.requests.at(-1)).at(-1)).to.equal('tool: result a|result d')
      }
    })
  })
}

describe('a question that survived a stop', () => {
  const rigs = eachTest()

  it('is answered by the button from before the stop', async () => {
    const first = await rigs.start([{ calls: [ask('Which?', ['red', 'blue'])] }], { database: true, buttons: true })
    await first.hear('choose')
    await until(() => first.texts.length === 1 && first.agent.turns()[0]?.state === 'waiting')
    const command = buttonsOf(first)[1]?.command ?? ''
    const second = await rigs.follow(first, ['Blue it is.'], { database: true, buttons: true })
    await second.say(command)
    await until(() => second.texts.length === 1)
    expect(second.texts).to.deep.equal(['Blue it is.'])
    expect(said(second.models.requests[0]).at(-1)).to.equal('tool: result blue')
  })

  it('loses its buttons after the next start where it was answered and the stop came first', async () => {
    const hold = new Promise<void>(() => {})
    const edits: string[][] = []
    let refused = 0
    const refuse = async (): Promise<void> => {
      refused++
      throw new Error('connection reset')
    }
    const edit = async (_target: unknown, id: string, { text }: OutboundMessage): Promise<void> => {
      edits.push([id, text])
    }
    const options = { database: true, buttons: true, config: { 'ai.agent': { stream: 'off' } } }
    const asks = { calls: [ask('First?', ['red', 'blue']), ask('Second?', ['yes', 'no'])] }
    const first = await rigs.start([asks, { text: '', hold }], { ...options, bot: { edit: refuse } })
    await first.hear('choose')
    await until(() => first.texts.length === 2 && first.agent.turns()[0]?.state === 'waiting')
    const at = first.texts.findIndex((text) => text.startsWith('First'))
    await first.hear(buttonsOf(first, at)[1]?.command ?? '')
    await until(() => refused === 1)
    const second = await rigs.follow(first, [], { ...options, bot: { edit } })
    await until(async () => {
      await second.clock.advance(1_000)
      return edits.length > 0
    })
    // The recovery and the call that asked may both do it.
    for (const made of edits) expect(made).to.deep.equal([`out${at + 1}`, 'First?\n1. red\n2. blue'])
    expect(second.agent.turns()[0]?.state).to.equal('waiting')
  })

  it('loses its buttons where its turn is given up at a start', async () => {
    const works = defineTool({
      name: 'works',
      description: 'works',
      parameters: Type.Object({}),
      effect: 'repeatable',
      run: () => new Promise<string>(() => {}),
    })
    const edits: string[][] = []
    const edit = async (_target: unknown, id: string, { text }: OutboundMessage): Promise<void> => {
      edits.push([id, text])
    }
    const config = { 'ai.agent': { stream: 'off' } }
    const options = { database: true, buttons: true, tools: [works], config }
    const long = 'a way that takes rather long to tell on a button'
    const calls = [{ name: 'works', input: {} }, ask('Which?', [long, 'no'])]
    let rig = await rigs.start([{ calls }], options)
    await rig.hear('go')
    await until(() => rig.texts.length === 1 && rig.agent.turns()[0]?.state === 'waiting')
    rig = await rigs.follow(rig, [], options)
    await until(() => rig.agent.turns()[0]?.state === 'waiting')
    rig = await rigs.follow(rig, [], { ...options, bot: { edit } })
    await until(async () => {
      await rig.clock.advance(1_000)
      return edits.length > 0
    })
    for (const made of edits) expect(made).to.deep.equal(['out1', `Which?\n1. ${long}\n2. no`])
  })
})
