import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { SessionTrees } from '@mynah/plugin-introspection/api'
import { aiHook } from '../api.js'
import { eachTest, said, until } from '../test/support.js'

const owner = { sender: { id: 'owner', name: 'Owner' }, channel: { type: 'private', id: 'owner' } } as const
const KEY = 'test|one|private|owner'

for (const database of [false, true]) {
  describe(`Trees: conversations ${database ? 'in a database' : 'in memory'}`, () => {
    const rigs = eachTest()

    it('go on from an earlier message after a switch, and keep the branch that was left', async () => {
      const rig = await rigs.start(['one', 'two', 'three', 'four'], { database })
      for (const text of ['a', 'b', 'c']) await rig.say(text, owner)
      expect((await rig.say('/tree', owner))[0]).to.equal('  1. a\n  2. b\n  3. c')
      expect(await rig.say('/tree 1', owner)).to.deep.equal(['The conversation continues from message 1.'])
      const trees = rig.host.get(SessionTrees)
      const tree = await trees?.tree(KEY)
      expect(tree?.points).to.have.length(1)
      expect(tree?.activeLeafMessageId).to.equal(tree?.points[0]?.messageId)
      await rig.say('d', owner)
      const lines = said(rig.models.requests[3])
      expect(lines.filter((line) => line.startsWith('assistant'))).to.deep.equal([])
      expect(lines.at(-1)).to.match(/\|a\|.*\|d$/s)
      expect((await trees?.tree(KEY))?.activeLeafMessageId).to.equal(null)
      expect(
        await trees?.setLeaf(KEY, { index: 9 }).then(
          () => 'set',
          (error: { code: string }) => error.code,
        ),
      ).to.equal('invalid_request')
      expect(
        await trees?.tree('test|one|private|nobody').then(
          () => 'found',
          (error: { code: string }) => error.code,
        ),
      ).to.equal('not_found')
    })

    it('take a summary of the left branch along on request', async () => {
      const rig = await rigs.start(
        (request, index) => (request.purpose === 'summary' ? 'they chose plums' : `answer ${index}`),
        { database },
      )
      for (const text of ['a', 'b plums', 'c']) await rig.say(text, owner)
      expect((await rig.say('/tree 1 summary', owner))[0])
        .to.include('continues from message 1')
        .and.include('they chose plums')
      const asked = said(rig.models.requests.at(-1)).join()
      expect(asked).to.include('b plums').and.include('answer 1').and.not.include('USER Owner: a\n')
      const trees = rig.host.get(SessionTrees)
      const tree = await trees?.tree(KEY)
      expect(tree?.activeLeafMessageId).to.equal(tree?.points[0]?.messageId)
      await rig.say('d', owner)
      const lines = said(rig.models.requests.at(-1))
      expect(lines.filter((line) => line.startsWith('assistant'))).to.deep.equal([])
      expect(lines.at(-1)).to.match(
        /\|a\|\[Summary of another branch of this conversation\]\nthey chose plums\|.*\|d$/s,
      )
    })

    it('take it along by default if configured, and continue without it when it fails', async () => {
      let fails = false
      const rig = await rigs.start(
        (request, index) => {
          if (request.purpose !== 'summary') return `answer ${index}`
          return fails ? { error: 'server' } : 'plums'
        },
        { database, config: { 'ai.agent': { compaction: { branchSummaries: true } } } },
      )
      for (const text of ['a', 'b', 'c']) await rig.say(text, owner)
      const trees = rig.host.get(SessionTrees)
      expect(await trees?.setLeaf(KEY, { index: 2 })).to.have.keys(['sessionKey', 'sessionId', 'activeLeafMessageId'])
      await until(() => rig.models.requests.length === 4)
      fails = true
      expect((await rig.say('/tree 1', owner))[0]).to.include('There is no summary')
      expect(await rig.say('d', owner)).to.deep.equal(['answer 5'])
    })

    it('answer two messages at once, each from its own start, and hold both afterwards', async () => {
      const holds = new Map<string, () => void>()
      const rig = await rigs.start(
        (request, index) => {
          if (index >= 2) return 'both'
          const lines = said(request)
          expect(lines.filter((line) => line.startsWith('user'))).to.have.length(1)
          const which = lines.at(-1)?.endsWith('first') ? 'first' : 'second'
          return {
            text: `answer to ${which}`,
            hold: new Promise<void>((resolve) => {
              holds.set(which, resolve)
            }),
          }
        },
        { database },
      )
      const ids = [await rig.hear('first'), await rig.hear('second')]
      await until(() => holds.size === 2)
      holds.get('second')?.()
      await rig.ended(ids[1] as string)
      holds.get('first')?.()
      await rig.ended(ids[0] as string)
      await rig.say('and?')
      const lines = said(rig.models.requests[2])
        .slice(1)
        .map((line) => line.replace(/^user: .*\|/s, 'user: '))
      expect(lines).to.deep.equal([
        'user: second',
        'assistant: answer to second',
        'user: first',
        'assistant: answer to first',
        'user: and?',
      ])
    })

    it('are steered by a master, while the model still works', async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const look = defineTool({
        name: 'look',
        description: 'looks',
        parameters: Type.Object({}),
        run: async () => {
          await gate
          return 'seen'
        },
      })
      const rig = await rigs.start([{ calls: [{ name: 'look', input: {} }] }, 'in blue, as you wish'], {
        database,
        tools: [look],
      })
      const first = await rig.hear('paint it', owner)
      await until(() => rig.agent.turns().some(({ state }) => state === 'running') && rig.models.requests.length === 1)
      const second = await rig.hear('in blue', owner)
      await until(() => rig.steps(second).includes(`turn ${rig.agent.turns()[0]?.id} steers`))
      go()
      await rig.ended(first)
      await rig.ended(second)
      expect(rig.texts).to.deep.equal(['in blue, as you wish'])
      expect(said(rig.models.requests[1]).at(-1)).to.equal('user: [The user adds] in blue')
    })

    it('are steered by a master who quotes the message or the partial answer of another person', async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const look = defineTool({
        name: 'look',
        description: 'looks',
        parameters: Type.Object({}),
        run: async () => {
          await gate
          return 'seen'
        },
      })
      const group = { channel: { type: 'group', id: 'g' }, mentioned: true } as const
      const rig = await rigs.start(
        [
          { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
          { calls: [{ name: 'look', input: {} }] },
          'in blue',
          'something else',
        ],
        { database, tools: [look] },
      )
      const first = await rig.hear('paint it', { ...group, id: 'q1' })
      await until(() => rig.texts.length === 1)
      await rig.hear('the door', group)
      await until(() => rig.models.requests.length === 2)
      const steers = [
        await rig.hear('in blue', { ...group, sender: { id: 'owner' }, replyTo: 'q1' }),
        await rig.hear('and shiny', { ...group, sender: { id: 'owner' }, replyTo: 'out1' }),
      ]
      for (const id of steers) await until(() => rig.steps(id).some((step) => step.endsWith('steers')))
      // Without a quote it is a matter of its own.
      const other = await rig.hear('what time is it?', { ...group, sender: { id: 'owner' } })
      await until(() => rig.models.requests.length === 3)
      go()
      for (const id of [first, ...steers, other]) await rig.ended(id)
      expect(
        rig.models.requests
          .map((request) => said(request).at(-1))
          .filter((line) =>
            /\[The user adds\] <message from="\w+" role="owner" name="[^"]*">\nin blue\n/.test(line ?? ''),
          ),
      ).to.have.length(1)
    })

    it('answer late additions of a master in a separate message', async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const edits: string[] = []
      let count = 0
      const rig = await rigs.start([{ text: 'to the first', hold: gate }, 'to the second'], {
        database,
        send: async () => ({ messageId: `p${++count}` }),
        bot: {
          edit: async (_target, id, message) => {
            edits.push(`${id} ${message.text}`)
          },
        },
      })
      const first = await rig.hear('first', owner)
      await until(() => rig.models.requests.length === 1)
      const second = await rig.hear('second', owner)
      await until(() => rig.steps(second).some((step) => step.endsWith('steers')))
      go()
      await rig.ended(first)
      await rig.ended(second)
      const shown = new Map([
        ...rig.sent.map(({ message }, index) => [`p${index + 1}`, message.text] as const),
        ...edits.map((edit) => [edit.slice(0, 2), edit.slice(3)] as const),
      ])
      expect([...shown.values()]).to.deep.equal(['to the first', 'to the second'])
      expect(rig.sent[1]?.message.replyTo).to.equal(second)
    })

    it('become a summary when there are many messages, and notify the hook and /compact', async () => {
      const notified: string[] = []
      const rig = await rigs.start(
        (request) =>
          request.purpose === 'summary'
            ? `summary ${JSON.stringify(request.messages).includes('summary so far') ? 'of summaries' : 'one'}`
            : 'ok',
        {
          database,
          config: { 'ai.context': { summaryThreshold: 6, keepAfterSummary: 2 } },
          setup: (ctx) => {
            ctx.on(aiHook('ai.session.compact'), ({ reason, messagesBefore, messagesAfter }) => {
              notified.push(`${reason} ${messagesBefore} ${messagesAfter}`)
            })
          },
        },
      )
      for (let round = 0; round < 4; round++) await rig.say(`message ${round}`, owner)
      await until(() => notified.length === 1)
      await rig.say('next', owner)
      const lines = said(rig.models.requests.at(-1))
      expect(lines[1]).to.include('summary one').and.include('message 3')
      expect(lines.join()).to.not.include('message 1')
      const [answer] = await rig.say('/compact colours', owner)
      expect(answer).to.match(/^Compacted: about \d+ tokens before, \d+ after/)
      expect(JSON.stringify(rig.models.requests.at(-1)?.messages))
        .to.include('colours')
        .and.include('summary so far')
    })

    it('name the running tool one line below the text', async () => {
      const shown: string[] = []
      let end = (): void => {}
      const look = defineTool({
        name: 'look',
        description: 'Looks',
        parameters: Type.Object({}),
        run: () =>
          new Promise<string>((resolve) => {
            end = () => resolve('seen')
          }),
      })
      const rig = await rigs.start([{ text: 'I will look. ', calls: [{ name: 'look', input: {} }] }, 'done'], {
        database,
        tools: [look],
        bot: {
          edit: async (_target, _id, message) => {
            shown.push(message.text)
          },
        },
      })
      const id = await rig.hear('hello')
      await until(() => rig.agent.turns()[0]?.state === 'running' && rig.texts.length === 1)
      await until(async () => {
        await rig.clock.advance(50)
        return [...rig.texts, ...shown].some((text) => text.includes('… look'))
      })
      expect([...rig.texts, ...shown].at(-1)).to.equal('I will look.\n\n… look')
      end()
      await rig.ended(id)
    })

    it('grow in one message where the platform can edit', async () => {
      const edits: string[] = []
      const rig = await rigs.start([{ text: 'Hello dear Ann', hold: Promise.resolve() }], {
        database,
        bot: {
          edit: async (_target, id, message) => {
            edits.push(`${id} ${message.text}`)
          },
        },
      })
      expect(await rig.say('hello')).to.have.length(1)
      expect([...rig.texts, ...edits].at(-1)).to.match(/Hello dear Ann$/)
      await until(() => rig.chat.traces({ limit: 1 })[0]?.endedAt !== undefined)
      expect(rig.chat.traces({ limit: 1 })[0]?.replies).to.equal(1)
      expect(rig.chat.activity(60).answers.count).to.equal(1)
    })

    it('end on /stop, with everything that they wait for', async () => {
      const rig = await rigs.start([{ text: 'x', hold: new Promise(() => {}) }, 'after'], { database })
      const id = await rig.hear('hello')
      await until(() => rig.models.requests.length === 1)
      await rig.say('/stop')
      await rig.ended(id)
      expect(rig.texts).to.deep.equal(['Stopped.'])
      expect(await rig.say('again')).to.deep.equal(['after'])
    })

    it('wait for a free slot without being dropped', async () => {
      const holds: (() => void)[] = []
      const rig = await rigs.start(
        (_request, index) => ({
          text: `answer ${index}`,
          hold: new Promise<void>((resolve) => {
            holds.push(resolve)
          }),
        }),
        { database },
      )
      const ids = await Promise.all(Array.from({ length: 9 }, (_, index) => rig.hear(`message ${index}`)))
      await until(() => holds.length === 4)
      for (let index = 0; index < 9; index++) {
        await until(() => holds.length > index)
        holds[index]?.()
      }
      for (const id of ids) await rig.ended(id)
      expect(rig.texts).to.have.length(9)
    })

    it('report a silent model after its timeout', async () => {
      const rig = await rigs.start([{ text: 'x', hold: new Promise(() => {}) }], {
        database,
        config: { 'ai.trigger': { timeout: 1_000 } },
      })
      const id = await rig.hear('hello')
      await until(() => rig.models.requests.length === 1)
      await rig.clock.advance(1_000)
      await rig.ended(id)
      expect(rig.texts[0]).to.include('takes too long')
    })

    it('answer plugins in a separate session, once for a key', async () => {
      const rig = await rigs.start(['forty-two', 'again'], { database })
      const [first, second] = [
        await rig.agent.ask({ text: 'what is it?', sessionKey: 'job|1', key: 'run/1' }),
        await rig.agent.ask({ text: 'what is it?', sessionKey: 'job|1', key: 'run/1' }),
      ]
      expect(first).to.include({ text: 'forty-two' })
      expect(second).to.deep.equal(first)
      expect(rig.models.requests).to.have.length(1)
      expect((await rig.agent.ask({ text: 'and now?', sessionKey: 'job|1' })).text).to.equal('again')
      expect(said(rig.models.requests[1]).join()).to.include('forty-two')
    })
  })
}
