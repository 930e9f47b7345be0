// Edits of every kind, made at once and while others are under way: the host ends like a fresh start. The long form.
import { run as start } from '../tools/lib.mjs'

/** @param {{ rounds?: number }} options Histories that are tried. */
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
