// The host for the fuzzer, in its own process. Reports how long its loop was blocked, and its memory.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { loadHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'

const TICK_MS = 10
const BLOCK_MS = 50

const log = []
const { host } = await loadHost(process.argv[2], {
  log: ({ level, name, message, fields }) => {
    if (level === 'error' && log.push({ name, message, stack: fields?.stack }) > 200) log.shift()
  },
})
await host.start()

const delay = monitorEventLoopDelay({ resolution: TICK_MS })
delay.enable()
/** CPU time of the thread of the loop in ms; other threads do not block it. That of the process, if not on Linux. */
const work =
  process.platform === 'linux'
    ? () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    : () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1_000
      }

/** Times in which the loop was blocked by its own work, not by other processes of the machine. */
let blocks = []
let last = performance.now()
let done = work()
setInterval(() => {
  const now = performance.now()
  const worked = work() - done
  const late = now - last - TICK_MS
  if (late > BLOCK_MS && worked > BLOCK_MS) blocks.push({ at: Date.now(), ms: Math.round(Math.min(late, worked)) })
  last = now
  done += worked
}, TICK_MS)

process.on('message', (question) => {
  if (question === 'blocks') {
    process.send({ blocks })
    blocks = []
  } else if (question === 'memory') {
    for (let round = 0; round < 3; round++) globalThis.gc()
    process.send({
      heap: process.memoryUsage().heapUsed,
      rss: process.memoryUsage.rss(),
      delay: { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
    })
  } else if (question === 'log') process.send({ log })
  else if (question === 'stop') void host.stop().then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
process.send({
  origin: host.get(Http).origin,
  down: host
    .inspect()
    .filter(({ state }) => state !== 'active')
    .map(({ name, state, error }) => `${name} is ${state}: ${error?.message ?? ''}`),
})
