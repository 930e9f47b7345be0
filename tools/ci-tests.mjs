// Runs the tests for `.ci/run`: node tools/ci-tests.mjs <result file> <seconds> <command> [arguments].
//
// Files with a failure run once more, alone. A file that passes then is unsteady: the run names it and goes on. More
// than two such files fail the run, since one cause would be behind them.
// Writes "<passed> <failed> <unsteady files>" to the result file.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'

const MAX_UNSTEADY = 2
const AGAIN_SECONDS = 600
const KILL_AFTER_MS = 15_000

/** Adds up the lines such as "  12 passing" of the output. */
const sum = (output, word) =>
  Array.from(output.matchAll(new RegExp(`^ +(\\d+) ${word}`, 'gm')), ([, count]) => Number(count)).reduce(
    (total, count) => total + count,
    0,
  )

/** Returns the totals of a run. A command that reports no failed test and exits with an error has failed once. */
export function totalsOf(output, code) {
  const failed = sum(output, 'failing')
  const passed = sum(output, 'passing')
  return { passed: code === 0 && passed === 0 ? 1 : passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}

/** Runs a command within a time limit and passes its output on. Returns how it ended, and the output. */
function start([program, ...args], { seconds, env, write }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, detached: true })
    const signal = (name) => {
      try {
        process.kill(-child.pid, name)
      } catch {
        // The processes have ended.
      }
    }
    let killer
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      write(`timed out after ${seconds} s\n`)
      signal('SIGTERM')
      killer = setTimeout(() => signal('SIGKILL'), KILL_AFTER_MS)
    }, seconds * 1000)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        write(text)
      })
    const end = (code) => {
      clearTimeout(timer)
      clearTimeout(killer)
      resolve({ code, output, isLate })
    }
    child.on('error', (error) => {
      output += `${error.message}\n`
      write(`${error.message}\n`)
      end(1)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

/**
 * Runs `command` and, where one or two files failed, `again` with these files. Returns the totals and the names of the
 * unsteady files. The reporter of the tests writes the files with a failure to MYNAH_FAILED.
 */
export async function runTests({ command, again, seconds, write = (text) => process.stdout.write(text) }) {
  const folder = mkdtempSync(join(tmpdir(), 'mynah-ci-'))
  try {
    const failures = join(folder, 'failed')
    const { code, output, isLate } = await start(command, { seconds, env: { MYNAH_FAILED: failures }, write })
    const totals = { ...totalsOf(output, code), unsteady: [] }
    const files = existsSync(failures) ? [...new Set(readFileSync(failures, 'utf8').split('\n').filter(Boolean))] : []
    // A run that was cut off has not tried everything.
    if (code === 0 || isLate || files.length === 0 || files.length > MAX_UNSTEADY) return totals
    write('\n== Files with a failure again, alone\n')
    const second = await start([...again, ...files], { seconds: AGAIN_SECONDS, env: {}, write })
    if (second.code !== 0) return totals
    const unsteady = files.map((file) => relative(root, resolve(root, file)))
    for (const file of unsteady) write(`unsteady: ${file}\n`)
    return { passed: totals.passed + totals.failed, failed: 0, unsteady }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [result, seconds, ...command] = process.argv.slice(2)
  const node = command[0].endsWith('node') ? command[0] : process.execPath
  const mocha = [node, join(root, 'node_modules/mocha/bin/mocha.js')]
  const { passed, failed, unsteady } = await runTests({
    command,
    again: [...mocha, '--no-config', '--enable-source-maps', '--timeout', '60000'],
    seconds: Number(seconds),
  })
  writeFileSync(result, `${passed} ${failed} ${unsteady.length}\n`)
  process.exitCode = failed ? 1 : 0
}
