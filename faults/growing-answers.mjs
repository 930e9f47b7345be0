// Kills a host at each step of an answer that grows within one message, and at random moments of it: the answer is
// said once, or its row says that it is unknown, and no message is empty.
import { inFolder, live, rowOf, runIfMain } from './lib/lives.mjs'

const STEPS = [
  'the row',
  'it is marked',
  'the platform has it',
  'its text is stored',
  'an edit',
  'the turn delivers',
  'the receipt',
].flatMap((what) => [`before ${what}`, `after ${what}`])
/** An answer takes less than this. */
const LONGEST_MS = 2_000

/** Returns what is wrong with the last report. */
function faultsOf({ answer, shown, empty, rows, open, busy }, stops) {
  const whole = shown.filter((text) => text.trim() === answer).length
  const answers = rows.filter(({ direction }) => direction === 'out')
  const isUnknown = answers.some(({ state }) => state === 'unknown')
  const isTold = shown.some((text) => !answer.startsWith(text.trim()))
  return [
    empty > 0 && `${empty} empty messages`,
    whole > 1 && `said ${whole} times`,
    whole === 0 && !isUnknown && !isTold && !stops && `not said: ${JSON.stringify(shown)}, ${JSON.stringify(answers)}`,
    open.length > 0 && `left open: ${open.map(({ state }) => state).join(', ')}`,
    busy && 'it never ends',
  ].filter(Boolean)
}

async function faultsAfter(first, stops = false) {
  return inFolder(async (folder) => {
    const killed = await live('growing-answer.mjs', { folder, step: 'none', asks: true, ...first })
    const last = killed.killed ? await live('growing-answer.mjs', { folder, step: 'none', stops }) : killed
    return faultsOf(JSON.parse(last.lines.at(-1)), stops)
  })
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30, steps = STEPS } = {}) {
  const wrong = []
  const report = (when, faults) => wrong.push(...faults.map((what) => `${when}: ${what}`))
  for (let round = 0; round < rounds; round++) {
    // Each step once, and a random moment for each of the others.
    const step = steps[round % steps.length]
    report(`killed ${step}`, await faultsAfter({ step }))
    report(`killed ${step}, then stopped`, await faultsAfter({ step }, true))
    report('killed at a random moment', await faultsAfter({ afterMs: Math.random() * LONGEST_MS }))
  }
  return rowOf(`kill -9 while an answer grows (${steps.length} steps)`, rounds, wrong, 'said once, nothing empty')
}

await runIfMain(import.meta.url, run)
