// Plays histories until one shows the defect that is put back: `node --import register.mjs search.mjs <defect>`.
import { planOf } from '../history/plan.mjs'
import { runHistory } from '../history/run.mjs'

const { default: defect } = await import(`./defects/${process.argv[2]}.mjs`)
const limit = Number(process.env.SIM_LIMIT)
const startedAt = performance.now()
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)

let found
let seed = 0
while (!found && performance.now() - startedAt < limit) {
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
