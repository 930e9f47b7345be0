// Kills a host while its platform delivers every message three times: each is handled at most once, none is lost.
import { redeliveryRounds } from '../plugins/inbox/dist/test/redelivery-rounds.js'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

/** Runs the rounds and prints one row. Returns the row. */
export const run = ({ rounds = 50 } = {}) =>
  inFolder(async (folder) => {
    const { accepted, twice, answeredTwice, lost, interrupted, unknown } = await redeliveryRounds(folder, rounds)
    const result =
      `${accepted} accepted, ${twice} handled twice, ${answeredTwice} answered twice, ${lost} lost, ` +
      `${interrupted} shown as interrupted, ${unknown} sends unknown`
    return rowOf(
      'kill -9 of a chatting host, every message delivered three times',
      rounds,
      twice + answeredTwice + lost === 0 ? [] : [result],
      result,
    )
  })

await runIfMain(import.meta.url, run)
