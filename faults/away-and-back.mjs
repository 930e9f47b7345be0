// The disk is full, the database file is moved away, the database server stops: refused within a second, working again by itself within five.
// A connection falls silent without an end: replaced within fifteen. These are the scenarios of two test files, run as often as asked for.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

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

/** Runs the rounds, prints one row a scenario and gives one for all. */
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
  let passed = results.size > 0
  for (const [title, counts] of results) {
    passed &&= counts.failed === 0
    console.log(
      `${counts.failed ? 'FAIL' : counts.pending ? 'skip' : 'ok  '}  ${title}, ${rounds} rounds: ${counts.passed} passed, ${counts.failed} failed, ${counts.pending} could not run here`,
    )
  }
  return {
    fault: 'full disk, moved file, lost server, silent connection',
    rounds,
    result: `${results.size} scenarios`,
    passed,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 5) })).passed ? 0 : 1
