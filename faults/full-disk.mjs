// Fills the disk of a host while messages are handled, makes room again and restarts it gracefully: nothing runs or is
// said twice, and no row stays open.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inFolder, Life, rowOf, runIfMain } from './lib/lives.mjs'
import { onceEach } from './lib/once-each.mjs'

const exec = promisify(execFile)
const FAULT = 'the disk is full for 3 s'
const FULL_MS = 3_000
const COMMANDS = 120
const EVERY_MS = 25
const DISK = 8 * 1024 * 1024
/** So that commands and answers are under way when it begins. */
const SLOW = { runMs: 300, sendMs: 100 }
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs `work` with a small file system. */
async function onSmallDisk(folder, work) {
  const data = join(folder, 'data')
  await mkdir(data)
  await exec('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', data])
  try {
    return await work(data)
  } finally {
    await exec('umount', [data])
  }
}

async function round(data) {
  const first = new Life('durable-chat.mjs', { data, commands: COMMANDS, everyMs: EVERY_MS, ...SLOW })
  await first.until(({ lines }) => lines.includes('ready'))
  await wait(Math.random() * COMMANDS * EVERY_MS)
  const ballast = join(data, 'ballast')
  // It takes what there is and then fails.
  await writeFile(ballast, Buffer.alloc(DISK)).catch(() => {})
  await wait(FULL_MS)
  await rm(ballast)
  await first.until(({ lines }) => lines.includes('received'))
  await wait(3_000)
  await first.kill('SIGTERM')
  const second = new Life('durable-chat.mjs', { data })
  await second.until(({ lines }) => lines.includes('settled'))
  await second.kill('SIGTERM')
  return onceEach([first, second])
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  if (process.getuid?.() !== 0) return rowOf(FAULT, rounds, [], 'not tried: only root can mount a small file system')
  const wrong = []
  for (let count = 0; count < rounds; count++) wrong.push(...(await inFolder((folder) => onSmallDisk(folder, round))))
  return rowOf(FAULT, rounds, wrong, 'nothing twice, nothing lost, no row open after a graceful restart')
}

await runIfMain(import.meta.url, run)
