// `npm run explore`: visits all states of small clusters. See ../README.md.
import { parseArgs } from 'node:util'
import { explore } from './explore.mjs'
import { exploreWithout, rules } from './rules.mjs'
import { scenarios } from './scenarios.mjs'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    faults: { type: 'string' },
    rules: { type: 'boolean', default: false },
  },
})

const show = (name, { states, seconds, violation }) => {
  console.log(`${name}: ${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s`)
  if (violation) console.log([`  BROKEN: ${violation.sentence}`, ...violation.history].join('\n    '))
}

/** Explores the scenarios with all rules. Returns whether all sentences hold. */
function all() {
  let isSound = true
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (!name.includes(values.scenario)) continue
    const result = explore(values.faults === undefined ? scenario : { ...scenario, faults: Number(values.faults) })
    show(name, result)
    isSound &&= !result.violation
  }
  return isSound
}

/** Takes the rules away, one by one. Returns whether each is missed. */
function without() {
  let areMissed = true
  for (const rule of Object.keys(rules)) {
    const result = exploreWithout(rule)
    show(`without "${rule}", ${rules[rule].scenario}`, result)
    areMissed &&= result.violation !== undefined
  }
  return areMissed
}

process.exitCode = (values.rules ? without() : all()) ? 0 : 1
