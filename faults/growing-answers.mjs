// Kills a host at each step of an answer that grows within one message, and at random moments of it: the answer is
// said once, or its row says that it is unknown, and no message is empty.
import { onDatabases } from './lib/databases.mjs'
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
const OPEN = ['received', 'handling', 'draft', 'intent', 'sending']

/** Returns the faults of the last report, and its counts. */
function verdictOn({ answer, shown, empty, rows, busy }, accepted, stops) {
  const whole = shown.filter((text) => text.trim() === answer).length
  const unknown = rows.filter(({ direction, state }) => direction === 'out' && state === 'unknown').length
  const isTold = shown.some((text) => !answer.startsWith(text.trim()))
  const lost = accepted && whole === 0 && unknown === 0 && !isTold && !stops
  const open = rows.filter(({ state }) => OPEN.includes(state))
  const wrong = [
    empty > 0 && `${empty} empty messages`,
    whole > 1 && `said ${whole} times`,
    lost && `not said: ${JSON.stringify(shown)}, ${JSON.stringify(rows)}`,
    open.length > 0 && `left open: ${open.map(({ state }) => state).join(', ')}`,
    busy && `it never ends, ${busy}`,
  ].filter(Boolean)
  const counts = {
    accepted: Number(accepted),
    'said whole': whole,
    twice: Number(whole > 1),
    lost: Number(lost),
    unknown,
    told: Number(isTold),
  }
  return { wrong, counts }
}

const verdictAfter = (database, first, stops = false) =>
  inFolder(async (folder) => {
    const killed = await live('growing-answer.mjs', { folder, ...database, asks: true, ...first })
    const last = killed.killed ? await live('growing-answer.mjs', { folder, ...database, stops }) : killed
    // A kill may come before its word: the row tells, too.
    const { report } = last
    const accepted = killed.lines.includes('accepted') || report.rows.some(({ text }) => text === 'count to four')
    return verdictOn(report, accepted, stops)
  })

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 30, databases, steps = STEPS } = {}) {
  /** The ways to kill of one round. */
  const waysOf = (step) => [
    [`killed ${step}`, { step }, false],
    [`killed ${step}, then stopped`, { step }, true],
    ['killed at a random moment', { afterMs: Math.random() * LONGEST_MS }, false],
  ]
  const count = waysOf('').length
  const { wrong, figures, where } = await onDatabases(
    { rounds: rounds * count, databases },
    async (number, database) => {
      const step = steps[Math.floor(number / count) % steps.length]
      const [when, first, stops] = waysOf(step)[number % count]
      const verdict = await verdictAfter(database, first, stops)
      return { ...verdict, wrong: verdict.wrong.map((what) => `${when}: ${what}`) }
    },
  )
  return rowOf(`kill -9 while an answer grows (${steps.length} steps), ${where}`, rounds, wrong, figures)
}

await runIfMain(import.meta.url, run)
