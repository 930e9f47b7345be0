// A host is killed with SIGKILL at each step of asking its owner: what was asked goes on once when it is approved, and where its turn or
// task is given up no request is left that nobody would use.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HOST = fileURLToPath(new URL('./processes/asking.mjs', import.meta.url))
const STEPS = [
  'before the line',
  'after the line',
  'before the request',
  'after the request',
  'before the owner is told',
  'after the owner is told',
]
/** `late` is a command whose approval runs out in the moment it starts: it asks again, and is killed at that. */
const WHO = ['bash', 'late', 'home', 'task']

/** One life of the host: whether it was killed, and its report where it was not. */
async function live(folder, step, asks, approves) {
  const child = spawn(process.execPath, [HOST, folder, step, asks, approves], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    complained = (complained + chunk).slice(-2_000)
  })
  const [code, signal] = await once(child, 'close')
  if (signal === 'SIGKILL') return undefined
  if (code !== 0) throw new Error(`the host ended with ${code}: ${complained}`)
  return JSON.parse(said)
}

async function within(work) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Killed once; the owner approves after the start. */
const goesOn = (who, step) =>
  within(async (folder) => {
    const first = await live(folder, step, who, who === 'late' ? 'yes' : 'no')
    if (first) return [`was not killed: ${JSON.stringify(first)}`]
    const { pending, busy, asked, said, ran, opened } = await live(folder, 'none', '-', 'yes')
    const wrong = []
    // Nothing says then that a call had not begun: what must not happen twice is told as unknown.
    if (who === 'home' && step === 'before the line')
      return asked || opened || !said.includes('done')
        ? [`${asked} requests, opened ${opened} times, said ${JSON.stringify(said)}`]
        : []
    // The platform had it, and the kill came before that was known: nobody can know whether it was told.
    if (asked !== (step === 'before the owner is told' ? 0 : 1) + (who === 'late' ? 1 : 0))
      wrong.push(`the owner was asked ${asked} times`)
    if (pending) wrong.push(`${pending} requests wait for nobody`)
    if (busy) wrong.push('it never ends')
    if ((who === 'bash' || who === 'late') && ran !== 1) wrong.push(`the command ran ${ran} times`)
    if (who === 'home' && opened !== 1) wrong.push(`the lock was opened ${opened} times`)
    if (!said.includes('done')) wrong.push(`the answer is ${JSON.stringify(said)}`)
    return wrong
  })

/** Killed at every start that the turn has, or begun no more as a task: nobody waits for the owner then. */
const givenUp = (who, step) =>
  within(async (folder) => {
    const first = await live(folder, step, who, who === 'late' ? 'yes' : 'no')
    if (first) return [`was not killed: ${JSON.stringify(first)}`]
    if (who !== 'task' && (await live(folder, 'before the line', '-', 'no')))
      return ['was not killed at its second start']
    const { pending, busy, said, ran, opened } = await live(folder, 'none', '-', 'no')
    const wrong = []
    if (pending) wrong.push(`${pending} requests wait for nobody`)
    if (busy) wrong.push('it never ends')
    if (ran || opened) wrong.push('it ran')
    if (!said.some((text) => /restarted|stopped while this ran|done/.test(text)))
      wrong.push(`nobody was told: ${JSON.stringify(said)}`)
    return wrong
  })

/** Runs the rounds, prints one row and gives it. */
export async function run({ rounds = 3, steps = STEPS, who = WHO } = {}) {
  const wrong = []
  for (let round = 0; round < rounds; round++) {
    for (const step of steps) {
      for (const one of who) {
        if (one !== 'task') wrong.push(...(await goesOn(one, step)).map((what) => `${one} killed ${step}: ${what}`))
        // The line of a sub-agent is not that of the turn, which waits for the task.
        if (one !== 'home' || step !== 'before the line')
          wrong.push(...(await givenUp(one, step)).map((what) => `${one} given up, killed ${step}: ${what}`))
      }
    }
  }
  const row = {
    fault: `kill -9 at each of ${steps.length} steps of asking the owner`,
    rounds,
    result: wrong.length
      ? [...new Set(wrong)].join('; ')
      : 'asked once, done once, and no request is left that nobody would use',
    passed: wrong.length === 0,
  }
  console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
  return row
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 3) })).passed ? 0 : 1
