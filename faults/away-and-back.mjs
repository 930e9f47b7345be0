// Fills the disk, moves the database file, stops the database server, and silences a connection.
// The host must refuse within one second and recover within five, or fifteen for a silent connection.
// Runs the scenarios of two test files several times.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runIfMain } from './lib/lives.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const SCENARIOS = ['store/availability', 'engine/connections']

function scenarios() {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        mocha,
        '--no-config',
        '--timeout',
        '60000',
        '--reporter',
        'json',
        ...SCENARIOS.map((name) => `plugins/database/dist/${name}.test.js`),
      ],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, MYNAH_MEASURE_FAULTS: '1' },
      },
    )
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.on('error', reject)
    child.on('close', () => resolve(JSON.parse(output.slice(output.indexOf('{\n')))))
  })
}

/** Runs the rounds and prints one row for each scenario. Returns one row for all. */
export async function run({ rounds = 5 } = {}) {
  const results = new Map()
  for (let round = 0; round < rounds; round++) {
    const { passes, failures, pending } = await scenarios()
    for (const [outcome, tests] of Object.entries({ passed: passes, failed: failures, pending })) {
      for (const { fullTitle } of tests) {
        const counts = results.get(fullTitle) ?? { passed: 0, failed: 0, pending: 0 }
        counts[outcome]++
        results.set(fullTitle, counts)
      }
    }
  }
  const verdict = ({ failed, pending }) => {
    if (failed) return 'FAIL'
    return pending ? 'skip' : 'ok  '
  }
  let passed = results.size > 0
  for (const [title, counts] of results) {
    passed &&= counts.failed === 0
    console.log(
      `${verdict(counts)}  ${title}, ${rounds} rounds: ` +
        `${counts.passed} passed, ${counts.failed} failed, ${counts.pending} skipped`,
    )
  }
  return {
    fault: 'full disk, moved file, lost server, silent connection',
    rounds,
    result: `${results.size} scenarios`,
    passed,
  }
}

await runIfMain(import.meta.url, run)
