// Fills the disk of a host while messages are handled, makes room again and restarts it gracefully: nothing runs or is
// said twice, and no row stays open.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onDatabases } from './lib/databases.mjs'
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
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await exec('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk])
  try {
    return await work(disk)
  } finally {
    await exec('umount', [disk])
  }
}

async function round(folder) {
  const first = new Life('durable-chat.mjs', { folder, commands: COMMANDS, everyMs: EVERY_MS, ...SLOW })
  await first.until(({ lines }) => lines.includes('ready'))
  await wait(Math.random() * COMMANDS * EVERY_MS)
  const ballast = join(folder, 'ballast')
  // It takes what there is and then fails.
  await writeFile(ballast, Buffer.alloc(DISK)).catch(() => {})
  await wait(FULL_MS)
  await rm(ballast)
  await first.until(({ lines }) => lines.includes('received'))
  await wait(3_000)
  await first.kill('SIGTERM')
  const second = new Life('durable-chat.mjs', { folder })
  await second.until(({ lines }) => lines.includes('settled'))
  await second.kill('SIGTERM')
  return onceEach([first, second])
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30 } = {}) {
  if (process.getuid?.() !== 0) return rowOf(FAULT, rounds, [], 'not tried: only root can mount a small file system')
  const onDisk = () => inFolder((folder) => onSmallDisk(folder, round))
  const { wrong, figures } = await onDatabases({ rounds, databases: ['sqlite'] }, onDisk)
  return rowOf(FAULT, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
