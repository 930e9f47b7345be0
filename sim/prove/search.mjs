// Plays histories until one shows the defect that is put back: `node --import register.mjs search.mjs <defect>`. With
// SIM_KEEP the shortest one becomes the history of the defect in `found`.
import { writeFileSync } from 'node:fs'
import { planOf } from '../history/plan.mjs'
import { runHistory } from '../history/run.mjs'
import { shrink } from '../history/shrink.mjs'

const { default: defect } = await import(`./defects/${process.argv[2]}.mjs`)
const limit = Number(process.env.SIM_LIMIT)
/** Time of the processor, which a busy machine does not stretch, in milliseconds. */
const spent = () => process.cpuUsage().user / 1000
const seconds = () => (spent() / 1000).toFixed(1)

let found
let seed = 0
while (!found && spent() < limit) {
  seed++
  const { findings } = await runHistory(planOf(seed))
  found = findings.find(({ sentence, text }) => defect.shows.test(`${sentence}: ${text}`))
}
console.log(
  found
    ? `found  ${defect.about}: ${seconds()} s, seed ${seed}: ${found.text}`
    : `MISSED ${defect.about}: ${seed} histories in ${seconds()} s`,
)
process.exitCode = found ? 0 : 1
if (found && process.env.SIM_KEEP) {
  const plan = await shrink(planOf(seed), found)
  const { findings } = await runHistory(plan)
  const about = findings.find(({ sentence, text }) => defect.shows.test(`${sentence}: ${text}`))
  const file = new URL(`../found/${defect.history}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify({ about, plan }, null, 2)}\n`)
}
