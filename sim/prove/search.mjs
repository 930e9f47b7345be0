// Plays histories until one shows the defect that is put back: `node --import register.mjs search.mjs <defect>`.
import { planOf } from '../history/plan.mjs'
import { runHistory } from '../history/run.mjs'

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
