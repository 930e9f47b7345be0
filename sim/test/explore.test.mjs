import { expect } from 'chai'
import { explore } from '../explore/explore.mjs'
import { exploreWithout, rules } from '../explore/rules.mjs'
import { scenarios } from '../explore/scenarios.mjs'

/** Those with few states. `npm run explore` visits all, with more faults. */
const SMALL = ['lease, 2 hosts', 'database unavailable', 'machine asleep', 'a send', 'two places', 'one identity twice']

describe('All states of a small cluster', function () {
  // Seconds of the processor, which a busy machine may stretch.
  this.timeout(600_000)

  for (const name of SMALL)
    it(`are sound with one fault: ${name}`, () => {
      const { states, violation } = explore({ ...scenarios[name], ordered: true, drifts: 0, faults: 1 })
      expect(violation).to.equal(undefined)
      expect(states).to.be.greaterThan(200)
    })

  for (const [rule, { breaks }] of Object.entries(rules))
    it(`are not sound without the rule: ${rule}`, () => {
      expect(exploreWithout(rule).violation?.sentence).to.match(new RegExp(`^${breaks}`))
    })

  it('are sound without the end of control sessions where owners have epochs', () => {
    const rule = 'no epoch in owners'
    expect(exploreWithout(rule, [rules[rule].with]).violation).to.equal(undefined)
  })
})
