import assert from 'node:assert/strict'
import { lacks } from './lacks.js'
import { aroundEach, until } from './contract-host.js'
import { SeededRandom, randomJson } from './random-input.js'
import type { AdapterContract } from './rig.js'

/** How long a server may be silent before its connection counts as lost, ms. */
const SILENCE_MS = 90_000
const FRAMES = 1_000

/** Platforms that refuse the account, fall silent or send nonsense. */
export function serverFaults(contract: AdapterContract): void {
  describe('faults of the server', function () {
    this.timeout(90_000)
    const test = aroundEach(() => contract.start())

    it('a wrong secret keeps the endpoint offline, and the reason names the key', async function () {
      const { wrongSecret } = test.rig
      if (!wrongSecret) return lacks(this)
      await test.host.stop()
      const { endpoint, names } = wrongSecret
      await test.host.startWith([endpoint])
      await until(async () => (await test.host.reason(endpoint.id)) !== '', 'a reason')
      assert.equal(test.host.statusOf(endpoint.id) === 'online', false)
      const reason = await test.host.reason(endpoint.id)
      assert.ok(reason.includes(names), `the reason names "${names}": ${reason}`)
    })

    it('no secret is in the log, an event or a reason', async function () {
      const { secrets, kill, restart, refuse } = test.rig
      if (!secrets) return lacks(this)
      refuse?.call(test.rig, 1)
      await test.host.send('one').catch(() => undefined)
      if (kill && restart) {
        await kill.call(test.rig)
        await test.host.offline()
        await restart.call(test.rig)
        await test.host.online()
      }
      const { adapter, id } = test.rig.endpoint
      const info = await test.host.chat.info(adapter, id)
      const said = JSON.stringify([test.host.log, test.host.events, test.host.notices, info])
      for (const secret of secrets) assert.ok(!said.includes(secret), 'a secret is in what the host says')
    })

    it('a server that falls silent is noticed', async function () {
      const { mute } = test.rig
      if (!mute) return lacks(this)
      mute.call(test.rig)
      for (let passed = 0; passed < 2 * SILENCE_MS && test.host.status === 'online'; passed += 5_000)
        await test.host.clock.pass(5_000)
      await until(() => test.host.status !== 'online', `the endpoint to be offline after ${SILENCE_MS / 1_000} s`)
    })

    it('nonsense is ignored, and good messages in between are received', async function () {
      const { frames } = test.rig
      if (!frames) return lacks(this)
      const random = new SeededRandom(28)
      const said: string[] = []
      for (let sent = 0; sent < FRAMES; sent += 100) {
        await frames.call(
          test.rig,
          Array.from({ length: 100 }, () => randomJson(random)),
        )
        said.push(`good ${sent / 100}`)
        await test.rig.say(said.at(-1) as string)
        await until(
          () => test.host.heard.includes(said.at(-1) as string),
          () => `"${said.at(-1)}"; the endpoint is ${test.host.status}`,
        )
      }
      assert.deepEqual(
        test.host.heard.filter((line) => line.startsWith('good ')),
        said,
      )
    })
  })
}
