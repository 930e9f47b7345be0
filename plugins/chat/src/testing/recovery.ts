import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach } from './contract-host.js'
import type { AdapterContract } from './rig.js'

/** How long the server stays down, in milliseconds of the pauses. */
const DOWN_MS = 2_000
const CYCLES = 20

export function recovery(contract: AdapterContract): void {
  describe('recovery', function () {
    this.timeout(180_000)
    const test = aroundEach(() => contract.start())

    it('reconnects within 1.5 times the downtime and a second, and hears and speaks again', async function () {
      const { kill, restart } = test.rig
      if (!kill || !restart) return lacks(this)
      test.host.steady()
      const gone = test.host.clock.now()
      await kill.call(test.rig)
      await test.host.offline()
      await assert.rejects(
        test.host.send('into the void'),
        (error: Error & { code?: string }) => error.code === 'not_ready',
        'nothing is sent while offline',
      )
      test.host.clock.stop()
      await test.host.clock.pass(DOWN_MS)
      await restart.call(test.rig)
      const down = test.host.clock.now() - gone
      await test.host.pauses(0.5 * down + 1_000)
      assert.equal(test.host.status, 'online', `it is not back ${0.5 * down + 1_000} ms after a downtime of ${down} ms`)
      test.host.clock.resume()
      await test.rig.say('are you there?')
      await test.host.hears(['are you there?'])
      await test.host.send('I am back')
      await test.host.reaches(['I am back'])
    })

    if (contract.retains) {
      it(`loses no line and handles none twice while its server dies ${CYCLES} times`, async function () {
        const { kill, restart } = test.rig
        if (!kill || !restart) return lacks(this)
        test.host.hurry()
        const said: string[] = []
        const say = async (line: string): Promise<void> => {
          said.push(line)
          await test.rig.say(line)
        }
        for (let cycle = 1; cycle <= CYCLES; cycle++) {
          await say(`before ${cycle}`)
          // Before it dies: a loss that is noticed at once must find a connection that held.
          test.host.steady()
          await kill.call(test.rig)
          await restart.call(test.rig)
          await say(`after ${cycle}`)
          await test.host.hears(said)
        }
      })
    }

    if (contract.retains) {
      it('hears the messages of its downtime after its own restart', async () => {
        await test.rig.say('before')
        await test.host.hears(['before'])
        await test.host.stop()
        const missed = ['one', 'two', 'three']
        for (const line of missed) await test.rig.say(line)
        await test.host.start()
        await test.host.hears(['before', ...missed])
      })
    }
  })
}
