// Applies random edits, also during other edits: the host must end like a fresh start. Runs many histories.
import { run as start } from '../tools/lib.mjs'

/** @param {{ rounds?: number }} options Number of histories. */
export async function run({ rounds = 30_000 } = {}) {
  process.env.MYNAH_HISTORIES = String(rounds)
  const code = await start('mocha', [
    '--no-config',
    '--node-option',
    'enable-source-maps',
    'kernel/dist/core/histories.test.js',
  ])
  return {
    fault: 'histories of edits',
    rounds,
    result: code === 0 ? 'every one ends like a fresh start' : 'one of them does not: see above',
    passed: code === 0,
  }
}
