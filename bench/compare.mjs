// `node bench/compare.mjs <before> <after> [rounds] [section…]`: the CPU time of two built checkouts, in turns.
//
// Both run the workers of this folder, so a checkout of before the last change to a worker can be compared too. Each
// round runs one after the other, in alternating order. The change is the median of the changes of all rounds.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { run } from './lib/series.mjs'

/** The workers with their arguments, and the figures of each. More is better for a rate, less for a time. */
const SECTIONS = {
  kernel: [
    { worker: 'kernel', args: ['boot'], rates: [], times: ['cpu_ms'] },
    { worker: 'kernel', args: ['emit'], rates: ['emit_per_s'], times: [] },
    { worker: 'kernel', args: ['churn', 20_000], rates: ['cycles_per_s'], times: [] },
    { worker: 'kernel', args: ['update'], rates: ['updates_per_s'], times: [] },
    { worker: 'kernel', args: ['restart'], rates: ['restarts_per_s'], times: [] },
    { worker: 'kernel', args: ['flap', 100], rates: ['flaps_per_s'], times: [] },
  ],
  agent: [
    { worker: 'agent', args: ['memory'], rates: ['turns_per_cpu_s'], times: [] },
    { worker: 'agent', args: ['sqlite'], rates: [], times: ['in_flight_16_us_cpu', 'in_flight_1_us_cpu'] },
  ],
  chat: [
    {
      worker: 'chat',
      args: ['dispatch', 200],
      rates: ['command_per_s', 'chat_direct_per_s', 'chat_group_per_s'],
      times: [],
    },
  ],
  store: [
    { worker: 'store', args: ['messages'], rates: [], times: ['in_flight_64_us_cpu', 'in_flight_1_us_cpu'] },
    { worker: 'store', args: ['flood'], rates: [], times: ['us_cpu'] },
  ],
  ai: [{ worker: 'ai', args: ['loop'], rates: [], times: ['us_cpu_per_turn'] }],
}

const [before, after, roundsText = '9', ...wanted] = process.argv.slice(2)
if (!before || !after) throw new Error('name two folders: node bench/compare.mjs <before> <after> [rounds] [section…]')
const rounds = Number(roundsText)
const cases = Object.entries(SECTIONS)
  .filter(([section]) => wanted.length === 0 || wanted.includes(section))
  .flatMap(([, list]) => list)

/** Copies this folder into a checkout: its workers resolve packages from where they are. */
function borrow(checkout) {
  const folder = mkdtempSync(join(resolve(checkout), '.bench-'))
  cpSync(fileURLToPath(new URL('.', import.meta.url)), folder, { recursive: true })
  return folder
}
const folders = [before, after].map(borrow)
const clean = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.on('exit', clean)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const quartiles = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted[sorted.length >> 2], sorted[(3 * sorted.length) >> 2]]
}
const spread = (values) => `${median(values)} (${quartiles(values).join(' to ')})`
const percent = (value) => `${value > 0 ? '+' : ''}${value.toFixed(1)} %`

/** The values of each figure: those of before and those of after. */
const figures = new Map()
/** Returns the figures of the rounds so far as a table. */
function table() {
  const rows = [['median (quartiles)', 'before', 'after', 'speed']]
  for (const [name, { isRate, of }] of figures) {
    const changes = of[0].map((old, round) => (isRate ? of[1][round] / old : old / of[1][round]) * 100 - 100)
    const [low, high] = quartiles(changes)
    rows.push([name, spread(of[0]), spread(of[1]), `${percent(median(changes))} (${percent(low)} to ${percent(high)})`])
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

for (let round = 0; round < rounds; round++) {
  for (const { worker, args, rates, times } of cases) {
    const order = round % 2 ? [1, 0] : [0, 1]
    const results = []
    for (const at of order)
      results[at] = run(pathToFileURL(join(folders[at], worker, 'worker.mjs')), args, { timeout: 600_000 })
    for (const key of [...rates, ...times]) {
      const name = `${results[0].case}: ${key}`
      const values = figures.get(name) ?? { isRate: rates.includes(key), of: [[], []] }
      for (const at of [0, 1]) values.of[at].push(results[at][key])
      figures.set(name, values)
    }
  }
  if (round + 1 < rounds) process.stderr.write(`· round ${round + 1} of ${rounds}\n${table()}\n`)
}
console.log(table())
