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
        const sent = [...first, ...second].filter((line) => line.startsWith('sent '))
        const states = second.filter((line) => line.startsWith('row out ')).map((line) => line.split(' ')[2])
        const doubtful = states.filter((state) => state === 'unknown').length
        unknown += doubtful
        // Correct: the message was being handled at that moment.
        const interrupted = second.filter((line) => line.startsWith('row in interrupted ')).length
        if (new Set(sent).size !== sent.length) wrong.add(`${signal}: an answer was sent twice`)
        if (states.length + interrupted !== COMMANDS)
          wrong.add(
            `${signal}: ${states.length} of ${COMMANDS} answers are in the store, ${interrupted} messages interrupted`,
          )
        if (interrupted > (signal === 'SIGTERM' ? 0 : 5))
          wrong.add(`${signal}: ${interrupted} messages were interrupted`)
        if (states.some((state) => state !== 'sent' && state !== 'unknown'))
          wrong.add(`${signal}: an answer is ${states.find((state) => state !== 'sent' && state !== 'unknown')}`)
        if (doubtful > 1) wrong.add(`${signal}: ${doubtful} answers are unknown, and one was being sent`)
        if (signal === 'SIGTERM' && doubtful > 0) wrong.add('SIGTERM: an answer is unknown though there was time')
        if (sent.length + doubtful + interrupted < COMMANDS)
          wrong.add(`${signal}: ${COMMANDS - sent.length - doubtful - interrupted} answers are lost`)
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
