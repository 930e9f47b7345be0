// `npm test`: builds what is stale and runs all tests; arguments go to mocha.
import { spawn } from 'node:child_process'
import { buildOrExit } from './build.mjs'
import { root, run } from './lib.mjs'

/** Tests of platforms wait for real servers most of their time: they run beside the others, several files at once. */
const WAITING = 'plugins/adapter-*/dist/**/*.test.js'
const JOBS = 3

/** Runs the tests that wait; what they say is kept until the others are done. */
function runWaiting() {
  const args = ['node_modules/mocha/bin/mocha.js', '--no-config', '--parallel', '--jobs', String(JOBS), '--timeout', '60000', '--node-option', 'enable-source-maps', WAITING]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { said += text })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, said }))
  })
}

await buildOrExit()
const given = process.argv.slice(2)
if (given.length > 0) process.exitCode = await run('mocha', ['--fail-zero', ...given])
else {
  const waiting = runWaiting()
  const code = await run('mocha', ['--fail-zero', '--ignore', WAITING])
  const beside = await waiting
  process.stdout.write(`\nTests of platforms, run beside these:\n${beside.said}`)
  process.exitCode = code || beside.code
}
