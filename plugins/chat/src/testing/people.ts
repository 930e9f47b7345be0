import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** The speakers of a conversation, those whom they mention, and the messages that they answer. */
export function people(contract: AdapterContract): void {
  describe('people', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('have ids of their own', async function () {
      const { sayAs } = test.rig
      if (!sayAs) return lacks(this)
      await test.rig.say('first')
      await test.host.hears(['first'])
      await sayAs.call(test.rig, 'person', 'second')
      await test.host.hears(['first', 'second'])
      const [user, other] = test.host.messages
      assert.notEqual(user?.sender.id, other?.sender.id)
      assert.deepEqual(user?.channel, other?.channel)
    })

    it('that are bots are not answered', async function () {
      const { sayAs } = test.rig
      if (!sayAs) return lacks(this)
      await sayAs.call(test.rig, 'bot', 'I am a bot')
      await test.rig.say('I am not')
      await test.host.hears(['I am not'])
    })

    it('do not include the bot itself: its own messages are not received', async function () {
      await test.host.send('my own words')
      await test.host.reaches(['my own words'])
      await test.rig.echo?.()
      await test.rig.say('words of the user')
      await test.host.hears(['words of the user'])
    })

    it('mention the bot, another user or everybody', async function () {
      const { mention } = test.rig
      if (!mention) return lacks(this)
      for (const whom of ['bot', 'other', 'all'] as const) await mention.call(test.rig, whom, `to the ${whom}`)
      await until(() => test.host.messages.length === 3, 'three messages')
      const isPrivate = test.rig.target.type === 'private'
      assert.deepEqual(
        test.host.messages.map(({ addressed }) => addressed),
        [true, isPrivate, isPrivate],
      )
    })

    it('answer a message of the bot by its id', async function () {
      const { reply } = test.rig
      if (!reply) return lacks(this)
      const { messageId } = await test.host.send('a question')
      await test.host.reaches(['a question'])
      assert.notEqual(messageId, '', 'the platform gives ids')
      await reply.call(test.rig, 'an answer')
      await until(() => test.host.messages.length === 1, 'the answer')
      assert.equal(test.host.messages[0]?.replyTo, messageId)
    })

    it('are answered by a message that quotes theirs', async function () {
      const { quoted } = test.rig
      if (!quoted) return lacks(this)
      test.host.answer = () => 'the answer'
      await test.rig.say('the question')
      await test.host.reaches(['the answer'])
      assert.ok(quoted.call(test.rig)?.includes('the question'), 'the answer quotes the question')
    })
  })
}
