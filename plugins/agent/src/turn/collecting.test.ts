import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { eachTest, said, until, type Rig } from '../test/support.js'

const collect = { config: { 'ai.trigger': { collectMs: 1_500 } } }
const wordsOf = (rig: Rig, index = 0): string[] =>
  said(rig.models.requests[index]).flatMap((message) =>
    message.startsWith('user: ')
      ? [
          message
            .replace(/^user: /, '')
            .split('|')
            .filter((part) => !part.startsWith('['))
            .join(' + '),
        ]
      : [],
  )

for (const database of [false, true])
  describe(`messages of one person in a row ${database ? 'with a database' : 'in memory'}`, () => {
    const rigs = eachTest()
    const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
    /** Waits until a message has a turn. */
    const taken = (rig: Rig, message: string) =>
      until(() => rig.steps(message).some((step) => step.startsWith('turn ')))

    it('are one turn', async () => {
      const rig = await rigs.start(['Hello.', 'Bye.'], { ...collect, database })
      const first = await rig.hear('one')
      await taken(rig, first)
      await rig.clock.advance(1_000)
      const second = await rig.hear('two')
      await taken(rig, second)
      await rig.clock.advance(1_000)
      expect(rig.models.requests).to.have.length(0)
      await rig.clock.advance(500)
      await Promise.all([rig.ended(first), rig.ended(second)])
      expect(rig.texts).to.deep.equal(['Hello.'])
      expect(rig.models.requests).to.have.length(1)
      expect(wordsOf(rig).join(' + ')).to.equal('one + two')
      const next = await rig.hear('three')
      await taken(rig, next)
      await rig.clock.advance(1_500)
      await rig.ended(next)
      expect(wordsOf(rig, 1).join(' + ')).to.equal('one + two + three')
    })

    it('wait no longer than a moment where there is only one', async () => {
      const rig = await rigs.start(['Hello.'], { ...collect, database })
      const first = await rig.hear('one')
      await taken(rig, first)
      await rig.clock.advance(1_500)
      await rig.ended(first)
      expect(rig.texts).to.deep.equal(['Hello.'])
    })

    it('keep an attachment waiting for its words', async () => {
      const rig = await rigs.start(['A cat.'], { ...collect, database })
      const picture = {
        type: 'image',
        data: {
          base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      }
      const first = await rig.hear([picture])
      await taken(rig, first)
      await rig.clock.advance(3_900)
      const second = await rig.hear('what is it?')
      await taken(rig, second)
      await rig.clock.advance(1_500)
      await Promise.all([rig.ended(first), rig.ended(second)])
      expect(rig.texts).to.deep.equal(['A cat.'])
      const request = said(rig.models.requests[0]).join('\n')
      expect(request).to.match(/\((image|file)\)[\s\S]*what is it\?/)
    })

    it('have all attachments of the turn', async () => {
      const rig = await rigs.start(['A cat.'], { ...collect, database })
      const picture = {
        type: 'image',
        data: {
          base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      }
      const first = await rig.hear('what is it?')
      await taken(rig, first)
      const second = await rig.hear([picture])
      await taken(rig, second)
      await rig.clock.advance(4_000)
      await Promise.all([rig.ended(first), rig.ended(second)])
      expect(said(rig.models.requests[0]).join('\n')).to.match(/what is it\?[\s\S]*\((image|file)\)/)
    })

    it('end their wait at a command', async () => {
      const rig = await rigs.start(['Hello.'], { ...collect, database })
      const first = await rig.hear('one', owner)
      await taken(rig, first)
      await rig.hear('/status', owner)
      await rig.ended(first)
      expect(rig.models.requests).to.have.length(1)
    })

    it('are turns of their own for another person, or in another chat', async () => {
      const rig = await rigs.start(() => 'Hello.', { ...collect, database })
      const messages = [
        await rig.hear('one'),
        await rig.hear('two', { channel: { type: 'private', id: 'bob' }, sender: { id: 'bob', name: 'Bob' } }),
        await rig.hear('three', { channel: { type: 'group', id: 'g' }, mentioned: true }),
        await rig.hear('four', {
          channel: { type: 'group', id: 'g' },
          sender: { id: 'bob', name: 'Bob' },
          mentioned: true,
        }),
      ]
      for (const message of messages) await taken(rig, message)
      await rig.clock.advance(1_500)
      for (const message of messages) await rig.ended(message)
      expect(rig.models.requests).to.have.length(4)
    })

    it('in a group need a mention only for the first one', async () => {
      const rig = await rigs.start(() => 'Hello.', { ...collect, database })
      const group = { channel: { type: 'group', id: 'g' } } as const
      const before = await rig.say('nothing for you', group)
      const first = await rig.hear('one', { ...group, mentioned: true })
      await taken(rig, first)
      const second = await rig.hear('two', group)
      await taken(rig, second)
      // Other people are no part of it.
      expect(await rig.say('of bob', { ...group, sender: { id: 'bob', name: 'Bob' } })).to.deep.equal([])
      await rig.clock.advance(1_500)
      await Promise.all([rig.ended(first), rig.ended(second)])
      expect([before, rig.texts]).to.deep.equal([[], ['Hello.']])
      expect(rig.models.requests).to.have.length(1)
      expect(JSON.stringify(rig.models.requests[0]?.messages)).to.match(/name=\\"Ann\\">\\none.*name=\\"Ann\\">\\ntwo/)
      expect(await rig.say('three', group)).to.deep.equal([])
      expect(rig.models.requests).to.have.length(1)
    })

    it('are stopped together', async () => {
      const rig = await rigs.start([], { ...collect, database })
      const messages = [await rig.hear('one', owner), await rig.hear('two', owner)]
      for (const message of messages) await taken(rig, message)
      await rig.say('/stop', owner)
      for (const message of messages) await rig.ended(message)
      expect(rig.models.requests).to.have.length(0)
      expect(rig.agent.turns()).to.deep.equal([])
    })

    if (database)
      it('are all answered when the host stops before their turn has begun', async () => {
        const rig = await rigs.start(() => new Promise<string>(() => {}), { ...collect, database })
        for (const text of ['one', 'two']) await taken(rig, await rig.hear(text))
        const next = await rigs.follow(rig, () => 'Hello.', { ...collect, database })
        await until(() => next.texts.length > 0 && next.agent.turns().length === 0)
        const words = next.models.requests.map((_request, index) => wordsOf(next, index).join(' + ')).join(' + ')
        expect(words).to.contain('one').and.to.contain('two')
      })

    it('see the words of each other where they are turns of their own', async () => {
      let answer = (): void => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      const rig = await rigs.start(
        (_request, index) => (index === 0 ? { text: 'First.', hold: held } : { text: 'Second.' }),
        { database },
      )
      const first = await rig.hear('buy plums')
      await until(() => rig.models.requests.length === 1)
      const second = await rig.hear('and pears')
      await rig.ended(second)
      expect(said(rig.models.requests[1]).join('\n')).to.contain('buy plums')
      answer()
      await rig.ended(first)
    })

    it('see the later words as well, once tools have run, and are answered once each', async () => {
      let go = (): void => {}
      const held = new Promise<void>((resolve) => (go = resolve))
      const look = defineTool({
        name: 'look',
        description: 'Looks',
        parameters: Type.Object({}),
        run: () => held.then(() => 'seen'),
      })
      const rig = await rigs.start(
        (_request, index) =>
          [{ calls: [{ name: 'look', input: {} }] }, 'Second.', 'Hello.', 'First.', 'Bye.'][index] ?? '',
        { database, tools: [look] },
      )
      const first = await rig.hear('buy plums')
      await until(() => rig.models.requests.length === 1)
      const second = await rig.hear('and pears')
      await rig.ended(second)
      await rig.say('of others', { sender: { id: 'bob' }, channel: { type: 'private', id: 'bob' } })
      go()
      await rig.ended(first)
      const request = said(rig.models.requests.at(-1)).join('\n')
      expect(request).to.match(/seen[\s\S]*Said by the same user since[\s\S]*and pears/)
      expect(request).to.not.include('of others')
      expect(rig.texts.toSorted()).to.deep.equal(['First.', 'Hello.', 'Second.'])
      // The note of the turn is stored: the next request has the same bytes before it.
      const next = await rig.hear('thanks')
      await rig.ended(next)
      expect(said(rig.models.requests.at(-1)).join('\n')).to.match(/Said by the same user since/)
    })
  })
