// Kills a process while it writes: no acknowledged write may be lost, no transaction cut, no file damaged.
import { killRounds } from '../plugins/database/dist/test/kill-rounds.js'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

/** Runs the rounds and prints one row. Returns the row. */
export const run = ({ rounds = 200 } = {}) =>
  inFolder(async (folder) => {
    const { acknowledged, lost, halves, damaged, reopened } = await killRounds(folder, rounds)
    const result =
      `${acknowledged} acknowledged, ${lost} lost, ${halves} half transactions, ` +
      `${damaged} damaged files, open again within ${reopened} ms`
    return rowOf(
      'kill -9 while writing',
      rounds,
      lost + halves + damaged === 0 && reopened <= 3_000 ? [] : [result],
      result,
    )
  })

await runIfMain(import.meta.url, run)
