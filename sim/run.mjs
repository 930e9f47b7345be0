// `npm run sim`: plays histories of a host under a virtual clock. See README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Coverage } from './coverage.mjs'
import { planOf } from './history/plan.mjs'
import { asTest } from './history/print.mjs'
import { runHistory } from './history/run.mjs'
import { shrink } from './history/shrink.mjs'
import { variants } from './history/systematic.mjs'
import { Tally } from './history/tally.mjs'
import { prove } from './prove/prove.mjs'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    keep: { type: 'string' },
    about: { type: 'string', default: '' },
    systematic: { type: 'boolean', default: false },
    prove: { type: 'boolean', default: false },
  },
})

async function one(seed) {
  const plan = planOf(seed)
  const { lines, findings, digest, events } = await runHistory({ ...plan, verbose: true })
  for (const line of lines) console.log(line)
  for (const { sentence, text } of findings) console.log(`BROKEN: ${sentence}: ${text}`)
  console.log(`digest ${digest}, ${events} events`)
  const chosen = findings.find(({ sentence, text }) => `${sentence}: ${text}`.includes(values.about)) ?? findings[0]
  if (chosen && (values.shrink || values.keep)) await show(plan, chosen)
  return findings.length === 0
}

/** Shrinks a history, prints it as a test, and keeps it where a name is given. */
async function show(plan, finding) {
  const shortest = await shrink(plan, finding)
  console.log(`\n${asTest(shortest, finding)}\n`)
  if (!values.keep) return
  const file = new URL(`./found/${values.keep}.json`, import.meta.url)
  // Without the stack of an error, whose paths are those of this machine.
  const about = { ...finding, text: finding.text.split('\n', 1)[0] }
  writeFileSync(file, `${JSON.stringify({ about, plan: shortest }, null, 2)}\n`)
  console.log(`kept as sim/found/${values.keep}.json`)
}

/** Seeds that break a sentence, each with its issue, until they are fixed. */
const knownSeeds = JSON.parse(readFileSync(new URL('./known-seeds.json', import.meta.url), 'utf8'))

/** Returns a line about a seed that is known to fail, and whether it still does. */
function knownLine({ seed }, { findings }) {
  const state = findings.length ? 'known to fail' : 'known to fail, and clean now: take it out of known-seeds.json'
  return `seed ${seed} is ${state} (${knownSeeds[seed]})`
}

async function* plansOf(from, count) {
  for (let seed = from; seed < from + count; seed++) yield planOf(seed)
}

async function many(plans) {
  const coverage = new Coverage()
  const tally = new Tally()
  const known = []
  for await (const plan of plans) {
    const result = await runHistory(plan)
    coverage.add(result.changes)
    if (knownSeeds[plan.seed]) known.push(knownLine(plan, result))
    else tally.add(plan, result)
  }
  for (const line of [...known, ...tally.lines, ...coverage.lines]) console.log(line)
  if (tally.first) await show(tally.first.plan, tally.first.finding)
  return !tally.first
}

async function main() {
  if (values.prove) return prove(values.about, values.keep !== undefined)
  if (values.systematic) return many(variants())
  if (values.seed) return one(Number(values.seed))
  return many(plansOf(Number(values.from), Number(values.seeds)))
}

process.exitCode = (await main()) ? 0 : 1
