// Runs the tests of the whole system for `.ci/run`:
//
//   node tools/ci-tests.mjs <result file> <seconds> <command> [arguments]
//
// A file with a failure runs again, alone, up to twice. Where it passes then, it counts as passed, and a line names
// it: `unsteady: <file>: <test>: <first line of the error>`. A file that fails three times, or more than six files
// with a failure, fail the run.
// Writes "<passed> <failed>" to the result file.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'

const MAX_FILES = 6
const MAX_AGAIN = 2
const AGAIN_SECONDS = 300
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

/** Returns the failures that the reporter wrote, by test file. */
function failuresIn(path) {
  const byFile = new Map()
  if (!existsSync(path)) return byFile
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { file, ...failure } = JSON.parse(line)
    byFile.set(file, [...(byFile.get(file) ?? []), failure])
  }
  return byFile
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
 * Runs `command`, and `again` with each file that had a failure. Returns the totals and one line for each unsteady
 * test. The reporter of the tests writes failures to MYNAH_FAILED.
 */
export async function runTests({ command, again, seconds, write = (text) => process.stdout.write(text) }) {
  const folder = mkdtempSync(join(tmpdir(), 'mynah-ci-'))
  try {
    const path = join(folder, 'failed')
    const { code, output, isLate } = await start(command, { seconds, env: { MYNAH_FAILED: path }, write })
    const totals = { ...totalsOf(output, code), unsteady: [] }
    const failures = failuresIn(path)
    // A run that was cut off has not tried everything, and neither has a process that ended within a file.
    const isCut = isLate || failures.has('?')
    if (code === 0 || isCut || failures.size === 0 || failures.size > MAX_FILES) return totals
    for (const file of failures.keys()) {
      let passes = false
      for (let attempt = 1; attempt <= MAX_AGAIN && !passes; attempt++) {
        write(`\n== Again, alone: ${file} (${attempt} of ${MAX_AGAIN})\n`)
        const env = { MYNAH_FAILED: undefined }
        passes = (await start([...again, file], { seconds: AGAIN_SECONDS, env, write })).code === 0
      }
      if (!passes) return totals
    }
    const unsteady = Array.from(failures, ([file, tests]) =>
      tests.map(({ test, error }) => `unsteady: ${relative(root, resolve(root, file))}: ${test}: ${error}`),
    ).flat()
    for (const line of unsteady) write(`${line}\n`)
    return { passed: totals.passed + totals.failed, failed: 0, unsteady }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [result, seconds, ...command] = process.argv.slice(2)
  const node = command[0].endsWith('node') ? command[0] : process.execPath
  const mocha = [node, join(root, 'node_modules/mocha/bin/mocha.js')]
  const { passed, failed } = await runTests({
    command,
    // A failed test may leave a host that would keep the process alive.
    again: [...mocha, '--no-config', '--enable-source-maps', '--timeout', '60000', '--exit'],
    seconds: Number(seconds),
  })
  writeFileSync(result, `${passed} ${failed}\n`)
  process.exitCode = failed ? 1 : 0
}
