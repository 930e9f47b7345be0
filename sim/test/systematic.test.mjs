import { expect } from 'chai'
import { expectSound } from '../history/expect-sound.mjs'
import { variants } from '../history/systematic.mjs'

/** Each so manieth variant is played; `npm run sim -- --systematic` and `npm run test:faults` play all of them. */
const STEP = 20

describe('Two short simulated histories', function () {
  // Seconds of the processor, which a busy machine may stretch.
  this.timeout(600_000)

  it('hold whenever the host is killed, and whichever answer comes first', async () => {
    let count = 0
    for await (const plan of variants()) if (++count % STEP === 0) await expectSound(plan)
    expect(count).to.be.greaterThan(100)
  })
})
