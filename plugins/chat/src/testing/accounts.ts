import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, ContractHost, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** Two accounts of one platform in one host, and one account in two hosts. */
export function accounts(contract: AdapterContract): void {
  describe('accounts', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())

    it('do not hear the messages of the other one, and speak for themselves', async function () {
      const { second } = test.rig
      if (!second) return lacks(this)
      await test.host.stop()
      const other = await second.call(test.rig)
      test.host.second = other
      await test.host.start()
      await test.rig.say('to the first')
      await other.say('to the second')
      await until(() => test.host.heard.length > 0 && test.host.heardBySecond.length > 0, 'both messages')
      await test.host.send('from the first')
      await test.host.sendBySecond('from the second')
      await until(() => test.rig.sent().length > 0 && other.sent().length > 0, 'both answers')
      assert.deepEqual(
        [test.host.heard, test.host.heardBySecond, [...test.rig.sent()], [...other.sent()]],
        [['to the first'], ['to the second'], ['from the first'], ['from the second']],
      )
    })

    it('are taken over by a host that starts before the former one has ended', async () => {
      const { rig, host } = test
      await rig.say('before')
      await host.hears(['before'])
      const next = new ContractHost(rig)
      try {
        await next.startAfter(host)
        // A message that the former host has not acknowledged may come again.
        await rig.say('after')
        await until(() => next.heard.includes('after'), `the message after it; heard ${next.heard.join()}`)
        await next.send('an answer')
        await until(() => rig.sent().length > 0, 'the answer')
        assert.deepEqual([next.heard.filter((text) => text === 'after'), rig.sent()], [['after'], ['an answer']])
      } finally {
        await next.stop()
      }
    })
  })
}
