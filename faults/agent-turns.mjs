// Kills a host at a commit while its agent answers, asks, waits for its owner and starts sub-agents.
// No effect may happen twice or get lost unreported; approvals, questions and sessions survive.
import { inFolder, live, rowOf, runIfMain } from './lib/lives.mjs'

/** Approximate commits of one life that continues earlier work. Lives that run out of work are killed then. */
const COMMITS = 260
/** Sent for each message that comes while a request waits, and so more than once. */
const NOTICE = /^An earlier request here still waits/
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F']

/** Returns the faults of the final state. */
function judge({ accepted, answers, sent, done, ran, rows, turns, pending, running }) {
  const wrong = []
  const twice = (list) => [...new Set(list.filter((one, at) => list.indexOf(one) !== at))]
  const report = (what, list) => {
    if (list.length) wrong.push(`${what}: ${list.length}, such as ${list.slice(0, 5).join(' | ')}`)
  }
  const answersTwice = sent.filter(({ text }) => !NOTICE.test(text))
  report('said twice', twice(answersTwice.map(({ to, text, replyTo }) => `${to} ${replyTo ?? ''} ${text}`)))
  report('a tool acted twice', twice(done))
  report('a command ran twice', twice(ran))
  const answered = new Set(sent.map(({ replyTo }) => replyTo))
  const outbound = rows.filter(({ direction }) => direction === 'out')
  const shown = new Set(
    outbound.filter(({ state }) => state === 'unknown' || state === 'failed').map(({ answers }) => answers),
  )
  const inbound = new Map(rows.filter(({ direction }) => direction === 'in').map((row) => [row.id, row]))
  const byRow = new Map(Array.from(inbound.values(), (message) => [message.row, message]))
  const isTold = ({ id, row, state } = {}) => answered.has(id) || shown.has(row) || state === 'interrupted'
  /** Whether a message has joined the turn of another one, whose answer is that of both. */
  const joinedOneThatIsTold = ({ row } = {}) => {
    const turn = turns.find((other) => other.row === row)
    if (turn?.stage !== 'joined') return false
    const hosts = turns.filter(
      ({ session_key: key, started_at: at, stage }) =>
        key === turn.session_key && at <= turn.started_at && stage !== 'joined',
    )
    const last = hosts.sort((a, b) => a.started_at - b.started_at).at(-1)
    return isTold(byRow.get(last?.row))
  }
  // An answer to a question gets no reply of its own.
  const silent = accepted
    .filter(({ id, content }) => !id.startsWith('blue-') && !answers.includes(content))
    .filter(({ id }) => !isTold({ ...inbound.get(id), id }) && !joinedOneThatIsTold(inbound.get(id)))
  const turnOf = ({ row, state } = {}) => {
    const turn = turns.find((other) => other.row === row)
    return `${state}, ${turn ? `${turn.state} (${turn.stage}) ${turn.error ?? ''}` : 'no turn'}`
  }
  report(
    'accepted and lost in silence',
    silent.map(({ id }) => `${id}: ${turnOf(inbound.get(id))}`),
  )
  report(
    'accepted and not stored',
    accepted.filter(({ id }) => !inbound.has(id)).map(({ id }) => id),
  )
  report(
    'left open in the store',
    rows
      .filter(({ state }) => ['received', 'handling', 'intent', 'sending'].includes(state))
      .map(({ state, text }) => `${state} ${text}`),
  )
  report(
    'a session that does not answer',
    LETTERS.filter((letter) => !answered.has(`last-${letter}`)),
  )
  if (pending) wrong.push(`${pending} requests for approval are left without a turn`)
  if (running) wrong.push(`${running} turns never end`)
  const unknown = outbound.filter(({ state }) => state === 'unknown').length
  const interrupted = rows.filter(({ direction, state }) => direction === 'in' && state === 'interrupted').length
  const states = [...new Set(turns.map(({ state }) => state))]
    .map((state) => `${turns.filter((turn) => turn.state === state).length} ${state}`)
    .join(', ')
  return {
    wrong,
    figures:
      `${accepted.length} messages, ${sent.length} sent, ${unknown} unknown, ${interrupted} interrupted, ` +
      `${done.length} tools and ${ran.length} approved commands once; turns ${states}`,
  }
}

/** Runs the rounds and prints one row. Returns the row. */
export const run = ({ rounds = 200 } = {}) =>
  inFolder(async (folder) => {
    for (let life = 0; life < rounds; life++) {
      const dieAt = 1 + Math.floor(Math.random() * COMMITS)
      await live('agent-turns.mjs', { folder, life, dieAt, when: life % 2 ? 'before' : 'after' })
    }
    const { report } = await live('agent-turns.mjs', { folder, life: rounds, dieAt: 0 })
    const { wrong, figures } = judge(report)
    return rowOf('kill -9 at a commit while the agent works', rounds, wrong, figures)
  })

await runIfMain(import.meta.url, run)
