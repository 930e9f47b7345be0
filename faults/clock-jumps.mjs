// Moves the wall clock of a running host forward and back (libfaketime): no slot runs twice, and jobs continue.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sqlite from 'sqlite3'
import { runIfMain } from './lib/lives.mjs'

const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file))
/**
 * Offsets in seconds, all within the time that runs are kept. The last but two is the largest, so that new slots exist.
 * The last jump goes back over a minute that the one before has skipped, whose slots are still to come.
 */
const JUMPS = [7_200, 0, -172_800, 86_400, 90, 172_800, 172_860, 172_800]
const STAY_MS = 2_500

const linesOf = async (file) => (existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter(Boolean) : [])

/** Returns job and slot of each run, by its id. */
async function slotsIn(folder) {
  const database = new sqlite.Database(join(folder, 'mynah.sqlite'), sqlite.OPEN_READONLY)
  try {
    const rows = await promisify(database.all.bind(database))('SELECT id, job_id, slot FROM job_run')
    return new Map(rows.map(({ id, job_id, slot }) => [id, `${job_id} ${slot}`]))
  } finally {
    await promisify(database.close.bind(database))()
  }
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 4 } = {}) {
  const row = (result, passed) => {
    console.log(`${passed ? 'ok  ' : 'FAIL'}  jumps of the clock while jobs run, ${rounds} rounds: ${result}`)
    return { fault: 'jumps of the clock while jobs run', rounds, result, passed }
  }
  if (!LIBRARY) return row('not tried: libfaketime is not installed', true)
  let runs = 0
  let twice = 0
  let forgotten = 0
  let stuck = 0
  let died = 0
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
    const clock = join(folder, 'clock')
    const jump = async (seconds) => {
      await writeFile(`${clock}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
      await rename(`${clock}.new`, clock)
    }
    await jump(0)
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../plugins/cron/dist/test/slot-process.js', import.meta.url)), folder, '5', '6'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          LD_PRELOAD: LIBRARY,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        },
      },
    )
    const exited = once(child, 'exit')
    try {
      await once(child.stdout, 'data')
      for (const seconds of [0, ...JUMPS]) {
        await jump(seconds + round)
        await setTimeout(STAY_MS)
      }
      const before = (await linesOf(join(folder, 'ran.txt'))).length
      for (let waited = 0; waited < 10_000 && (await linesOf(join(folder, 'ran.txt'))).length === before; waited += 200)
        await setTimeout(200)
      if ((await linesOf(join(folder, 'ran.txt'))).length === before) stuck++
      if (child.exitCode !== null) died++
      child.kill('SIGKILL')
      await exited
      const ran = await linesOf(join(folder, 'ran.txt'))
      const slots = await slotsIn(folder)
      runs += ran.length
      // Only a number of runs is kept for each job; the oldest by their own clock are deleted.
      const known = ran.flatMap((line) => slots.get(line.split(' ')[1]) ?? [])
      twice += known.length - new Set(known).size
      forgotten += ran.length - known.length
    } finally {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    }
  }
  return row(
    `${runs} runs, ${twice} twice, ${forgotten} not kept; ` +
      `jobs stopped after the last jump in ${stuck} rounds, the host died in ${died}`,
    twice + stuck + died === 0 && runs > 0,
  )
}

await runIfMain(import.meta.url, run)
