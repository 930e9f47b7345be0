// `node bench/kernel/bench.mjs [runs]`: the limits of the kernel. Prints a JSON line for each case, with its limit.
import { medians } from '../lib/series.mjs'

const worker = new URL('worker.mjs', import.meta.url)
const runs = Number(process.argv[2] ?? 5)

const bars = [
  { args: ['boot'], bar: { cpu_ms: { max: 100 }, heap_mb: { max: 5 } } },
  { args: ['emit'], bar: { emit_per_s: { min: 5_000_000 } } },
  {
    args: ['churn', 2000],
    bar: { cycles_per_s: { min: 5_000 }, leak_bytes_per_cycle: { max: 50 }, residue: { max: 0 } },
  },
  { args: ['update'], bar: { updates_per_s: { min: 500_000 } } },
  { args: ['restart'], bar: { restarts_per_s: { min: 10_000 } } },
  { args: ['flap', 100], bar: { flaps_per_s: { min: 300 } } },
  { args: ['access'], bar: {} },
]

const missed = []
for (const { args, bar } of bars) {
  const row = medians(worker, args, runs)
  const misses = Object.entries(bar)
    .filter(([field, { min = -Infinity, max = Infinity }]) => row[field] < min || row[field] > max)
    .map(([field]) => field)
  missed.push(...misses.map((field) => `${args[0]} ${field}`))
  console.log(JSON.stringify({ ...row, bar, met: misses.length === 0 }))
}
if (missed.length) {
  console.error(`missed: ${missed.join(', ')}`)
  process.exitCode = 1
}
