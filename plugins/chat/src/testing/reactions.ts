import assert from 'node:assert/strict'
import type { InboundReaction } from '../api.js'
import { lacks } from './lacks.js'
import { aroundEach, required, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** Reactions of the user and of the bot. */
export function reactions(contract: AdapterContract): void {
  describe('reactions', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('of the user are noticed', async function () {
      const { react } = test.rig
      if (!react) return lacks(this)
      const { messageId } = await test.host.send('do you like it?')
      await test.host.reaches(['do you like it?'])
      await react.call(test.rig, '👍', true)
      const { reactions } = test.host
      await until(() => reactions.length === 1, 'the reaction')
      await react.call(test.rig, '👍', false)
      await until(() => reactions.length === 2, 'the end of the reaction')
      const seen = (reaction: InboundReaction): unknown[] => [reaction.emoji, reaction.added, reaction.messageId]
      assert.deepEqual(reactions.map(seen), [
        ['👍', true, messageId],
        ['👍', false, messageId],
      ])
    })

    it('of the bot are shown', async function () {
      if (!test.host.can('react')) return lacks(this)
      const reactions = required(
        test.rig,
        'reactions',
        'The bot has "react"',
        'reactions: () => server.reactionsTo(last)',
      )
      await test.rig.say('look')
      await test.host.hears(['look'])
      const { id } = test.host.messages[0] as { id: string }
      await test.host.react(id, '👍', true)
      await until(() => reactions().includes('👍'), 'the reaction of the bot')
      await test.host.react(id, '👍', false)
      await until(() => reactions().length === 0, 'the end of the reaction')
    })
  })
}
