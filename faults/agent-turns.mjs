// Kills a host at a commit while its agent answers, asks, waits for its owner and starts sub-agents.
// No effect may happen twice or get lost unreported; approvals, questions and sessions survive.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HOST = fileURLToPath(new URL('./processes/agent-turns.mjs', import.meta.url))
/** Approximate commits of one life that continues earlier work. Lives that run out of work are killed then. */
const COMMITS = 260
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F']

async function live(folder, life, dieAt, when) {
  const child = spawn(process.execPath, [HOST, folder, String(life), String(dieAt), when], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    complained = (complained + chunk).slice(-2_000)
  })
  const [code, signal] = await once(child, 'close')
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the host ended with ${code}: ${complained}`)
  return said
}

/** Returns the faults of the final state. */
function judge({ accepted, answers, sent, done, ran, rows, turns, pending, running }) {
  const wrong = []
  const twice = (list) => [...new Set(list.filter((one, at) => list.indexOf(one) !== at))]
  const report = (what, list) => {
    if (list.length) wrong.push(`${what}: ${list.length}, such as ${list.slice(0, 5).join(' | ')}`)
  }
  report('said twice', twice(sent.map(({ to, text, replyTo }) => `${to} ${replyTo ?? ''} ${text}`)))
  report('a tool acted twice', twice(done))
  report('a command ran twice', twice(ran))
  const answered = new Set(sent.map(({ replyTo }) => replyTo))
  const outbound = rows.filter(({ direction }) => direction === 'out')
  const shown = new Set(
    outbound.filter(({ state }) => state === 'unknown' || state === 'failed').map(({ answers }) => answers),
  )
  const inbound = new Map(rows.filter(({ direction }) => direction === 'in').map((row) => [row.id, row]))
  // An answer to a question gets no reply of its own.
  const silent = accepted
    .filter(({ id, content }) => !id.startsWith('blue-') && !answers.includes(content))
    .filter(
      ({ id }) => !answered.has(id) && !shown.has(inbound.get(id)?.row) && inbound.get(id)?.state !== 'interrupted',
    )
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
export async function run({ rounds = 200 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  try {
    for (let round = 0; round < rounds; round++)
      await live(folder, round, 1 + Math.floor(Math.random() * COMMITS), round % 2 ? 'before' : 'after')
    const { wrong, figures } = judge(JSON.parse(await live(folder, rounds, 0, 'never')))
    const row = {
      fault: 'kill -9 at a commit while the agent works',
      rounds,
      result: wrong.length ? wrong.join('; ') : figures,
      passed: wrong.length === 0,
    }
    console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
    return row
  } catch (error) {
    const sent = await readFile(join(folder, 'sent'), 'utf8').catch(() => '')
    throw new Error(`${error.message}\nlast sent: ${sent.slice(-500)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 200) })).passed ? 0 : 1
