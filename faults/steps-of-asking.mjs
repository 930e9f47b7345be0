// Kills a host at each step of asking its owner: an approved request runs once, and an abandoned turn or task leaves no
// open request.
import { inFolder, live, rowOf, runIfMain } from './lib/lives.mjs'

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

/** Kills a host at a step of asking, whose owner approves nothing but the first request of `late`. */
async function killAt(step, asks, folder) {
  const first = await live('asking.mjs', { folder, step, asks, ...(asks === 'late' ? { next: 'approve' } : {}) })
  if (!first.killed) throw new Error(`${asks} was not killed ${step}: ${JSON.stringify(first.report)}`)
}

/** Returns what is wrong after the restart. The owner has approved, so the command ran once and the answer was said. */
function faultsOf(who, step, { pending, busy, asked, said, ran, opened }) {
  // The kill came between the send and its record: the message may have arrived.
  const requests = (step === 'before the owner is notified' ? 0 : 1) + (who === 'late' ? 1 : 0)
  return [
    asked !== requests && `the owner was asked ${asked} times`,
    pending && `${pending} requests are left`,
    busy && 'it never ends',
    who !== 'home' && ran !== 1 && `the command ran ${ran} times`,
    who === 'home' && opened !== 1 && `the lock was opened ${opened} times`,
    !said.includes('done') && `the answer is ${JSON.stringify(said)}`,
  ].filter(Boolean)
}

/** Kills the host once; the owner approves after the restart. */
const goesOn = (who, step) =>
  inFolder(async (folder) => {
    await killAt(step, who, folder)
    const { report } = await live('asking.mjs', { folder, next: 'approve' })
    const { asked, said, opened } = report
    // The call may have begun, so its outcome is reported as unknown.
    if (who === 'home' && step === 'before the line')
      return asked || opened || !said.includes('done')
        ? [`${asked} requests, opened ${opened} times, said ${JSON.stringify(said)}`]
        : []
    return faultsOf(who, step, report)
  })

/** Kills every attempt of the turn; a task does not start again. No request may wait for the owner then. */
const givenUp = (who, step) =>
  inFolder(async (folder) => {
    await killAt(step, who, folder)
    if (who !== 'task' && !(await live('asking.mjs', { folder, step: 'before the line' })).killed)
      return ['was not killed at its second start']
    const { pending, busy, said, ran, opened } = (await live('asking.mjs', { folder })).report
    return [
      pending > 0 && `${pending} requests are left`,
      busy && 'it never ends',
      ran + opened > 0 && 'it ran',
      !said.some((text) => /restarted|stopped while this ran|done/.test(text)) &&
        `the failure was not reported: ${JSON.stringify(said)}`,
    ].filter(Boolean)
  })

/** Kills the host twice while the request waits. Waiting is no attempt: the owner can approve at the third start. */
const waitsOn = (who, step) =>
  inFolder(async (folder) => {
    await killAt(step, who, folder)
    await live('asking.mjs', { folder, step: 'before the line', next: 'kill' })
    return faultsOf(who, step, (await live('asking.mjs', { folder, next: 'approve' })).report)
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
  const fault = `kill -9 at each of ${steps.length} steps of asking the owner`
  return rowOf(fault, rounds, wrong, 'asked once, done once, no request is left')
}

await runIfMain(import.meta.url, run)
