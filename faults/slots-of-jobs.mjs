// Kills a host while jobs run every second and others hang: each slot runs at most once, and each has a row. The ones
// that hang stop no other.
import { slotRounds } from '../plugins/cron/dist/test/slot-rounds.js'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

/** More than a host has places for. */
const HANGING = 6

const counts = (states) =>
  Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')

/** Runs the rounds and prints one row. Returns the row. */
export const run = ({ rounds = 20 } = {}) =>
  inFolder(async (folder) => {
    const { slots, twice, missing, stuck, states, hanging } = await slotRounds(folder, rounds, { hanging: HANGING })
    // A kill leaves a hanging run open only in the last round.
    const isEnded = (hanging.running ?? 0) + (hanging.queued ?? 0) <= HANGING && (hanging.ok ?? 0) === 0
    const result =
      `${slots} slots, ${twice} run twice, ${missing} without a row, ${stuck} rounds without a run; ` +
      `${counts(states)}; of the hanging ones ${counts(hanging)}`
    return rowOf(
      'kill -9 while jobs run and hang',
      rounds,
      twice + missing + stuck === 0 && isEnded ? [] : [result],
      result,
    )
  })

await runIfMain(import.meta.url, run)
