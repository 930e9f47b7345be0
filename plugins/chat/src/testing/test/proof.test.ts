// Each defect of an adapter fails the test of the contract that is about it, and no other of its suite.
import { expect } from 'chai'
import { accounts } from '../accounts.js'
import { adapterContract } from '../adapter-contract.js'
import { changes } from '../changes.js'
import { patience } from '../contract-host.js'
import { delivery } from '../delivery.js'
import { media } from '../media-contract.js'
import { memory } from '../memory.js'
import { people } from '../people.js'
import { reactions } from '../reactions.js'
import { recovery } from '../recovery.js'
import type { AdapterContract } from '../rig.js'
import { sendFaults } from '../send-faults.js'
import { serverFaults } from '../server-faults.js'
import { text } from '../text.js'
import { threads } from '../threads.js'
import { DEFECTS, type Defect } from './defects.js'
import { memoryRig } from './rig.js'
import { failuresOf } from './run-suite.js'

const SUITES = {
  delivery,
  text,
  people,
  changes,
  reactions,
  threads,
  media,
  sendFaults,
  serverFaults,
  accounts,
  recovery,
  memory,
}

const contractOf = (name: string, defect?: Defect): AdapterContract => ({
  name,
  retains: true,
  start: () => Promise.resolve(memoryRig(defect)),
})

adapterContract(contractOf('an adapter without a defect'))

describe('the contract of adapters', function () {
  this.timeout(600_000)
  const found = new Map<string, Map<string, string>>()
  const known = Object.entries(DEFECTS).flatMap(([suite, defects]) =>
    Object.entries(defects).map(([defect, title]) => ({ suite: suite as keyof typeof SUITES, defect, title })),
  )
  const usual = patience.ms

  before(async () => {
    // A test that has to fail waits as long as this.
    patience.ms = 15_000
    const check = async ({ suite, defect }: (typeof known)[number]): Promise<void> => {
      found.set(defect, await failuresOf(() => SUITES[suite](contractOf(defect, defect as Defect))))
    }
    // They wait at the same time. Memory is measured alone.
    await Promise.all(known.filter(({ suite }) => suite !== 'memory').map(check))
    await Promise.all(known.filter(({ suite }) => suite === 'memory').map(check))
  })
  after(() => {
    patience.ms = usual
  })

  for (const { defect, title } of known) {
    it(`notices that an adapter ${defect}`, () => {
      const failures = found.get(defect) ?? new Map<string, string>()
      expect([...failures.keys()], [...failures.values()].join('\n')).to.deep.equal([title])
    })
  }
})
