import { skipBecause } from '@mynah/kernel/testing'
import { accounts } from './accounts.js'
import { buttons } from './buttons.js'
import { changes } from './changes.js'
import { delivery } from './delivery.js'
import { media } from './media-contract.js'
import { memory } from './memory.js'
import { people } from './people.js'
import { reactions } from './reactions.js'
import { recovery } from './recovery.js'
import type { AdapterContract } from './rig.js'
import { sendFaults } from './send-faults.js'
import { serverFaults } from './server-faults.js'
import { text } from './text.js'
import { threads } from './threads.js'

/**
 * Declares the tests that every adapter must pass, under mocha. The declarations of the adapter and the methods of the
 * rig decide which of them run; the others are pending.
 * With `MYNAH_TEST_LONG=1` in the environment the test of memory goes on for two minutes.
 *
 * @example
 * adapterContract({ name: 'telegram', retains: true, start: () => startRig() })
 */
export function adapterContract(contract: AdapterContract): void {
  const reason = contract.unavailable?.()
  describe(`${contract.name}: the contract of adapters${reason === undefined ? '' : ` (${reason})`}`, () => {
    before(function () {
      if (reason !== undefined) skipBecause(this, reason)
    })
    delivery(contract)
    buttons(contract)
    recovery(contract)
    text(contract)
    people(contract)
    changes(contract)
    reactions(contract)
    threads(contract)
    media(contract)
    sendFaults(contract)
    serverFaults(contract)
    accounts(contract)
    memory(contract)
  })
}
