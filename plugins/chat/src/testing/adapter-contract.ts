import { buttons } from './buttons.js'
import { delivery } from './delivery.js'
import { memory } from './memory.js'
import { recovery } from './recovery.js'
import type { AdapterContract } from './rig.js'

/**
 * Declares the tests that every adapter must pass; runs under mocha, or any runner with the same `describe` and `it`.
 * With `MYNAH_TEST_LONG=1` in the environment the test of memory goes on for two minutes.
 *
 * @example
 * adapterContract({ name: 'telegram', redelivers: true, reconnects: true, retains: true, start: () => startRig() })
 */
export function adapterContract(contract: AdapterContract): void {
  const reason = contract.unavailable?.()
  describe(`${contract.name}: the contract of adapters${reason === undefined ? '' : ` (${reason})`}`, () => {
    before(function () {
      if (reason !== undefined) this.skip()
    })
    delivery(contract)
    buttons(contract)
    recovery(contract)
    memory(contract)
  })
}
