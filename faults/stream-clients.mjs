// Kills and stops a host while a client follows its event stream: the event of every row arrives once, in order.
import { streamRounds } from '../plugins/database/dist/test/stream-rounds.js'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

/** Runs the rounds and prints one row. Returns the row. */
export const run = ({ rounds = 100 } = {}) =>
  inFolder(async (folder) => {
    const { rows, missed, wrong, gaps, resets } = await streamRounds(folder, rounds)
    const result = `${rows} rows, ${missed} missed, ${wrong} wrong, ${gaps} gaps, ${resets} resets`
    return rowOf(
      'stream client over kill -9 and SIGTERM in turn',
      rounds,
      missed + wrong + gaps + resets === 0 ? [] : [result],
      result,
    )
  })

await runIfMain(import.meta.url, run)
