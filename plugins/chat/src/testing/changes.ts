import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** Edits and deletions. */
export function changes(contract: AdapterContract): void {
  describe('changes', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('of a text are noticed, and not handled as a message', async function () {
      const { edit } = test.rig
      if (!edit) return lacks(this)
      await test.rig.say('teh text')
      await test.host.hears(['teh text'])
      await edit.call(test.rig, 'the text')
      const { payload } = await test.host.notified('message-edit')
      assert.equal((payload as { messageId: string }).messageId, test.host.messages[0]?.id)
      await test.rig.say('after')
      await test.host.hears(['teh text', 'after'])
    })

    it('that delete a message are noticed', async function () {
      const { remove } = test.rig
      if (!remove) return lacks(this)
      await test.rig.say('a slip')
      await test.host.hears(['a slip'])
      await remove.call(test.rig)
      const { payload } = await test.host.notified('message-delete')
      assert.equal((payload as { messageId: string }).messageId, test.host.messages[0]?.id)
    })

    it('by the bot replace its message', async function () {
      if (!test.host.can('edit')) return lacks(this)
      const { adapter, id } = test.rig.endpoint
      const { messageId } = await test.host.send('one')
      await test.host.reaches(['one'])
      assert.equal(await test.host.chat.edit(adapter, id, test.rig.target, messageId, 'two'), true)
      await until(
        () => test.rig.sent().at(-1) === 'two',
        () => `the new text; there is ${test.rig.sent().at(-1)}`,
      )
    })
  })
}
