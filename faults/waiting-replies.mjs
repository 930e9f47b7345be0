// Stops and kills a host while replies wait for a slow platform: each is sent once, or shown as unknown.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HOST = fileURLToPath(new URL('./processes/waiting-replies.mjs', import.meta.url))
const COMMANDS = 50

/** Runs one life of the host. Sends `signal` after a number of replies. */
async function live(data, count, pause, signal, after) {
  const child = spawn(process.execPath, [HOST, data, String(count), String(pause)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
    if (signal && said.split('sent ').length > after && said.includes(`accepted ${count - 1}\n`)) child.kill(signal)
  })
  await once(child, 'close')
  return said.split('\n').filter(Boolean)
}

/** Compares what was sent with the rows. Returns the faults of a round and the number of unknown answers. */
function faultsOf(signal, first, second) {
  const sent = [...first, ...second].filter((line) => line.startsWith('sent '))
  const states = second.filter((line) => line.startsWith('row out ')).map((line) => line.split(' ')[2])
  const unknown = states.filter((state) => state === 'unknown').length
  // Correct: the message was being handled at that moment.
  const interrupted = second.filter((line) => line.startsWith('row in interrupted ')).length
  const lost = COMMANDS - sent.length - unknown - interrupted
  const open = states.find((state) => state !== 'sent' && state !== 'unknown')
  const stopped = signal === 'SIGTERM'
  const faults = [
    new Set(sent).size !== sent.length && 'an answer was sent twice',
    states.length + interrupted !== COMMANDS &&
      `${states.length} of ${COMMANDS} answers are in the store, ${interrupted} messages interrupted`,
    interrupted > (stopped ? 0 : 5) && `${interrupted} messages were interrupted`,
    open !== undefined && `an answer is ${open}`,
    unknown > 1 && `${unknown} answers are unknown, and one was being sent`,
    stopped && unknown > 0 && 'an answer is unknown though there was time',
    lost > 0 && `${lost} answers are lost`,
  ]
  return { unknown, faults: faults.filter(Boolean).map((fault) => `${signal}: ${fault}`) }
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 10 } = {}) {
  const wrong = new Set()
  let unknown = 0
  for (let round = 0; round < rounds; round++) {
    for (const signal of ['SIGKILL', 'SIGTERM']) {
      const data = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
      try {
        const first = await live(data, COMMANDS, 20, signal, 1 + Math.floor(Math.random() * 20))
        const second = await live(data, 0, 0)
        const found = faultsOf(signal, first, second)
        unknown += found.unknown
        for (const fault of found.faults) wrong.add(fault)
      } finally {
        await rm(data, { recursive: true, force: true })
      }
    }
  }
  const row = {
    fault: `SIGKILL and SIGTERM while ${COMMANDS} answers wait for a slow platform`,
    rounds,
    result: wrong.size ? [...wrong].join('; ') : `every answer once, ${unknown} of ${rounds * COMMANDS * 2} unknown`,
    passed: wrong.size === 0,
  }
  console.log(`${row.passed ? 'ok  ' : 'FAIL'}  ${row.fault}, ${rounds} rounds: ${row.result}`)
  return row
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await run({ rounds: Number(process.argv[2] ?? 10) })).passed ? 0 : 1
