// Kills a host at each step of sending: no message is sent twice, and each has a known state.
import { inFolder, live, rowOf, runIfMain } from './lib/lives.mjs'

/** The steps, and the states that the store may have for the reply. */
const STEPS = {
  'before the intent': { answer: undefined, sent: 0 },
  'after the intent': { answer: ['sent'], sent: 1 },
  'before it is marked': { answer: ['sent'], sent: 1 },
  'after it is marked': { answer: ['unknown'], sent: 0 },
  'before the platform has it': { answer: ['unknown'], sent: 0 },
  'after the platform has it': { answer: ['unknown'], sent: 1 },
  'before the receipt': { answer: ['unknown'], sent: 1 },
  'after the receipt': { answer: ['sent'], sent: 1 },
}

/** Kills at one step and restarts. Returns the faults. */
const kill = (step, round) =>
  inFolder(async (folder) => {
    const id = `m${round}`
    const first = await live('sending.mjs', { folder, step, id })
    const second = await live('sending.mjs', { folder })
    const sent = [...first.after('sent'), ...second.after('sent')].filter((text) => text === id).length
    const rows = second.after('row').map((row) => row.split(' '))
    const statesOf = (direction) =>
      rows.filter(([way, , text]) => way === direction && text === id).map(([, state]) => state)
    const [messages, answers] = [statesOf('in'), statesOf('out')]
    const { answer = [], sent: times } = STEPS[step]
    const wrong = [
      !first.killed && 'was not killed',
      sent !== times && `sent ${sent} times, not ${times}`,
      (messages.length !== 1 || !['handled', 'interrupted'].includes(messages[0])) &&
        `the message is ${messages.join(', ') || 'lost'}`,
      answers.join() !== answer.join() && `the answer is ${answers.join(', ') || 'lost'}`,
    ]
    return wrong.filter(Boolean).map((what) => `${step}: ${what}`)
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 20, steps = Object.keys(STEPS) } = {}) {
  const wrong = []
  for (let round = 0; round < rounds; round++) for (const step of steps) wrong.push(...(await kill(step, round)))
  const fine = 'nothing lost, nothing sent twice, unknown after a kill during the send'
  return rowOf(`kill -9 at each of ${steps.length} steps of sending`, rounds, wrong, fine)
}

await runIfMain(import.meta.url, run)
