// Connects hosts to platforms that send nonsense, for hours of simulated time: each host and its bot
// recover.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runIfMain } from './lib/lives.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const TESTS = [
  'adapter-telegram/dist/test/random-answers',
  'adapter-irc/dist/test/random-lines',
  'adapter-irc/dist/test/bad-servers',
  'adapter-webhook/dist/test/random-answers',
]

/** Runs `rounds` hours of nonsense on each platform and prints one row. Returns the row. */
export async function run({ rounds = 12 } = {}) {
  const args = [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--timeout',
    String(rounds * 60_000),
    '--reporter',
    'json',
    ...TESTS.map((test) => `plugins/${test}.test.js`),
  ]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, MYNAH_NONSENSE_HOURS: String(rounds) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  await new Promise((resolve) => child.on('close', resolve))
  const { stats, failures } = JSON.parse(said.slice(said.indexOf('{')))
  const row = {
    fault: 'platforms that answer anything at all, in hours of nonsense',
    rounds,
    result: failures.length
      ? failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`).join('; ')
      : `${stats.passes} cases survived`,
    passed: stats.failures === 0 && stats.passes > 0,
  }
  console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} hours: ${row.result}`)
  return row
}

await runIfMain(import.meta.url, run)
