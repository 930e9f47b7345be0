// Reloads a plugin of twenty files again and again under `mynah dev`: a stream, a turn and another plugin go on, its
// state is carried over, and time and memory of each reload stay within their limits.
import { ReloadHost } from '../plugins/mynah/dist/test/reload-host.js'
import { runIfMain } from './lib/lives.mjs'

/** The first reloads load what later ones use. */
const WARM = 10
const MAX_P95_MS = 150
const MAX_HEAP_MB = 100
const MEGABYTE = 1024 * 1024

const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)]

/** Runs the reloads and prints one row. Returns the row. */
export async function run({ rounds = 500 } = {}) {
  const host = await ReloadHost.start()
  try {
    await host.send('/begin', 'bob')
    let version = 0
    for (let round = 0; round < WARM; round++) await host.saveVersion(++version)
    const before = Number(await host.say('/heap'))
    const times = []
    const wrong = []
    for (let round = 0; round < rounds; round++) {
      times.push(await host.saveVersion(++version))
      if (round % 100 !== 99) continue
      const count = (round + 1) / 100
      const answer = await host.say('/count')
      if (answer !== `version ${version}, 19 parts, count ${count}`) wrong.push(answer)
    }
    const heap = (Number(await host.say('/heap')) - before) / MEGABYTE
    if ((await host.say('/setups')) !== '1') wrong.push('another plugin started again')
    await host.send('/finish', 'carol')
    await host.hears('the turn has ended')
    if (host.isStreamOver) wrong.push('the stream has ended')
    if (host.running.out.includes('restarting')) wrong.push('the host restarted')
    const p95 = percentile(times, 0.95)
    const each = ((heap * 1024) / rounds).toFixed(0)
    const result =
      `save to running p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, at most ` +
      `${Math.max(...times).toFixed(0)} ms; heap +${heap.toFixed(1)} MB, ${each} KB each` +
      (wrong.length ? `; wrong: ${wrong.join(', ')}` : '')
    const passed = wrong.length === 0 && p95 <= MAX_P95_MS && heap <= MAX_HEAP_MB
    console.log(`${passed ? 'ok  ' : 'FAIL'}  ${rounds} reloads of a plugin, Node ${process.version}: ${result}`)
    return { fault: 'reloads of a plugin', rounds, result, passed }
  } finally {
    await host.stop()
  }
}

await runIfMain(import.meta.url, run)
