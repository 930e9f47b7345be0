import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, required, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

const LIMITED_MS = 90_000

/** Platforms that refuse a message, limit the rate or forget to answer. */
export function sendFaults(contract: AdapterContract): void {
  describe('faults of sending', function () {
    this.timeout(90_000)
    const test = aroundEach(() => contract.start())

    it('a refusal is final, with the reason of the platform', async function () {
      const { refuse } = test.rig
      if (!refuse) return lacks(this)
      refuse.call(test.rig, 1)
      await assert.rejects(test.host.send('refused'), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalid_request', error.message)
        assert.match(error.message, /forbidden|403/i)
        return true
      })
      await test.host.send('taken')
      await test.host.reaches(['taken'])
    })

    it('a limit of the rate is waited for, as long as the platform says', async function () {
      const { limit } = test.rig
      if (!limit) return lacks(this)
      const early = required(test.rig, 'early', 'The rig has "limit"', 'early: () => server.early')
      limit.call(test.rig, LIMITED_MS, () => test.host.clock.now())
      test.host.answer = (words) => `answer to ${words}`
      await test.rig.say('a question')
      await test.host.hears(['a question'])
      await until(async () => {
        await test.host.clock.pass(1_000)
        return test.rig.sent().length > 0
      }, 'the answer after the time that the platform has named')
      assert.deepEqual(test.rig.sent(), ['answer to a question'])
      assert.equal(early(), 0, 'no attempt comes before the time that the platform has named')
    })

    it('a message that was taken without an answer is not sent twice', async function () {
      const repeats = test.host.adapter.repeats !== undefined
      if (!test.rig.swallow && !repeats) return lacks(this)
      const swallow = required(
        test.rig,
        'swallow',
        'The adapter has "repeats"',
        'swallow: (times) => server.fault(/send/, "lose", times)',
      )
      swallow(1)
      const sending = test.host.send('only once').then(
        () => 'sent',
        (error: Error & { code?: string }) => error.code,
      )
      let outcome: string | undefined
      void sending.then((ended) => {
        outcome = ended ?? 'failed without a code'
      })
      await until(async () => {
        await test.host.clock.pass(1_000)
        return outcome !== undefined
      }, 'the outcome of the message')
      // Where the platform tells repeated messages apart, the outcome is known.
      if (repeats) assert.equal(outcome, 'sent')
      else assert.ok(['sent', 'upstream_unavailable:unknown'].includes(outcome ?? ''), outcome)
      await test.host.online()
      await test.host.send('the next')
      await until(() => test.rig.sent().includes('the next'), 'the next message')
      assert.deepEqual(test.rig.sent(), ['only once', 'the next'])
    })
  })
}
