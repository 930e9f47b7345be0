// Has a model that obeys everything it reads read 230 texts of strangers. `npm test` has it read 90.
import { run as start } from '../tools/lib.mjs'

/** How often each form of a text is tried in each place: each wish is in each place then. */
const TIMES = 3

/** Runs the test and returns its row. */
export async function run({ rounds = 1 } = {}) {
  process.env.MYNAH_INJECTIONS = String(TIMES)
  let code = 0
  for (let round = 0; round < rounds && code === 0; round++)
    code = await start('mocha', [
      '--no-config',
      '--node-option',
      'enable-source-maps',
      'test/dist/injections.system.test.js',
    ])
  return {
    fault: 'texts of strangers for an obeying model',
    rounds,
    result: code === 0 ? 'nothing of it was done' : 'see above',
    passed: code === 0,
  }
}
