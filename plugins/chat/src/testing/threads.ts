import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** Threads of a conversation. */
export function threads(contract: AdapterContract): void {
  describe('threads', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('have a channel of their own, and are answered where they are', async function () {
      const { thread } = test.rig
      if (!thread) return lacks(this)
      test.host.answer = (words) => `about ${words}`
      const opened = await thread.call(test.rig)
      await test.rig.say('the room')
      await test.host.hears(['the room'])
      await opened.say('the thread')
      await test.host.hears(['the room', 'the thread'])
      await until(() => opened.sent().length > 0, 'the answer in the thread')
      assert.deepEqual(opened.sent(), ['about the thread'])
      assert.ok(!test.rig.sent().includes('about the thread'), 'the answer is not outside of the thread')
      const [room, inner] = test.host.messages
      assert.notEqual(room?.channel.id, inner?.channel.id)
      assert.ok(inner?.channel.parent, 'the channel of a thread has a parent')
    })
  })
}
