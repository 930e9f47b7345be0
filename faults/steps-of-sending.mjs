// Kills a host at each step of sending: no message is sent twice, and each has a known state.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HOST = fileURLToPath(new URL('./processes/sending.mjs', import.meta.url))

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

/** Runs one life of the host. Returns its lines. */
async function live(data, step, id) {
  const child = spawn(process.execPath, [HOST, data, step, id], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const [code, signal] = await once(child, 'close')
  return { lines: said.split('\n').filter(Boolean), killed: signal === 'SIGKILL', code }
}

/** Kills at one step and restarts. Returns the faults. */
async function kill(step, round) {
  const data = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
  const id = `m${round}`
  try {
    const first = await live(data, step, id)
    const second = await live(data, 'none', '-')
    const lines = [...first.lines, ...second.lines]
    const wrong = []
    const sent = lines.filter((line) => line === `sent ${id}`).length
    const rows = (direction) =>
      second.lines
        .filter((line) => line.startsWith(`${direction} `) && line.endsWith(` ${id}`))
        .map((line) => line.split(' ')[1])
    if (!first.killed) wrong.push('was not killed')
    if (second.code !== 0) wrong.push(`ended with ${second.code} after the restart`)
    if (sent !== STEPS[step].sent) wrong.push(`sent ${sent} times, not ${STEPS[step].sent}`)
    if (rows('in').length !== 1 || !['handled', 'interrupted'].includes(rows('in')[0]))
      wrong.push(`the message is ${rows('in').join(', ') || 'lost'}`)
    const answers = rows('out')
    if (STEPS[step].answer ? answers.length !== 1 || !STEPS[step].answer.includes(answers[0]) : answers.length > 0)
      wrong.push(`the answer is ${answers.join(', ') || 'lost'}`)
    return wrong.map((what) => `${step}: ${what}`)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 20, steps = Object.keys(STEPS) } = {}) {
  const wrong = []
  for (let round = 0; round < rounds; round++) for (const step of steps) wrong.push(...(await kill(step, round)))
  const row = {
    fault: `kill -9 at each of ${steps.length} steps of sending`,
    rounds,
    result: wrong.length
      ? [...new Set(wrong)].join('; ')
      : 'nothing lost, nothing sent twice, unknown after a kill during the send',
    passed: wrong.length === 0,
  }
  console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
  return row
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 20) })).passed ? 0 : 1
