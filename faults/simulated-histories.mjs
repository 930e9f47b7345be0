// Plays simulated histories of a host: random ones, and two short ones in all their variants.
import { planOf } from '../sim/history/plan.mjs'
import { runHistory } from '../sim/history/run.mjs'
import { variants } from '../sim/history/systematic.mjs'
import { rowOf, runIfMain } from './lib/lives.mjs'

function* seeds(count) {
  for (let seed = 1; seed <= count; seed++) yield planOf(seed)
}

const nameOf = ({ seed, crashAt, swapAt }) =>
  crashAt === undefined && swapAt === undefined ? `seed ${seed}` : `variant ${crashAt ?? '-'}/${swapAt ?? '-'}`

/**
 * Plays the histories and prints one row. Returns the row.
 *
 * @param options.rounds number of random ones
 */
export async function run({ rounds = 1_000 } = {}) {
  const wrong = []
  let count = 0
  for (const plans of [seeds(rounds), variants()])
    for await (const plan of plans) {
      count++
      const { findings } = await runHistory(plan)
      wrong.push(...findings.map(({ sentence, text }) => `${nameOf(plan)}: ${sentence}: ${text}`))
    }
  return rowOf('simulated histories', rounds, wrong, `all ${count} of them hold`)
}

await runIfMain(import.meta.url, run)
