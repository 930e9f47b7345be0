// The rules of the protocol that can be taken away. Each names a scenario in which that is noticed, and by what.
import { explore } from './explore.mjs'
import { scenarios } from './scenarios.mjs'

const TWO = 'no two hosts act'
const WAITS = 'nothing waits for ever'
const DEAD = 'no process writes after'

export const rules = {
  'a deadline': { scenario: 'two places', faults: 1, breaks: TWO },
  'deadline from the sending': { scenario: 'two places', faults: 1, breaks: TWO },
  'observation from the beginning': {
    scenario: 'database unavailable',
    ordered: false,
    faults: 1,
    breaks: 'no host is declared dead',
  },
  'sessions ended at a take-over': { scenario: 'a send', faults: 1, breaks: DEAD },
  'control sessions ended with the others': { scenario: 'a moved place', faults: 1, breaks: WAITS },
  'epoch checked at a session': { scenario: 'a send', faults: 1, breaks: DEAD },
  'left sessions ended before new ones': { scenario: 'a send', faults: 1, breaks: WAITS },
  'former sessions ended at a join': { scenario: 'a send', faults: 1, breaks: DEAD },
  'recovery sends nothing again': { scenario: 'a send', faults: 1, breaks: 'a message that arrived' },
  'conditions at marks': { scenario: 'an acceptance', faults: 1, breaks: 'no message is handled twice' },
  // The end of the control sessions is enough. Without it the epoch keeps a late release from the next process.
  'no epoch in owners': {
    with: 'control sessions ended with the others',
    scenario: 'a moved place',
    kinds: ['crash'],
    faults: 1,
    breaks: TWO,
  },
  'release after the end of the work': { scenario: 'a move', faults: 0, breaks: TWO },
  'row as seen at a join': { scenario: 'one identity twice', faults: 1, breaks: TWO },
  'timeline checked at a session': { scenario: 'a failover that forgets', faults: 1, breaks: 'no event id' },
}

/** Explores the scenario of a rule without it, or without `others` only. */
export function exploreWithout(rule, others) {
  const { scenario, breaks, with: other, ...bounds } = rules[rule]
  const without = others ?? [rule, ...(other ? [other] : [])]
  return explore({ ...scenarios[scenario], ordered: true, ...bounds }, { without, about: breaks })
}
