// Kills a host at each step of asking its owner: an approved request runs once, and an abandoned turn or task leaves no
// open request.
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
  'before the owner is notified',
  'after the owner is notified',
]
/** The approval of `late` expires when its command starts: it asks again, and is killed then. */
const WHO = ['bash', 'late', 'home', 'task']

/** Runs one life of the host. Returns whether it was killed, or its report. */
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

/** Returns what is wrong after the restart. The owner has approved, so the command ran once and the answer was said. */
function faultsOf(who, step, { pending, busy, asked, said, ran, opened }) {
  // The kill came between the send and its record: the message may have arrived.
  const requests = (step === 'before the owner is notified' ? 0 : 1) + (who === 'late' ? 1 : 0)
  return [
    asked !== requests && `the owner was asked ${asked} times`,
    pending && `${pending} requests are left`,
    busy && 'it never ends',
    (who === 'bash' || who === 'late') && ran !== 1 && `the command ran ${ran} times`,
    who === 'home' && opened !== 1 && `the lock was opened ${opened} times`,
    !said.includes('done') && `the answer is ${JSON.stringify(said)}`,
  ].filter(Boolean)
}

/** Kills the host once; the owner approves after the restart. */
const goesOn = (who, step) =>
  within(async (folder) => {
    const first = await live(folder, step, who, who === 'late' ? 'yes' : 'no')
    if (first) return [`was not killed: ${JSON.stringify(first)}`]
    const second = await live(folder, 'none', '-', 'yes')
    const { asked, said, opened } = second
    // The call may have begun, so its outcome is reported as unknown.
    if (who === 'home' && step === 'before the line')
      return asked || opened || !said.includes('done')
        ? [`${asked} requests, opened ${opened} times, said ${JSON.stringify(said)}`]
        : []
    return faultsOf(who, step, second)
  })

/** Kills every attempt of the turn; a task does not start again. No request may wait for the owner then. */
const givenUp = (who, step) =>
  within(async (folder) => {
    const first = await live(folder, step, who, who === 'late' ? 'yes' : 'no')
    if (first) return [`was not killed: ${JSON.stringify(first)}`]
    if (who !== 'task' && (await live(folder, 'before the line', '-', 'no')))
      return ['was not killed at its second start']
    const { pending, busy, said, ran, opened } = await live(folder, 'none', '-', 'no')
    const wrong = []
    if (pending) wrong.push(`${pending} requests are left`)
    if (busy) wrong.push('it never ends')
    if (ran || opened) wrong.push('it ran')
    if (!said.some((text) => /restarted|stopped while this ran|done/.test(text)))
      wrong.push(`the failure was not reported: ${JSON.stringify(said)}`)
    return wrong
  })

/** Kills the host twice while the request waits. Waiting is no attempt: the owner can approve at the third start. */
const waitsOn = (who, step) =>
  within(async (folder) => {
    const first = await live(folder, step, who, who === 'late' ? 'yes' : 'no')
    if (first) return [`was not killed: ${JSON.stringify(first)}`]
    await live(folder, 'before the line', '-', 'no')
    return faultsOf(who, step, await live(folder, 'none', '-', 'yes'))
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 3, steps = STEPS, who = WHO } = {}) {
  const wrong = []
  for (let round = 0; round < rounds; round++) {
    for (const step of steps) {
      for (const one of who) {
        if (one !== 'task') wrong.push(...(await goesOn(one, step)).map((what) => `${one} killed ${step}: ${what}`))
        // The turn waits for the task, so the line of a sub-agent does not count.
        const isAsked = STEPS.indexOf(step) >= STEPS.indexOf('after the request')
        if (isAsked) wrong.push(...(await waitsOn(one, step)).map((what) => `${one} killed twice, ${step}: ${what}`))
        else if (one !== 'home' || step !== 'before the line')
          wrong.push(...(await givenUp(one, step)).map((what) => `${one} given up, killed ${step}: ${what}`))
      }
    }
  }
  const row = {
    fault: `kill -9 at each of ${steps.length} steps of asking the owner`,
    rounds,
    result: wrong.length ? [...new Set(wrong)].join('; ') : 'asked once, done once, no request is left',
    passed: wrong.length === 0,
  }
  console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
  return row
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 3) })).passed ? 0 : 1
